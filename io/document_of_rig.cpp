#include "document_of_rig.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "gltf_nodes.h"
#include "io_error.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kUnsignedByte = 5121, kUnsignedShort = 5123, kUnsignedInt = 5125, kFloat = 5126;
constexpr int kVertexTarget = 34962, kIndexTarget = 34963;
constexpr int kMeshNode = 0, kFirstJointNode = 1;
// Weights in the text have six digits at best, and their rounding adds up.
constexpr double kRounding = 1e-4;

struct Kind {
  const char* type;
  int component = kFloat;
  int target = 0;       ///< of the bufferView; 0 for none
  bool bounds = false;  ///< with min and max
};

template <class T>
void append(std::vector<std::uint8_t>& bytes, double value) {
  const T component = static_cast<T>(value);
  std::uint8_t raw[sizeof(T)];  // little-endian, as are the machines that pelt is built for
  std::memcpy(raw, &component, sizeof(T));
  bytes.insert(bytes.end(), raw, raw + sizeof(T));
}

void append(std::vector<std::uint8_t>& bytes, double value, int component) {
  if (component == kUnsignedByte) append<std::uint8_t>(bytes, value);
  if (component == kUnsignedShort) append<std::uint16_t>(bytes, value);
  if (component == kUnsignedInt) append<std::uint32_t>(bytes, value);
  if (component == kFloat) append<float>(bytes, value);
}

Json numbers(const Eigen::VectorXf& values) { return std::vector<float>(values.begin(), values.end()); }

/// Appends a column an element, in a bufferView of its own.
std::size_t add_accessor(Document& document, const Eigen::MatrixXd& values, const Kind& kind) {
  document.bin.resize((document.bin.size() + 3) / 4 * 4, 0);
  const std::size_t first = document.bin.size();
  for (Eigen::Index n = 0; n < values.size(); ++n) append(document.bin, values.data()[n], kind.component);
  Json& views = document.json["bufferViews"];
  views.push_back({{"buffer", 0}, {"byteOffset", first}, {"byteLength", document.bin.size() - first}});
  if (kind.target != 0) views.back()["target"] = kind.target;
  Json accessor = {{"bufferView", views.size() - 1},
                   {"componentType", kind.component},
                   {"count", values.cols()},
                   {"type", kind.type}};
  if (kind.bounds) {
    const Eigen::MatrixXf stored = values.cast<float>();
    accessor["min"] = numbers(stored.rowwise().minCoeff());
    accessor["max"] = numbers(stored.rowwise().maxCoeff());
  }
  document.json["accessors"].push_back(accessor);
  return document.json["accessors"].size() - 1;
}

/// A corner of a triangle: indices of position, uv and normal.
using Corner = std::array<int, 3>;

/// The different corners become the vertices, in the order of their positions.
struct Corners {
  std::vector<Corner> vertices;
  Eigen::MatrixXd indices;  ///< 1 x 3T
};

Corners corners_of(const ObjMesh& mesh) {
  std::vector<Corner> all;
  for (Eigen::Index n = 0; n < mesh.triangles.size(); ++n)
    all.push_back({mesh.triangles.data()[n], mesh.triangle_uvs.data()[n], mesh.triangle_normals.data()[n]});
  Corners corners{all, Eigen::MatrixXd(1, mesh.triangles.size())};
  std::sort(corners.vertices.begin(), corners.vertices.end());
  corners.vertices.erase(std::unique(corners.vertices.begin(), corners.vertices.end()),
                         corners.vertices.end());
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto found = std::lower_bound(corners.vertices.begin(), corners.vertices.end(), all[n]);
    corners.indices(0, n) = static_cast<double>(found - corners.vertices.begin());
  }
  return corners;
}

/// A column a vertex of what its corner names in one of the mesh's lists; none where a corner names nothing.
Eigen::MatrixXd gather(const Eigen::MatrixXd& list, const std::vector<Corner>& vertices, int which) {
  Eigen::MatrixXd values(list.rows(), vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (vertices[v][which] < 0) return {};
    values.col(v) = list.col(vertices[v][which]);
  }
  return values;
}

