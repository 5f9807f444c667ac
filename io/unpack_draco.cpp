// KHR_draco_mesh_compression (Khronos glTF repository, ratified), on the Draco bit stream 2.2 that it is
// defined for. The order of vertices is that of the decoded points.
#include <draco/attributes/attribute_quantization_transform.h>
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "gltf_json.h"
#include "unpacking.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

constexpr const char* extension_name = "KHR_draco_mesh_compression";

/// What the JSON says of a stream, and the memory that decoding it may take.
struct Claim {
  std::uint64_t points = 0;
  std::optional<std::uint64_t> triangles;  ///< nothing where the JSON does not tell
  std::uint64_t work_bytes = 0;
};

/// The decoder trusts the counts in a stream: a few bytes can ask it for 2^32 points. So it may not have more
/// than so much for the length of a stream; real meshes need less than a quarter of it.
std::uint64_t work_bytes_for(std::size_t stream) {
  return std::max<std::uint64_t>(std::uint64_t{256} << 20, std::uint64_t{384} * stream);
}

/// Counts at the head of the connectivity of a stream. The decoder sizes its tables by them.
struct Head {
  std::uint32_t triangles = 0, vertices = 0, splits = 0;
  std::uint8_t attribute_tables = 0;
};

bool read_head(const draco::MeshSequentialDecoder&, draco::DecoderBuffer stream, Head& head) {
  return draco::DecodeVarint(&head.triangles, &stream);
}

bool read_head(const draco::MeshEdgebreakerDecoder&, draco::DecoderBuffer stream, Head& head) {
  std::uint32_t symbols = 0;
  return draco::DecodeVarint(&head.vertices, &stream) && draco::DecodeVarint(&head.triangles, &stream) &&
         stream.Decode(&head.attribute_tables) && draco::DecodeVarint(&symbols, &stream) &&
         draco::DecodeVarint(&head.splits, &stream);
}

/// Draco's decoder, stopped where a count is not the JSON's or asks for too much memory.
template <typename Decoder>
class Guarded final : public Decoder {
 public:
  explicit Guarded(const Claim& claim) : claim_(claim) {}
  const std::string& fault() const { return fault_; }

 protected:
  bool DecodeConnectivity() override {
    Head head;
    if (!read_head(*this, *this->buffer(), head)) return false;
    const std::uint64_t triangles = head.triangles;
    if (claim_.triangles && *claim_.triangles != triangles)
      fault_ = "the stream has " + std::to_string(triangles) + " triangles, the indices " +
               std::to_string(*claim_.triangles);
    else if (head.vertices > 3 * triangles || head.splits > triangles)
      fault_ = "more vertices than its triangles have";
    else
      take(triangles, 128 + 64 * std::uint64_t{head.attribute_tables});
    return fault_.empty() && Decoder::DecodeConnectivity();
  }

  bool DecodeAllAttributes() override {
    const draco::PointCloud& cloud = *this->point_cloud();
    std::uint64_t point_bytes = 64;
    for (std::int32_t a = 0; a < cloud.num_attributes(); ++a)
      point_bytes += 32 + 16 * std::uint64_t{cloud.attribute(a)->num_components()};
    if (cloud.num_points() != claim_.points)
      fault_ = "the stream has " + std::to_string(cloud.num_points()) + " points, the accessors " +
               std::to_string(claim_.points);
    else
      take(cloud.num_points(), point_bytes);
    return fault_.empty() && Decoder::DecodeAllAttributes();
  }

 private:
  void take(std::uint64_t count, std::uint64_t bytes_each) {
    if (count > claim_.work_bytes / bytes_each)
      fault_ = "its counts ask for more memory than a stream of its length may take";
    else
      claim_.work_bytes -= count * bytes_each;
  }

  Claim claim_;
  std::string fault_;
};

struct Decoded {
  draco::Mesh mesh;
  std::vector<double>
      roundings;  ///< half a quantisation step of each attribute, 0 where it is stored exactly
};

/// \param portable the attribute as it is stored, or nullptr
double rounding_of(const draco::PointAttribute* portable) {
  draco::AttributeQuantizationTransform quantization;
  if (!portable || !portable->GetAttributeTransformData() || !quantization.InitFromAttribute(*portable))
    return 0;
  return 0.5 * quantization.range() / (std::ldexp(1, quantization.quantization_bits()) - 1);
}

