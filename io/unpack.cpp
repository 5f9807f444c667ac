#include "unpack.h"

#include <algorithm>

#include "gltf_json.h"
#include "unpacking.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

/// What a document may unfold to: any small file, and larger ones that compress as well as real meshes do.
constexpr std::uint64_t least_room = std::uint64_t{64} << 20;
constexpr std::uint64_t largest_ratio = 64;

bool any_extends(const Json& items, std::initializer_list<const char*> extensions) {
  return std::any_of(items.begin(), items.end(), [&](const Json& item) {
    const Json& own = member(item, "extensions");
    return std::any_of(extensions.begin(), extensions.end(), [&](auto name) { return own.contains(name); });
  });
}

bool is_packed(const Json& json) {
  if (any_extends(member(json, "bufferViews"), {"EXT_meshopt_compression", "KHR_meshopt_compression"}))
    return true;
  const Json& meshes = member(json, "meshes");
  return std::any_of(meshes.begin(), meshes.end(), [](const Json& mesh) {
    return any_extends(mesh["primitives"], {"KHR_draco_mesh_compression"});
  });
}

/// A file that many buffers name counts once.
std::uint64_t room_for(const Document& document, const std::vector<Buffer>& buffers) {
  std::uint64_t bytes = document.bytes_read;
  for (const Buffer& buffer : buffers) bytes += buffer.external.size();
  return std::max(least_room, largest_ratio * bytes);
}

}  // namespace

std::span<const std::uint8_t> packed_bytes(const Unpacking& unpacking, const Json& range,
                                           const std::string& place) {
  const auto index = range["buffer"].get<std::size_t>();
  const Buffer& buffer = unpacking.buffers[index];
  if (!buffer.fault.empty()) fail(unpacking.file, at("buffers", index), buffer.fault);
  const auto offset = range.value("byteOffset", std::uint64_t{0}),
             length = range["byteLength"].get<std::uint64_t>();
  if (offset + length > buffer.bytes.size())
    fail(unpacking.file, place,
         "bytes " + std::to_string(offset) + " to " + std::to_string(offset + length) + " of a buffer of " +
             std::to_string(buffer.bytes.size()));
  return buffer.bytes.subspan(offset, length);
}

std::vector<std::uint8_t> make_room(Unpacking& unpacking, std::uint64_t bytes, const std::string& place) {
  if (bytes > unpacking.bytes_left)
    fail(unpacking.file, place,
         "unpacks to " + std::to_string(bytes) + " bytes, more than a file of its size may");
  unpacking.bytes_left -= bytes;
  return std::vector<std::uint8_t>(bytes);
}

std::size_t add_buffer(Unpacking& unpacking, std::vector<std::uint8_t> bytes, double rounding) {
  Json& buffers = unpacking.plain.json["buffers"];
  buffers.push_back(Json::object({{"byteLength", bytes.size()}}));
  unpacking.plain.new_buffers.push_back({buffers.size() - 1, std::move(bytes), rounding});
  return buffers.size() - 1;
}

bool is_read(const std::string& attribute) {
  return attribute == "POSITION" || attribute.starts_with("JOINTS_") || attribute.starts_with("WEIGHTS_");
}

std::optional<Document> unpacked(const Document& document) {
  if (!is_packed(document.json)) return std::nullopt;
  Document plain = document;
  std::vector<Buffer> buffers = load_buffers(document);
  const std::uint64_t room = room_for(document, buffers);
  Unpacking unpacking{document, plain, std::move(buffers), document.path.string(), room};
  unpack_meshopt(unpacking);
  unpack_draco(unpacking);
  return plain;
}

}  // namespace pelt
