#include "packing.h"

#include <draco/compression/expert_encode.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

#include "io/accessor.h"

namespace pelt::test {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

Bytes encoded(const Bytes& raw, const ViewPacking& packing) {
  const std::size_t count = raw.size() / packing.stride;
  if (packing.mode == "ATTRIBUTES") {
    Bytes out(meshopt_encodeVertexBufferBound(count, packing.stride));
    out.resize(meshopt_encodeVertexBuffer(out.data(), out.size(), raw.data(), count, packing.stride));
    return out;
  }
  std::vector<unsigned> indices(count, 0);
  for (std::size_t k = 0; k < count; ++k) std::memcpy(&indices[k], &raw[k * packing.stride], packing.stride);
  Bytes out(64 + 16 * count);
  std::size_t (*encode)(unsigned char*, std::size_t, const unsigned*, std::size_t) =
      meshopt_encodeIndexBuffer;
  if (packing.mode == "INDICES") encode = meshopt_encodeIndexSequence;
  out.resize(encode(out.data(), out.size(), indices.data(), count));
  return out;
}

/// Bytes of an element of the accessor.
int element_size(const Json& accessor) {
  const std::map<std::string, int> components = {{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  const int type = accessor["componentType"];
  return components.at(accessor["type"]) * (type < 5122 ? 1 : type < 5124 ? 2 : 4);
}

draco::GeometryAttribute::Type draco_type(const std::string& name) {
  if (name == "POSITION") return draco::GeometryAttribute::POSITION;
  return draco::GeometryAttribute::GENERIC;
}

draco::DataType draco_data_type(int component_type) {
  switch (component_type) {
    case 5121:
      return draco::DT_UINT8;
    case 5123:
      return draco::DT_UINT16;
    case 5126:
      return draco::DT_FLOAT32;
    default:
      throw std::logic_error("attributes are packed as bytes, shorts or floats");
  }
}

/// Adds an attribute with the accessor's stored values and returns its id.
int add_attribute(draco::Mesh& mesh, const GltfBuilder& b, const std::string& name, const Json& accessor) {
  const draco::DataType type = draco_data_type(accessor["componentType"]);
  const int size = element_size(accessor);
  draco::GeometryAttribute description;
  description.Init(draco_type(name), nullptr, static_cast<std::uint8_t>(size / draco::DataTypeLength(type)),
                   type, accessor.value("normalized", false), size, 0);
  const int id = mesh.AddAttribute(description, true, mesh.num_points());
  const Json& view = b.json["bufferViews"][accessor["bufferView"].get<int>()];
  for (unsigned k = 0; k < mesh.num_points(); ++k)
    mesh.attribute(id)->SetAttributeValue(
        draco::AttributeValueIndex(k),
        &b.bin[view["byteOffset"].get<std::size_t>() + k * view.value("byteStride", size)]);
  return id;
}

void add_triangles(draco::Mesh& mesh, const Eigen::MatrixXd& corners) {
  for (Eigen::Index k = 0; k + 2 < corners.size(); k += 3) {
    draco::Mesh::Face face;
    for (int c = 0; c < 3; ++c) face[c] = static_cast<unsigned>(corners(k + c));
    mesh.AddFace(face);
  }
}

/// \param names of the attributes, by id
Bytes stream_of(const draco::Mesh& mesh, const std::vector<std::string>& names, const DracoPacking& packing) {
  draco::ExpertEncoder encoder(mesh);
  encoder.SetEncodingMethod(packing.edgebreaker ? draco::MESH_EDGEBREAKER_ENCODING
                                                : draco::MESH_SEQUENTIAL_ENCODING);
  for (std::size_t id = 0; id < names.size(); ++id) {
    const int bits = names[id] == "POSITION"    ? packing.position_bits
                     : names[id] == "WEIGHTS_0" ? packing.weight_bits
                                                : 0;
    if (bits > 0) encoder.SetAttributeQuantization(static_cast<int>(id), bits);
  }
  draco::EncoderBuffer buffer;
  if (!encoder.EncodeToBuffer(&buffer).ok()) throw std::logic_error("Draco cannot encode the mesh");
  return {buffer.data(), buffer.data() + buffer.size()};
}

}  // namespace

GltfBuilder skinned_sheet() {
  GltfBuilder b = two_joint_strip();
  Eigen::Matrix3Xd positions(3, 30);
  Eigen::MatrixXd joints = Eigen::MatrixXd::Zero(4, 30), weights = Eigen::MatrixXd::Zero(4, 30);
  std::vector<int> corners;
  for (int v = 0; v < 30; ++v) {
    const int x = v % 6, y = v / 6;
    positions.col(v) << 0.3 * x, 0.4 * y, 0.01 * x * y;
    joints(1, v) = 1;
    weights(1, v) = 0.25 * y;
    weights(0, v) = 1 - weights(1, v);
    if (x < 5 && y < 4) corners.insert(corners.end(), {v, v + 1, v + 7, v, v + 7, v + 6});
  }
  b.json["meshes"].clear();
  b.add_mesh(skinned_attributes(b, positions, joints, weights), corners);
  b.add_channel(0, 0, "translation", {0, 0.5, 1}, Eigen::Matrix3d(Eigen::Matrix3d::Identity()));
  return b;
}

void pack_view(GltfBuilder& b, int view, const ViewPacking& packing) {
  Json& json = b.json["bufferViews"][view];
  const auto begin = b.bin.begin() + json["byteOffset"].get<std::ptrdiff_t>();
  const Bytes raw(begin, begin + json["byteLength"].get<std::ptrdiff_t>());
  std::fill(begin, begin + static_cast<std::ptrdiff_t>(raw.size()), 0xEE);
  const Bytes packed = encoded(raw, packing);
  Json own = {{"buffer", 0},
              {"byteOffset", b.bin.size()},
              {"byteLength", packed.size()},
              {"byteStride", packing.stride},
              {"count", raw.size() / packing.stride},
              {"mode", packing.mode}};
  if (packing.filter != "NONE") own["filter"] = packing.filter;
  json["extensions"][packing.extension] = std::move(own);
  b.bin.insert(b.bin.end(), packed.begin(), packed.end());
  b.json["buffers"][0]["byteLength"] = b.bin.size();
}

int add_filtered(GltfBuilder& b, const Bytes& elements, const ViewPacking& packing, const Json& accessor) {
  const int view = b.add_view(elements, packing.stride);
  pack_view(b, view, packing);
  Json own = accessor;
  own["bufferView"] = view;
  own["count"] = elements.size() / packing.stride;
  b.json["accessors"].push_back(own);
  return static_cast<int>(b.json["accessors"].size()) - 1;
}

void pack_all_views(GltfBuilder& b, const std::string& index_mode, const std::string& extension) {
  std::map<int, ViewPacking> packings;
  for (const Json& accessor : b.json["accessors"]) {
    ViewPacking packing{"ATTRIBUTES", element_size(accessor), "NONE", extension};
    if (packing.stride == 2) packing.mode = index_mode;
    packings.emplace(accessor["bufferView"].get<int>(), packing);
  }
  for (const auto& [view, packing] : packings) pack_view(b, view, packing);
}

void add_placeholder(GltfBuilder& b) {
  std::size_t length = 0;
  for (Json& view : b.json["bufferViews"]) {
    if (!view.contains("extensions")) continue;
    const std::string extension = view["extensions"].begin().key();
    view["buffer"] = 1;
    length = std::max(length, view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>());
    b.json["extensionsUsed"] = b.json["extensionsRequired"] = {extension};
    b.json["buffers"][1] = {{"byteLength", length}, {"extensions", {{extension, {{"fallback", true}}}}}};
  }
}

void pack_primitive(GltfBuilder& b, int mesh_index, const DracoPacking& packing) {
  const Document document = b.document();
  const Accessors accessors(document);
  Json primitive = b.primitive(mesh_index);
  Json& described = b.json["accessors"];
  draco::Mesh mesh;
  mesh.set_num_points(described[primitive["attributes"]["POSITION"].get<int>()]["count"]);
  Json ids;
  std::vector<std::string> names;
  for (const auto& [name, accessor] : primitive["attributes"].items()) {
    const int id = add_attribute(mesh, b, name, described[accessor.get<int>()]);
    mesh.attribute(id)->set_unique_id(packing.first_unique_id + id);
    ids[name] = packing.first_unique_id + id;
    names.push_back(name);
    if (!packing.with_fallback) described[accessor.get<int>()].erase("bufferView");
  }
  const int indices = primitive["indices"];
  add_triangles(mesh, accessors.read(indices, {"indices", "SCALAR"}));
  if (!packing.with_fallback) described[indices].erase("bufferView");
  const Bytes stream = stream_of(mesh, names, packing);
  Json extension = {{"bufferView", b.add_view(stream)}, {"attributes", ids}};
  b.primitive(mesh_index)["extensions"]["KHR_draco_mesh_compression"] = std::move(extension);
  b.json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
  if (!packing.with_fallback) b.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
}

}  // namespace pelt::test