/// Decodes with one kind of decoder and returns what is wrong, or "".
template <typename Decoder>
std::string decode(const Claim& claim, draco::DecoderBuffer& stream, Decoded& decoded) {
  Guarded<Decoder> decoder(claim);
  const draco::DecoderOptions options;
  const draco::Status status = decoder.Decode(options, &stream, &decoded.mesh);
  if (!status.ok())
    return decoder.fault().empty() ? "its stream is broken: " + status.error_msg_string() : decoder.fault();
  for (std::int32_t a = 0; a < decoded.mesh.num_attributes(); ++a)
    decoded.roundings.push_back(rounding_of(decoder.GetPortableAttribute(a)));
  return "";
}

std::string decode(const Claim& claim, std::span<const std::uint8_t> packed, Decoded& decoded) {
  draco::DecoderBuffer stream;
  stream.Init(reinterpret_cast<const char*>(packed.data()), packed.size());
  draco::DecoderBuffer start = stream;
  draco::DracoHeader header;
  if (!draco::PointCloudDecoder::DecodeHeader(&start, &header).ok()) return "not a Draco stream";
  const std::string version =
      std::to_string(header.version_major) + "." + std::to_string(header.version_minor);
  if (version != "2.2") return "a Draco stream of version " + version + ", not 2.2";
  if (header.encoder_type != draco::TRIANGULAR_MESH) return "a Draco stream that is no mesh";
  if (header.encoder_method == draco::MESH_SEQUENTIAL_ENCODING)
    return decode<draco::MeshSequentialDecoder>(claim, stream, decoded);
  if (header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING)
    return decode<draco::MeshEdgebreakerDecoder>(claim, stream, decoded);
  return "a Draco stream of method " + std::to_string(header.encoder_method);
}

/// Values of all points as `T`, tightly packed; false where they do not fit.
template <typename T>
bool copy_values(const draco::PointAttribute& attribute, Bytes& out) {
  const std::size_t components = attribute.num_components();
  T value[4];
  for (std::size_t k = 0; k * components * sizeof(T) < out.size(); ++k) {
    const auto index = attribute.mapped_index(draco::PointIndex(static_cast<std::uint32_t>(k)));
    if (index.value() >= attribute.size() || !attribute.ConvertValue<T>(index, value)) return false;
    std::memcpy(out.data() + k * components * sizeof(T), value, components * sizeof(T));
  }
  return true;
}

bool copy_values(const draco::PointAttribute& attribute, int component_type, Bytes& out) {
  switch (component_type) {
    case 5120:
      return copy_values<std::int8_t>(attribute, out);
    case 5121:
      return copy_values<std::uint8_t>(attribute, out);
    case 5122:
      return copy_values<std::int16_t>(attribute, out);
    case 5123:
      return copy_values<std::uint16_t>(attribute, out);
    case 5125:
      return copy_values<std::uint32_t>(attribute, out);
    case 5126:
      return copy_values<float>(attribute, out);
    default:
      return false;
  }
}

std::size_t size_of(int component_type) { return component_type < 5122 ? 1 : component_type < 5124 ? 2 : 4; }

/// 0 for types that no vertex attribute has.
std::size_t components_of(const std::string& type) {
  if (type == "SCALAR") return 1;
  return type.size() == 4 && type.starts_with("VEC") ? static_cast<std::size_t>(type[3] - '0') : 0;
}

/// Adds an accessor over decoded bytes and returns its index.
std::size_t add_accessor(Unpacking& unpacking, Json accessor, Bytes bytes, double rounding = 0) {
  const std::size_t length = bytes.size();
  Json view = {{"buffer", add_buffer(unpacking, std::move(bytes), rounding)}, {"byteLength", length}};
  Json& views = unpacking.plain.json["bufferViews"];
  views.push_back(std::move(view));
  accessor["bufferView"] = views.size() - 1;
  unpacking.plain.json["accessors"].push_back(std::move(accessor));
  return unpacking.plain.json["accessors"].size() - 1;
}

std::size_t add_indices(Unpacking& unpacking, const draco::Mesh& mesh, const std::string& place) {
  Bytes bytes = make_room(unpacking, std::uint64_t{mesh.num_faces()} * 12, place);
  for (std::uint32_t f = 0; f < mesh.num_faces(); ++f)
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::uint32_t point = mesh.face(draco::FaceIndex(f))[corner].value();
      std::memcpy(bytes.data() + 12 * std::size_t{f} + 4 * corner, &point, 4);
    }
  const Json accessor = {{"componentType", 5125}, {"count", 3 * mesh.num_faces()}, {"type", "SCALAR"}};
  return add_accessor(unpacking, accessor, std::move(bytes));
}

