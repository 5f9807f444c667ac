// The container as in glTF 2.0, section 4 (GLB file format) and section 3.2 (asset.version and minVersion).
#include "document.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>

#include "byte_order.h"
#include "foreign_format.h"
#include "io_error.h"
#include "json_text.h"
#include "whole_file.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::span<const std::uint8_t>;

constexpr std::uint32_t json_chunk = 0x4E4F534A;
constexpr std::uint32_t bin_chunk = 0x004E4942;
constexpr std::size_t header_bytes = 12;
constexpr std::size_t chunk_header_bytes = 8;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw ReadError(path.string() + ": " + what);
}

void append_u32(std::vector<std::uint8_t>& bytes, std::size_t value) {
  for (int k = 0; k < 4; ++k) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * k)));
}

bool has_glb_magic(Bytes bytes) { return bytes.size() >= 4 && std::memcmp(bytes.data(), "glTF", 4) == 0; }

struct Version {
  int major = 0, minor = 0;
};

Version version_of(const Json& asset, const char* key, const std::filesystem::path& path) {
  const std::string place = std::string("asset.") + key;
  if (!asset[key].is_string()) refuse(path, place + ": not a string");
  const std::string text = asset[key];
  const std::size_t dot = text.find('.');
  const auto digits = [](const std::string& part) {
    return !part.empty() && part.size() < 6 && part.find_first_not_of("0123456789") == std::string::npos;
  };
  const std::string major = text.substr(0, dot), minor = dot == std::string::npos ? "" : text.substr(dot + 1);
  if (!digits(major) || !digits(minor)) refuse(path, place + ": '" + text + "' is not a version");
  return {std::atoi(major.c_str()), std::atoi(minor.c_str())};
}

void check_version(const Json& json, const std::filesystem::path& path) {
  if (!json.is_object()) refuse(path, "not a glTF file: its JSON is not an object");
  if (!json.contains("asset") || !json["asset"].is_object()) refuse(path, "asset: missing");
  const Json& asset = json["asset"];
  if (!asset.contains("version")) refuse(path, "asset.version: missing");
  if (version_of(asset, "version", path).major != 2)
    refuse(path, "asset.version: " + asset["version"].get<std::string>() + ", not 2.x");
  if (!asset.contains("minVersion")) return;
  const Version least = version_of(asset, "minVersion", path);
  if (least.major != 2 || least.minor > 0)
    refuse(path, "asset.minVersion: " + asset["minVersion"].get<std::string>() + ", newer than 2.0");
}

/// Takes the chunk at `offset` into the document and returns the offset behind it.
std::size_t take_chunk(Bytes file, std::size_t offset, Document& document) {
  const std::string place = "chunk at byte " + std::to_string(offset);
  if (file.size() - offset < chunk_header_bytes) refuse(document.path, place + ": truncated");
  const std::size_t length = u32_at(file, offset);
  const std::uint32_t type = u32_at(file, offset + 4);
  const std::size_t left = file.size() - offset - chunk_header_bytes;
  if (length > left)
    refuse(document.path, place + ": " + std::to_string(length) + " bytes long, but only " +
                              std::to_string(left) + " are left");
  const Bytes data = file.subspan(offset + chunk_header_bytes, length);
  if (offset == header_bytes) {
    if (type != json_chunk) refuse(document.path, "the first chunk is not JSON");
    document.json = parse_json(data, document.path.string(), "a glTF file");
  } else if (type == bin_chunk && !document.has_bin) {
    document.has_bin = true;
    document.bin.assign(data.begin(), data.end());
  } else {
    document.other_chunks.push_back({type, {data.begin(), data.end()}});
  }
  return offset + chunk_header_bytes + length;
}

void parse_glb(Bytes file, Document& document) {
  if (file.size() < header_bytes) refuse(document.path, "truncated within the .glb header");
  const std::uint32_t version = u32_at(file, 4);
  if (version != 2) refuse(document.path, "a .glb of version " + std::to_string(version) + ", not 2");
  const std::size_t length = u32_at(file, 8);
  if (length > file.size())
    refuse(document.path,
           "truncated: " + std::to_string(file.size()) + " bytes of " + std::to_string(length));
  if (length <= header_bytes) refuse(document.path, "a .glb without a JSON chunk");
  for (std::size_t offset = header_bytes; offset < length;)
    offset = take_chunk(file.first(length), offset, document);
}

void append_chunk(std::vector<std::uint8_t>& file, std::uint32_t type, Bytes data, std::uint8_t pad) {
  const std::size_t length = (data.size() + 3) / 4 * 4;
  append_u32(file, length);
  append_u32(file, type);
  file.insert(file.end(), data.begin(), data.end());
  file.resize(file.size() + length - data.size(), pad);
}

}  // namespace

Document read_document(const std::filesystem::path& path) {
  return parse_document(read_whole_file(path), path);
}

Document parse_document(std::vector<std::uint8_t> bytes, const std::filesystem::path& path) {
  Document document;
  document.path = path;
  document.bytes_read = bytes.size();
  document.binary_container = has_glb_magic(bytes);
  if (bytes.empty()) refuse(path, "an empty file");
  if (document.binary_container) {
    parse_glb(bytes, document);
  } else {
    if (const std::string foreign = foreign_format(bytes, path); !foreign.empty()) refuse(path, foreign);
    const bool byte_order_mark =
        bytes.size() >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF;
    document.json = parse_json(Bytes(bytes).subspan(byte_order_mark ? 3 : 0), path.string(), "a glTF file");
  }
  check_version(document.json, path);
  return document;
}

std::vector<std::uint8_t> serialise(const Document& document) {
  if (!document.binary_container) {
    const std::string text = document.json.dump(2) + "\n";
    return {text.begin(), text.end()};
  }
  const std::string text = document.json.dump();
  std::size_t length = header_bytes + chunk_header_bytes + text.size() + 3;
  if (document.has_bin) length += chunk_header_bytes + document.bin.size() + 3;
  for (const Document::Chunk& chunk : document.other_chunks)
    length += chunk_header_bytes + chunk.data.size() + 3;
  if (length > std::numeric_limits<std::uint32_t>::max())
    throw WriteError(document.path.string() + ": outgrows the 4 GiB of a .glb");

  std::vector<std::uint8_t> file = {'g', 'l', 'T', 'F'};
  file.reserve(length);
  append_u32(file, 2);
  append_u32(file, 0);
  append_chunk(file, json_chunk, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, ' ');
  if (document.has_bin) append_chunk(file, bin_chunk, document.bin, 0);
  for (const Document::Chunk& chunk : document.other_chunks) append_chunk(file, chunk.type, chunk.data, 0);
  for (int k = 0; k < 4; ++k) file[8 + k] = static_cast<std::uint8_t>(file.size() >> (8 * k));
  return file;
}

}  // namespace pelt