/// The mesh's surface; normals and uvs only where every corner has them.
Json surface_attributes(Document& document, const ObjMesh& mesh, const Corners& corners,
                        const RigPaths& paths) {
  Json attributes;
  const Eigen::MatrixXd positions = gather(mesh.positions, corners.vertices, 0);
  if (!positions.cast<float>().allFinite())
    throw ReadError(paths.mesh.string() + ": a coordinate beyond the range of floats");
  attributes["POSITION"] = add_accessor(document, positions, {"VEC3", kFloat, kVertexTarget, true});
  Eigen::MatrixXd normals = gather(mesh.normals, corners.vertices, 2);
  if (normals.cols() > 0 && normals.colwise().stableNorm().minCoeff() > 0) {
    for (auto normal : normals.colwise()) normal.stableNormalize();
    attributes["NORMAL"] = add_accessor(document, normals, {"VEC3", kFloat, kVertexTarget});
  }
  Eigen::MatrixXd uvs = gather(mesh.uvs, corners.vertices, 1);
  if (uvs.cols() > 0 && uvs.cast<float>().allFinite()) {
    uvs.row(1) = 1 - uvs.row(1).array();  // OBJ counts from the image's lower edge, glTF from the upper
    attributes["TEXCOORD_0"] = add_accessor(document, uvs, {"VEC2", kFloat, kVertexTarget});
  }
  return attributes;
}

/// The skin of every vertex of the mesh, or nullptr. \throw ReadError
std::vector<const TextRig::Skin*> skin_by_vertex(const TextRig& rig, const ObjMesh& mesh,
                                                 const RigPaths& paths) {
  std::vector<const TextRig::Skin*> by_vertex(mesh.positions.cols(), nullptr);
  for (const TextRig::Skin& skin : rig.skin) {
    if (skin.vertex >= mesh.positions.cols())
      throw ReadError(paths.rig.string() + ": line " + std::to_string(skin.line) + ": vertex " +
                      std::to_string(skin.vertex) + ", but " + paths.mesh.string() + " has " +
                      std::to_string(mesh.positions.cols()));
    if (!skin.influences.empty()) by_vertex[skin.vertex] = &skin;
  }
  for (Eigen::Index n = 0; n < mesh.triangles.size(); ++n)
    if (const int v = mesh.triangles.data()[n]; !by_vertex[v])
      throw ReadError(paths.rig.string() + ": no weights for vertex " + std::to_string(v) +
                      ", which a face of " + paths.mesh.string() + " uses");
  return by_vertex;
}

double sum_of(const TextRig::Skin& skin) {
  double sum = 0;
  for (const auto& [joint, weight] : skin.influences) sum += weight;
  return sum;
}

void tell_odd_sums(const std::vector<const TextRig::Skin*>& by_vertex, Document& document) {
  std::size_t odd = 0, bound = 0;
  double worst = 1;
  for (const TextRig::Skin* skin : by_vertex) {
    if (!skin) continue;
    ++bound;
    const double sum = sum_of(*skin);
    if (std::abs(sum - 1) <= kRounding) continue;
    ++odd;
    if (std::abs(sum - 1) > std::abs(worst - 1)) worst = sum;
  }
  if (odd > 0)
    document.warnings.push_back("the weights of " + std::to_string(odd) + " of " + std::to_string(bound) +
                                " vertices do not sum to 1 (worst sum " + number(worst) + "), normalised");
}

/// JOINTS_n and WEIGHTS_n, a set at a time.
void add_influences(Document& document, const TextRig& rig, const std::vector<const TextRig::Skin*>& skins,
                    Json& attributes) {
  const int component = rig.names.size() <= 256 ? kUnsignedByte : kUnsignedShort;
  std::size_t most = 0;
  for (const TextRig::Skin* skin : skins) most = std::max(most, skin->influences.size());
  for (std::size_t set = 0; 4 * set < most; ++set) {
    Eigen::MatrixXd joints = Eigen::MatrixXd::Zero(4, skins.size()), weights = joints;
    for (std::size_t v = 0; v < skins.size(); ++v) {
      const auto& influences = skins[v]->influences;
      for (std::size_t k = 4 * set; k < std::min(4 * set + 4, influences.size()); ++k) {
        joints(k % 4, v) = influences[k].first;
        weights(k % 4, v) = influences[k].second / sum_of(*skins[v]);
      }
    }
    const std::string n = std::to_string(set);
    attributes["JOINTS_" + n] = add_accessor(document, joints, {"VEC4", component, kVertexTarget});
    attributes["WEIGHTS_" + n] = add_accessor(document, weights, {"VEC4", kFloat, kVertexTarget});
  }
}