/// The accessor as the JSON describes it, over the decoded values of an attribute; the one that stands there
/// may serve other primitives, too.
std::size_t add_attribute(Unpacking& unpacking, const Decoded& decoded, std::int32_t id,
                          const Json& described, const std::string& place) {
  const draco::PointAttribute& attribute = *decoded.mesh.attribute(id);
  const int component_type = integer_of(described, "componentType");
  const std::string type = string_of(described, "type");
  const std::size_t components = components_of(type);
  if (components != attribute.num_components())
    fail(unpacking.file, place,
         "its accessor is " + type + ", but the stream has " + std::to_string(attribute.num_components()) +
             " components");
  const std::uint64_t points = described["count"];
  Bytes bytes = make_room(unpacking, points * components * size_of(component_type), place);
  if (!copy_values(attribute, component_type, bytes))
    fail(unpacking.file, place,
         "values that do not fit its accessor's componentType " + std::to_string(component_type));
  Json accessor = described;
  for (const char* replaced : {"byteOffset", "sparse"}) accessor.erase(replaced);
  return add_accessor(unpacking, std::move(accessor), std::move(bytes), decoded.roundings[id]);
}

/// What the primitive's accessors say. The accessors of all attributes that are in the stream must agree.
Claim claim_of(const Unpacking& unpacking, const Json& primitive, const std::string& place) {
  const Json& accessors = unpacking.plain.json["accessors"];
  Claim claim;
  claim.points = accessors[integer_of(primitive["attributes"], "POSITION")]["count"];
  for (const auto& [name, id] : primitive["extensions"][extension_name]["attributes"].items()) {
    const int accessor = integer_of(primitive["attributes"], name.c_str());
    if (accessor < 0) fail(unpacking.file, place + ".attributes." + name, "the primitive has no " + name);
    const std::uint64_t count = accessors[accessor]["count"];
    if (count != claim.points)
      fail(unpacking.file, place + ".attributes." + name,
           std::to_string(count) + " elements for " + std::to_string(claim.points) + " vertices");
  }
  const int indices = integer_of(primitive, "indices"), mode = integer_of(primitive, "mode", 4);
  if (mode != 4 && mode != 5) fail(unpacking.file, place, "mode " + std::to_string(mode) + ", not 4 or 5");
  if (indices < 0 || mode != 4) return claim;  // a strip's indices do not tell the number of triangles
  const std::uint64_t corners = accessors[indices]["count"];
  if (corners % 3 != 0)
    fail(unpacking.file, at("accessors", indices), std::to_string(corners) + " indices of triangles");
  claim.triangles = corners / 3;
  return claim;
}

void unpack_primitive(Unpacking& unpacking, Json& primitive, const std::string& place) {
  Claim claim = claim_of(unpacking, primitive, place);
  const Json packed_json = primitive["extensions"][extension_name];
  const auto view = packed_json["bufferView"].get<std::size_t>();
  const auto packed =
      packed_bytes(unpacking, unpacking.original.json["bufferViews"][view], at("bufferViews", view));
  claim.work_bytes = work_bytes_for(packed.size());
  Decoded decoded;
  const std::string fault = decode(claim, packed, decoded);
  if (!fault.empty()) fail(unpacking.file, place, fault);

  primitive["indices"] = add_indices(unpacking, decoded.mesh, place);
  primitive["mode"] = 4;  // a stream has triangles, also where the JSON says that they make a strip
  for (const auto& [name, id] : packed_json["attributes"].items()) {
    if (!is_read(name)) continue;
    const std::string attribute_place = place + ".attributes." + name;
    const std::int32_t attribute = decoded.mesh.GetAttributeIdByUniqueId(id.get<std::uint32_t>());
    if (attribute < 0) fail(unpacking.file, attribute_place, "the stream has no attribute " + id.dump());
    const Json described =
        unpacking.plain.json["accessors"][integer_of(primitive["attributes"], name.c_str())];
    primitive["attributes"][name] = add_attribute(unpacking, decoded, attribute, described, attribute_place);
  }
  primitive["extensions"].erase(extension_name);
}

}  // namespace

void unpack_draco(Unpacking& unpacking) {
  if (!unpacking.plain.json.contains("meshes")) return;
  Json& meshes = unpacking.plain.json["meshes"];
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    Json& primitives = meshes[m]["primitives"];
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      if (!member(primitives[p], "extensions").contains(extension_name)) continue;
      const std::string place = at(at("meshes", m) + ".primitives", p) + ".extensions." + extension_name;
      if (integer_of(primitives[p]["attributes"], "POSITION") < 0) continue;
      try {
        unpack_primitive(unpacking, primitives[p], place);
      } catch (const std::bad_alloc&) {
        fail(unpacking.file, place, "its stream asks for more memory than there is");
      } catch (const std::length_error&) {
        fail(unpacking.file, place, "its stream is broken");
      }
    }
  }
}

}  // namespace pelt
