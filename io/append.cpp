#include "append.h"

#include <cstring>

#include "buffers.h"
#include "uri.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

constexpr int component_float = 5126;

/// The array of that name, made at the end of the document where there is none.
Json& array_of(Document& document, const char* name) {
  Json& array = document.json[name];
  if (array.is_null()) array = Json::array();
  return array;
}

void pad_to_four(Bytes& bytes) { bytes.resize((bytes.size() + 3) / 4 * 4, 0); }

/// glTF is little-endian, as are the machines that pelt is built for.
void append_floats(Bytes& bytes, const Eigen::MatrixXf& values) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(values.data());
  bytes.insert(bytes.end(), begin, begin + values.size() * sizeof(float));
}

struct Place {
  std::size_t buffer = 0, offset = 0;
};

Place append_to_bin(Document& document, const Bytes& bytes) {
  Json& buffers = array_of(document, "buffers");
  if (buffers.empty()) buffers.push_back(Json::object({{"byteLength", document.bin.size()}}));
  const auto length = buffers[0]["byteLength"].get<std::size_t>();
  const bool only_padding_beyond = document.bin.size() - length < 4;
  if (only_padding_beyond) document.bin.resize(length);
  pad_to_four(document.bin);
  const Place place{0, document.bin.size()};
  document.bin.insert(document.bin.end(), bytes.begin(), bytes.end());
  document.has_bin = true;
  buffers[0]["byteLength"] = document.bin.size();
  return place;
}

Place append_buffer(Document& document, Bytes bytes) {
  Json& buffers = array_of(document, "buffers");
  bool external = false;
  for (const Json& buffer : buffers)
    external |= buffer.contains("uri") && is_relative_file(buffer["uri"].get<std::string>());
  const Place place{buffers.size(), 0};
  buffers.push_back(Json::object({{"byteLength", bytes.size()}}));
  if (external && !document.binary_container)
    document.new_buffers.push_back({place.buffer, std::move(bytes)});
  else
    buffers.back()["uri"] = data_uri(bytes);
  return place;
}

Place append_bytes(Document& document, Bytes bytes) {
  const Json& buffers = array_of(document, "buffers");
  const bool in_bin = buffers.empty() || first_is_bin(document);
  return document.binary_container && in_bin ? append_to_bin(document, bytes)
                                             : append_buffer(document, std::move(bytes));
}

Json accessor_json(const NewAccessor& accessor, std::size_t view, std::size_t offset) {
  const char* type[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
  Json json = {{"bufferView", view},
               {"byteOffset", offset},
               {"componentType", component_float},
               {"count", accessor.values.cols()},
               {"type", type[accessor.values.rows()]}};
  if (accessor.bounds) {
    json["min"] = Json::array({accessor.values.minCoeff()});
    json["max"] = Json::array({accessor.values.maxCoeff()});
  }
  return json;
}

}  // namespace

int append_accessors(Document& document, const std::vector<NewAccessor>& accessors) {
  const std::size_t first = array_of(document, "accessors").size();
  const std::size_t view = array_of(document, "bufferViews").size();
  Bytes bytes;
  for (const NewAccessor& accessor : accessors) {
    document.json["accessors"].push_back(accessor_json(accessor, view, bytes.size()));
    append_floats(bytes, accessor.values);
  }
  const std::size_t length = bytes.size();
  const Place place = append_bytes(document, std::move(bytes));
  document.json["bufferViews"].push_back(
      Json::object({{"buffer", place.buffer}, {"byteOffset", place.offset}, {"byteLength", length}}));
  return static_cast<int>(first);
}

}  // namespace pelt
