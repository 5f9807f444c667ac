#include "glb_contents.h"

#include <Eigen/Geometry>
#include <cstring>

namespace {

using Matrices = std::vector<Eigen::Matrix4d>;

template <class Stored>
double component(const std::uint8_t* at) {
  Stored value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

Eigen::Matrix4d local_of(const nlohmann::json& node) {
  const auto t = node.value("translation", std::vector<double>{0, 0, 0});
  const auto r = node.value("rotation", std::vector<double>{0, 0, 0, 1});
  const auto s = node.value("scale", std::vector<double>{1, 1, 1});
  Eigen::Affine3d local = Eigen::Translation3d(t[0], t[1], t[2]) *
                          Eigen::Quaterniond(r[3], r[0], r[1], r[2]) * Eigen::Scaling(s[0], s[1], s[2]);
  return local.matrix();
}

/// From locals to model space, by walking down from the scene's roots.
void walk_down(const nlohmann::json& nodes, int node, const Eigen::Matrix4d& above,
               Matrices& model_from_node) {
  model_from_node[node] = above * local_of(nodes[node]);
  for (const int child : nodes[node].value("children", std::vector<int>{}))
    walk_down(nodes, child, model_from_node[node], model_from_node);
}

Eigen::MatrixXd skinned(const GlbContents& glb, const nlohmann::json& nodes) {
  Matrices model_from_node(nodes.size(), Eigen::Matrix4d::Identity());
  for (const int root : glb.json["scenes"][0]["nodes"])
    walk_down(nodes, root, Eigen::Matrix4d::Identity(), model_from_node);
  Eigen::MatrixXd surface = Eigen::MatrixXd::Zero(3, glb.positions.cols());
  for (int v = 0; v < surface.cols(); ++v)
    for (int k = 0; k < 4; ++k) {
      const int slot = glb.slots(k, v);
      const Eigen::Matrix4d skin_matrix = model_from_node[glb.joint_nodes[slot]] * glb.joint_from_bind[slot];
      const Eigen::Vector3d place = glb.positions.col(v);
      surface.col(v) += glb.weights(k, v) * (skin_matrix * place.homogeneous()).head<3>();
    }
  return surface;
}

}  // namespace

Eigen::MatrixXd numbers(const GlbContents& glb, int accessor) {
  const auto& entry = glb.json["accessors"][accessor];
  const auto& view = glb.json["bufferViews"][entry["bufferView"].get<int>()];
  const int type = entry["componentType"], size = type == 5126 ? 4 : type == 5123 ? 2 : 1;
  const std::string shape = entry["type"];
  const int rows = shape == "SCALAR" ? 1 : shape == "VEC3" ? 3 : shape == "VEC4" ? 4 : 16;
  const int columns = entry["count"];
  const std::uint8_t* at = glb.bin.data() + view["byteOffset"].get<int>();
  Eigen::MatrixXd result(rows, columns);
  for (double& value : result.reshaped()) {
    value = type == 5126   ? component<float>(at)
            : type == 5123 ? component<std::uint16_t>(at)
                           : component<std::uint8_t>(at);
    at += size;
  }
  return result;
}

GlbContents contents_of(const std::vector<std::uint8_t>& bytes) {
  GlbContents glb;
  std::uint32_t json_size = 0;
  std::memcpy(&json_size, bytes.data() + 12, 4);
  glb.json = nlohmann::json::parse(bytes.begin() + 20, bytes.begin() + 20 + json_size);
  glb.bin.assign(bytes.begin() + 28 + json_size, bytes.end());
  const auto& primitive = glb.json["meshes"][0]["primitives"][0];
  const auto& attributes = primitive["attributes"];
  glb.positions = numbers(glb, attributes["POSITION"]);
  glb.slots = numbers(glb, attributes["JOINTS_0"]).cast<int>();
  glb.weights = numbers(glb, attributes["WEIGHTS_0"]);
  glb.triangles = numbers(glb, primitive["indices"]).cast<int>().reshaped(3, Eigen::AutoSize);
  glb.joint_nodes = glb.json["skins"][0]["joints"].get<std::vector<int>>();
  const Eigen::MatrixXd inverse = numbers(glb, glb.json["skins"][0]["inverseBindMatrices"]);
  for (const auto& column : inverse.colwise()) glb.joint_from_bind.emplace_back(column.reshaped(4, 4));
  return glb;
}

std::string joint_name(const GlbContents& glb, int slot) {
  return glb.json["nodes"][glb.joint_nodes[slot]]["name"];
}

Eigen::MatrixXd surface_at_rest(const GlbContents& glb) { return skinned(glb, glb.json["nodes"]); }

Eigen::MatrixXd surface_at_key(const GlbContents& glb, int clip, int key) {
  auto nodes = glb.json["nodes"];
  const auto& animation = glb.json["animations"][clip];
  for (const auto& channel : animation["channels"]) {
    const auto& sampler = animation["samplers"][channel["sampler"].get<int>()];
    const Eigen::VectorXd value = numbers(glb, sampler["output"]).col(key);
    const std::string path = channel["target"]["path"];
    nodes[channel["target"]["node"].get<int>()][path] = std::vector<double>(value.begin(), value.end());
  }
  return skinned(glb, nodes);
}
