// EXT_meshopt_compression (Khronos glTF repository, ratified), and KHR_meshopt_compression as far as its
// streams are of the same kind: the bit streams of meshoptimizer's vertex and index codecs, version 0 and 1.
#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "gltf_json.h"
#include "quaternion_filter.h"
#include "unpacking.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::span<const std::uint8_t>;

/// No codec stores more in a byte: 256 elements take at least four bytes for each byte of an element.
constexpr std::uint64_t largest_ratio = 64;
constexpr std::uint8_t newer_vertex_stream = 0xA1;

/// A compressed view as its extension describes it.
struct PackedView {
  std::string place;
  std::string mode, filter;
  std::uint64_t count = 0, stride = 0;
};

void add_accessors(const Json& json, std::set<int>& accessors) {
  for (const Json& mesh : member(json, "meshes")) {
    for (const Json& primitive : mesh["primitives"]) {
      accessors.insert(integer_of(primitive, "indices"));
      for (const auto& [name, accessor] : primitive["attributes"].items())
        if (is_read(name)) accessors.insert(accessor.get<int>());
      for (const Json& target : member(primitive, "targets"))
        accessors.insert(integer_of(target, "POSITION"));
    }
  }
  for (const Json& skin : member(json, "skins")) accessors.insert(integer_of(skin, "inverseBindMatrices"));
  for (const Json& clip : member(json, "animations")) {
    for (const Json& sampler : clip["samplers"]) {
      accessors.insert(sampler["input"].get<int>());
      accessors.insert(sampler["output"].get<int>());
    }
  }
}

/// Views that the readers go to.
std::set<int> views_read(const Json& json) {
  std::set<int> accessors, views;
  add_accessors(json, accessors);
  accessors.erase(-1);
  for (const int index : accessors) {
    const Json& accessor = json["accessors"][index];
    views.insert(integer_of(accessor, "bufferView"));
    if (!accessor.contains("sparse")) continue;
    views.insert(accessor["sparse"]["indices"]["bufferView"].get<int>());
    views.insert(accessor["sparse"]["values"]["bufferView"].get<int>());
  }
  views.erase(-1);
  return views;
}

/// The rules that the extension names for its members, and a length that the stream can hold.
void check(const Unpacking& unpacking, const PackedView& view, std::uint64_t view_length,
           std::uint64_t packed_length) {
  const auto refuse = [&](const std::string& what) { fail(unpacking.file, view.place, what); };
  const bool attributes = view.mode == "ATTRIBUTES", triangles = view.mode == "TRIANGLES";
  const std::uint64_t stride = view.stride;
  const std::string of_stride = " with a byteStride of " + std::to_string(stride);
  if (!attributes && !triangles && view.mode != "INDICES") refuse("'" + view.mode + "' is not a mode");
  if (attributes ? stride == 0 || stride % 4 != 0 || stride > 256 : stride != 2 && stride != 4)
    refuse(view.mode + of_stride);
  if (triangles && view.count % 3 != 0) refuse("triangles of " + std::to_string(view.count) + " indices");
  const bool octahedral = view.filter == "OCTAHEDRAL", quaternion = view.filter == "QUATERNION";
  if (view.filter == "COLOR") refuse("filter COLOR is not supported");
  if (!octahedral && !quaternion && view.filter != "NONE" && view.filter != "EXPONENTIAL")
    refuse("'" + view.filter + "' is not a filter");
  if (view.filter != "NONE" && !attributes) refuse(view.mode + " with filter " + view.filter);
  if ((octahedral && stride != 4 && stride != 8) || (quaternion && stride != 8))
    refuse(view.filter + of_stride);
  if (view.count > view_length || view.count * stride != view_length)
    refuse(std::to_string(view.count) + " elements of " + std::to_string(stride) + " bytes for a view of " +
           std::to_string(view_length));
  if (view_length > largest_ratio * packed_length)
    refuse(std::to_string(packed_length) + " bytes cannot hold " + std::to_string(view_length));
}

/// Returns whether the stream was sound.
bool decode(const PackedView& view, Bytes packed, std::vector<std::uint8_t>& out) {
  if (view.mode == "ATTRIBUTES")
    return meshopt_decodeVertexBuffer(out.data(), view.count, view.stride, packed.data(), packed.size()) == 0;
  if (view.mode == "TRIANGLES")
    return meshopt_decodeIndexBuffer(out.data(), view.count, view.stride, packed.data(), packed.size()) == 0;
  return meshopt_decodeIndexSequence(out.data(), view.count, view.stride, packed.data(), packed.size()) == 0;
}

/// Half a step of floats that are stored as whole numbers times powers of two: the coarsest of them.
double rounding_of(const PackedView& view, const std::vector<std::uint8_t>& elements) {
  if (view.filter != "EXPONENTIAL") return 0;
  int exponent = std::numeric_limits<std::int8_t>::min();
  for (std::size_t k = 3; k < elements.size(); k += 4)
    exponent = std::max<int>(exponent, static_cast<std::int8_t>(elements[k]));
  return std::ldexp(0.5, exponent);
}

void undo_filter(const PackedView& view, std::vector<std::uint8_t>& elements) {
  if (view.filter == "OCTAHEDRAL") meshopt_decodeFilterOct(elements.data(), view.count, view.stride);
  if (view.filter == "QUATERNION") undo_quaternion_filter(elements);
  if (view.filter == "EXPONENTIAL") meshopt_decodeFilterExp(elements.data(), view.count, view.stride);
}

void unpack_view(Unpacking& unpacking, std::size_t index, const char* extension) {
  Json& json = unpacking.plain.json["bufferViews"][index];
  const Json& packed_json = json["extensions"][extension];
  PackedView view{at("bufferViews", index) + ".extensions." + extension, string_of(packed_json, "mode"),
                  packed_json.value("filter", "NONE"), packed_json["count"], packed_json["byteStride"]};
  const Bytes packed = packed_bytes(unpacking, packed_json, view.place);
  check(unpacking, view, json["byteLength"], packed.size());
  if (view.mode == "ATTRIBUTES" && !packed.empty() && packed[0] == newer_vertex_stream)
    fail(unpacking.file, view.place, "a vertex stream of version 1 is not supported, only version 0");
  std::vector<std::uint8_t> elements = make_room(unpacking, view.count * view.stride, view.place);
  if (view.count > 0 && !decode(view, packed, elements))
    fail(unpacking.file, view.place, "its stream of " + std::to_string(packed.size()) + " bytes is broken");
  const double rounding = rounding_of(view, elements);
  undo_filter(view, elements);
  json.erase("extensions");
  json["byteOffset"] = 0;
  json["buffer"] = add_buffer(unpacking, std::move(elements), rounding);
}

}  // namespace

void unpack_meshopt(Unpacking& unpacking) {
  for (const int view : views_read(unpacking.plain.json)) {
    const Json& extensions = member(unpacking.plain.json["bufferViews"][view], "extensions");
    for (const char* extension : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
      if (!extensions.contains(extension)) continue;
      unpack_view(unpacking, view, extension);
      break;
    }
  }
}

}  // namespace pelt
