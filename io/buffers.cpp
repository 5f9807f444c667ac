#include "buffers.h"

#include <tiny_gltf.h>

#include <map>

#include "gltf_json.h"
#include "uri.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

/// base64 under any media type or none (RFC 2397). tinygltf knows a few media types only, so it is shown one
/// of those. Returns what is wrong, or "".
std::string decode_data_uri(const std::string& uri, std::vector<std::uint8_t>& out) {
  const std::size_t comma = uri.find(',');
  if (comma == std::string::npos || !uri.substr(0, comma).ends_with(";base64"))
    return "a data URI that is not base64";
  std::string media_type;
  const std::string known = "data:application/octet-stream;base64," + percent_decoded(uri.substr(comma + 1));
  return tinygltf::DecodeDataURI(&out, media_type, known, 0, false) ? "" : "a data URI without data";
}

/// Returns what is wrong, or "".
std::string read_file(const std::string& uri, const std::filesystem::path& folder,
                      std::vector<std::uint8_t>& out) {
  const std::filesystem::path path = folder / percent_decoded(uri);
  std::error_code ignored;
  std::string error;
  const bool read = std::filesystem::is_regular_file(path, ignored) &&
                    tinygltf::ReadWholeFile(&out, &error, path.string(), nullptr);
  return read ? "" : "cannot read '" + uri + "'";
}

/// A buffer that is not saved yet, or nullptr.
const Document::NewBuffer* new_buffer(const Document& document, std::size_t index) {
  for (const Document::NewBuffer& fresh : document.new_buffers)
    if (fresh.buffer == index) return &fresh;
  return nullptr;
}

/// A stand-in for the data of compressed views (EXT_meshopt_compression, "Fallback buffers").
bool is_placeholder(const Json& buffer) {
  for (const char* extension : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
    const Json& own = member(member(buffer, "extensions"), extension);
    if (own.contains("fallback") && own["fallback"].get<bool>()) return true;
  }
  return false;
}

/// The buffers of a document while they are loaded.
struct Loading {
  const Document& document;
  std::vector<Buffer> buffers;
  std::map<std::string, std::size_t> first_of_uri;  ///< a file that many buffers name is read once
};

void load_uri(Loading& loading, const std::string& uri, std::size_t index) {
  Buffer& buffer = loading.buffers[index];
  if (uri.starts_with("data:")) {
    buffer.fault = decode_data_uri(uri, buffer.decoded);
    buffer.bytes = buffer.decoded;
    return;
  }
  const auto [known, is_new] = loading.first_of_uri.emplace(uri, index);
  Buffer& first = loading.buffers[known->second];
  if (is_new) first.fault = read_file(uri, loading.document.path.parent_path(), first.external);
  buffer.fault = first.external.empty() ? first.fault : "";
  buffer.bytes = first.external;
}

void load(Loading& loading, const Json& json, std::size_t index) {
  const Document& document = loading.document;
  Buffer& buffer = loading.buffers[index];
  if (const auto* fresh = new_buffer(document, index)) {
    buffer.bytes = fresh->data;
    buffer.rounding = fresh->rounding;
  } else if (json.contains("uri")) {
    load_uri(loading, string_of(json, "uri"), index);
  } else if (index == 0 && first_is_bin(document)) {
    buffer.bytes = document.bin;
  } else {
    buffer.fault = "neither a uri nor a BIN chunk";
  }
  const auto length = json["byteLength"].get<std::uint64_t>();
  if (buffer.fault.empty() && length > buffer.bytes.size())
    buffer.fault = "byteLength is " + std::to_string(length) + ", but it has only " +
                   std::to_string(buffer.bytes.size()) + " bytes";
  if (buffer.fault.empty()) buffer.bytes = buffer.bytes.first(length);
}

}  // namespace

bool first_is_bin(const Document& document) {
  const Json& buffers = member(document.json, "buffers");
  return document.has_bin && !buffers.empty() && !buffers[0].contains("uri") && !is_placeholder(buffers[0]);
}

std::vector<Buffer> load_buffers(const Document& document) {
  const Json& list = member(document.json, "buffers");
  Loading loading{document, std::vector<Buffer>(list.size()), {}};
  for (std::size_t i = 0; i < list.size(); ++i) load(loading, list[i], i);
  return std::move(loading.buffers);
}

}  // namespace pelt
