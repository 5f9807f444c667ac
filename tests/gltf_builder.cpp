#include "gltf_builder.h"

#include <cmath>
#include <cstring>

namespace pelt::test {
namespace {

using Json = nlohmann::ordered_json;

int size_of(Component component) {
  switch (component) {
    case Component::i8:
    case Component::u8:
      return 1;
    case Component::i16:
    case Component::u16:
      return 2;
    default:
      return 4;
  }
}

double largest_of(Component component) {
  switch (component) {
    case Component::i8:
      return 127;
    case Component::u8:
      return 255;
    case Component::i16:
      return 32767;
    default:
      return 65535;
  }
}

template <typename T>
void append(std::vector<std::uint8_t>& bytes, T value) {
  const auto* raw = reinterpret_cast<const std::uint8_t*>(&value);
  bytes.insert(bytes.end(), raw, raw + sizeof(T));
}

void append(std::vector<std::uint8_t>& bytes, double value, const Storage& storage) {
  if (storage.component == Component::f32) return append(bytes, static_cast<float>(value));
  const double stored = std::round(storage.normalized ? value * largest_of(storage.component) : value);
  const auto bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(stored));
  for (int byte = 0; byte < size_of(storage.component); ++byte)
    append(bytes, static_cast<std::uint8_t>(bits >> (8 * byte)));
}

std::vector<std::uint8_t> packed(const Eigen::MatrixXd& values, const Storage& storage) {
  std::vector<std::uint8_t> bytes;
  for (Eigen::Index k = 0; k < values.cols(); ++k) {
    const std::size_t start = bytes.size();
    for (Eigen::Index c = 0; c < values.rows(); ++c) append(bytes, values(c, k), storage);
    if (storage.stride > 0 && k + 1 < values.cols()) bytes.resize(start + storage.stride, 0xEE);
  }
  return bytes;
}

const char* type_name(Eigen::Index rows) {
  static const char* vectors[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
  return rows <= 4 ? vectors[rows - 1] : "MAT4";
}

int push(Json& parent, const char* key, Json item) {
  Json& list = parent[key];
  list.push_back(std::move(item));
  return static_cast<int>(list.size()) - 1;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < bytes.size() ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

void append_chunk(std::vector<std::uint8_t>& file, std::uint32_t type, std::vector<std::uint8_t> data,
                  std::uint8_t pad) {
  while (data.size() % 4 != 0) data.push_back(pad);
  append(file, static_cast<std::uint32_t>(data.size()));
  append(file, type);
  file.insert(file.end(), data.begin(), data.end());
}

/// Columns that are not all zero, as the sparse part of an accessor.
Json sparse_columns(GltfBuilder& builder, const Eigen::MatrixXd& values, const Storage& storage) {
  std::vector<std::uint8_t> columns;
  Eigen::MatrixXd kept(values.rows(), 0);
  for (Eigen::Index k = 0; k < values.cols(); ++k) {
    if (values.col(k).isZero(0)) continue;
    append(columns, static_cast<std::uint16_t>(k));
    kept.conservativeResize(Eigen::NoChange, kept.cols() + 1);
    kept.rightCols(1) = values.col(k);
  }
  Json sparse = {{"count", kept.cols()}};
  sparse["indices"] = {{"bufferView", builder.add_view(columns)}, {"componentType", 5123}};
  sparse["values"] = {{"bufferView", builder.add_view(packed(kept, storage))}};
  return sparse;
}

}  // namespace

GltfBuilder::GltfBuilder() {
  json["asset"] = {{"version", "2.0"}};
  json["scene"] = 0;
  json["scenes"] = Json::array({{{"nodes", Json::array()}}});
}

int GltfBuilder::add_view(const std::vector<std::uint8_t>& bytes, int stride) {
  while (bin.size() % 4 != 0) bin.push_back(0);
  Json view = {{"buffer", 0}, {"byteOffset", bin.size()}, {"byteLength", bytes.size()}};
  if (stride > 0) view["byteStride"] = stride;
  bin.insert(bin.end(), bytes.begin(), bytes.end());
  json["buffers"] = Json::array({{{"byteLength", bin.size()}}});
  return push(json, "bufferViews", std::move(view));
}

int GltfBuilder::add_accessor(const Eigen::MatrixXd& values, const Storage& storage) {
  Json accessor;
  if (storage.sparse_without_view)
    accessor["sparse"] = sparse_columns(*this, values, storage);
  else
    accessor["bufferView"] = add_view(packed(values, storage), storage.stride);
  accessor["componentType"] = static_cast<int>(storage.component);
  if (storage.normalized) accessor["normalized"] = true;
  accessor["count"] = values.cols();
  accessor["type"] = type_name(values.rows());
  return push(json, "accessors", std::move(accessor));
}

int GltfBuilder::add_node(const std::string& name, int parent, const Json& properties) {
  Json node = {{"name", name}};
  if (properties.is_object()) node.update(properties);
  const int index = push(json, "nodes", std::move(node));
  if (parent < 0)
    json["scenes"][0]["nodes"].push_back(index);
  else
    json["nodes"][parent]["children"].push_back(index);
  return index;
}

int GltfBuilder::add_mesh(const Json& attributes, const std::vector<int>& indices) {
  Json triangles = {{"attributes", attributes}};
  if (!indices.empty()) {
    Eigen::RowVectorXd row(indices.size());
    for (std::size_t k = 0; k < indices.size(); ++k) row(k) = indices[k];
    triangles["indices"] = add_accessor(row, {.component = Component::u16});
  }
  return push(json, "meshes", {{"primitives", Json::array({triangles})}});
}

int GltfBuilder::add_skin(const std::vector<int>& joints,
                          const std::vector<Eigen::Matrix4d>& joint_from_bind) {
  Json skin = {{"joints", joints}};
  if (!joint_from_bind.empty()) {
    Eigen::MatrixXd columns(16, joint_from_bind.size());
    for (std::size_t j = 0; j < joint_from_bind.size(); ++j) columns.col(j) = joint_from_bind[j].reshaped();
    skin["inverseBindMatrices"] = add_accessor(columns);
  }
  return push(json, "skins", std::move(skin));
}

int GltfBuilder::add_animation(const std::string& name) {
  return push(json, "animations", {{"name", name}, {"channels", Json::array()}, {"samplers", Json::array()}});
}

int GltfBuilder::add_channel(int animation, int node, const std::string& path,
                             const std::vector<double>& times, const Eigen::MatrixXd& values,
                             const std::string& interpolation) {
  const int input = add_accessor(Eigen::Map<const Eigen::RowVectorXd>(times.data(), times.size()));
  const bool scalars = path == "weights";
  const Eigen::MatrixXd row = values.reshaped().transpose();
  const int output = add_accessor(scalars ? row : values);
  Json& clip = json["animations"][animation];
  const int sampler =
      push(clip, "samplers", {{"input", input}, {"output", output}, {"interpolation", interpolation}});
  return push(clip, "channels", {{"sampler", sampler}, {"target", {{"node", node}, {"path", path}}}});
}

std::vector<std::uint8_t> GltfBuilder::glb() const {
  const std::string text = json.dump();
  std::vector<std::uint8_t> chunks;
  append_chunk(chunks, 0x4E4F534A, {text.begin(), text.end()}, ' ');
  if (!bin.empty()) append_chunk(chunks, 0x004E4942, bin, 0);
  std::vector<std::uint8_t> file = {'g', 'l', 'T', 'F'};
  append(file, std::uint32_t{2});
  append(file, static_cast<std::uint32_t>(12 + chunks.size()));
  file.insert(file.end(), chunks.begin(), chunks.end());
  return file;
}

std::string GltfBuilder::gltf() const {
  Json embedded = json;
  if (!bin.empty()) embedded["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(bin);
  return embedded.dump();
}

Document GltfBuilder::document(const std::filesystem::path& path) const {
  return parse_document(glb(), path);
}

Json skinned_attributes(GltfBuilder& builder, const Eigen::Matrix3Xd& positions,
                        const Eigen::MatrixXd& joints, const Eigen::MatrixXd& weights) {
  Json attributes;
  attributes["POSITION"] = builder.add_accessor(positions);
  attributes["JOINTS_0"] = builder.add_accessor(joints, {.component = Component::u8});
  attributes["WEIGHTS_0"] = builder.add_accessor(weights);
  return attributes;
}

GltfBuilder two_joint_strip() {
  GltfBuilder b;
  const int root = b.add_node("root");
  const int tip = b.add_node("tip", root, {{"translation", {0, 1, 0}}});
  Eigen::Matrix4d tip_from_bind = Eigen::Matrix4d::Identity();
  tip_from_bind(1, 3) = -1;
  const int skin = b.add_skin({root, tip}, {Eigen::Matrix4d::Identity(), tip_from_bind});

  Eigen::Matrix3Xd positions(3, 4);
  positions << 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0;
  Eigen::MatrixXd joints = Eigen::MatrixXd::Zero(4, 4), weights = Eigen::MatrixXd::Zero(4, 4);
  joints.row(0) << 0, 0, 1, 1;
  weights.row(0).setOnes();
  const int mesh = b.add_mesh(skinned_attributes(b, positions, joints, weights), {0, 1, 2, 0, 2, 3});
  b.add_node("strip", -1, {{"mesh", mesh}, {"skin", skin}});

  Eigen::MatrixXd turn(4, 2);
  turn << 0, 0, 0, 0, 0, std::sqrt(0.5), 1, std::sqrt(0.5);
  b.add_channel(b.add_animation("Bend"), tip, "rotation", {0, 1}, turn);
  return b;
}

GltfBuilder raised_strip(double height) {
  GltfBuilder b = two_joint_strip();
  b.json.erase("animations");
  Eigen::MatrixXd positions(3, 4);
  positions << 0, 1, 1, 0, 0, 0, 1, 1, height, height, height, height;
  b.primitive(0)["attributes"]["POSITION"] = b.add_accessor(positions);
  return b;
}

}  // namespace pelt::test