void add_mesh(Document& document, const TextRig& rig, const ObjMesh& mesh, const RigPaths& paths) {
  const std::vector<const TextRig::Skin*> by_vertex = skin_by_vertex(rig, mesh, paths);
  tell_odd_sums(by_vertex, document);
  const Corners corners = corners_of(mesh);
  std::vector<const TextRig::Skin*> skins;
  for (const Corner& corner : corners.vertices) skins.push_back(by_vertex[corner[0]]);
  Json attributes = surface_attributes(document, mesh, corners, paths);
  add_influences(document, rig, skins, attributes);
  const std::size_t indices = add_accessor(document, corners.indices, {"SCALAR", kUnsignedInt, kIndexTarget});
  Json& meshes = document.json["meshes"];
  meshes.push_back({{"primitives", Json::array()}});
  meshes[0]["primitives"].push_back({{"attributes", attributes}, {"indices", indices}});
}

/// Joint nodes below the root. Translations are taken from where the parent is *as written*, and the inverse
/// bind matrices from there too, so that rest and bind pose are one.
void add_joints(Document& document, const TextRig& rig) {
  const std::size_t count = rig.names.size();
  std::vector<std::vector<int>> children(count);
  int root = 0;
  for (std::size_t j = 0; j < count; ++j)
    if (rig.parent[j] < 0)
      root = static_cast<int>(j);
    else
      children[rig.parent[j]].push_back(static_cast<int>(j));
  Eigen::Matrix3Xd written = Eigen::Matrix3Xd::Zero(3, count);
  Json& nodes = document.json["nodes"];
  for (std::size_t j = 0; j < count; ++j) nodes.push_back({{"name", rig.names[j]}});
  std::vector<int> open{root};
  while (!open.empty()) {
    const int j = open.back();
    open.pop_back();
    const Eigen::Vector3d above =
        rig.parent[j] < 0 ? Eigen::Vector3d::Zero() : written.col(rig.parent[j]).eval();
    const Eigen::Vector3f local = (rig.positions.col(j) - above).cast<float>();
    written.col(j) = above + local.cast<double>();
    nodes[kFirstJointNode + j]["translation"] = numbers(local);
    for (const int child : children[j])
      nodes[kFirstJointNode + j]["children"].push_back(kFirstJointNode + child);
    open.insert(open.end(), children[j].begin(), children[j].end());
  }
  Eigen::MatrixXd joint_from_bind = Eigen::Matrix4d::Identity().reshaped().replicate(1, count);
  joint_from_bind.middleRows(12, 3) = -written;
  Json& skins = document.json["skins"];
  skins.push_back({{"inverseBindMatrices", add_accessor(document, joint_from_bind, {"MAT4"})}});
  for (std::size_t j = 0; j < count; ++j) skins[0]["joints"].push_back(kFirstJointNode + j);
  document.json["scenes"].push_back({{"nodes", {kMeshNode, kFirstJointNode + root}}});
}

}  // namespace

Document document_of_rig(const TextRig& rig, const ObjMesh& mesh, const RigPaths& paths) {
  if (mesh.triangles.cols() == 0) throw ReadError(paths.mesh.string() + ": no face in it");
  if (rig.names.size() > std::numeric_limits<std::uint16_t>::max())
    throw ReadError(paths.rig.string() + ": " + std::to_string(rig.names.size()) +
                    " joints are more than a glTF skin can number");
  Document document;
  document.path = paths.rig;
  document.binary_container = document.has_bin = true;
  document.json["asset"] = {{"version", "2.0"}, {"generator", "pelt"}};
  document.json["scene"] = 0;
  document.json["nodes"].push_back({{"name", "mesh"}, {"mesh", 0}, {"skin", 0}});
  add_mesh(document, rig, mesh, paths);
  add_joints(document, rig);
  document.json["buffers"].push_back({{"byteLength", document.bin.size()}});
  document.json = Json::parse(document.json.dump());  // indices are unsigned then, as those of a file
  return document;
}

}  // namespace pelt
