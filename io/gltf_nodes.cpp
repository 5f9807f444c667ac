// The node forest as in glTF 2.0, section 3.5.
#include "gltf_nodes.h"

#include <cmath>
#include <limits>
#include <sstream>

#include "pose.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

Eigen::VectorXd numbers_of(const Json& array) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(array.size()));
  for (std::size_t i = 0; i < array.size(); ++i)
    values(static_cast<Eigen::Index>(i)) = array[i].get<double>();
  return values;
}

Eigen::Quaterniond read_rotation(const Json& array, const GltfSource& source, const std::string& place,
                                 Scene& scene) {
  const Eigen::VectorXd xyzw = numbers_of(array);
  const double length = xyzw.norm();
  if (!(length > 0)) fail(source, place + ".rotation", "a quaternion of length zero");
  if (std::abs(length - 1) > 1e-3)
    scene.warnings.push_back(place + ".rotation: of length " + number(length) + ", normalised");
  return Eigen::Quaterniond(Eigen::Vector4d(xyzw / length));
}

Node read_node(const GltfSource& source, std::size_t index, Scene& scene) {
  const Json& json = source.json["nodes"][index];
  const std::string place = at("nodes", index);
  Node node;
  node.name = string_of(json, "name");
  node.mesh = integer_of(json, "mesh");
  node.skin = integer_of(json, "skin");
  if (json.contains("translation")) node.trs.translation = numbers_of(json["translation"]);
  if (json.contains("rotation")) node.trs.rotation = read_rotation(json["rotation"], source, place, scene);
  if (json.contains("scale")) node.trs.scale = numbers_of(json["scale"]);
  if (json.contains("matrix"))
    node.matrix = affine(numbers_of(json["matrix"]).reshaped(4, 4), source, place + ".matrix");
  return node;
}

void link_parents(const GltfSource& source, Scene& scene) {
  const Json& nodes = member(source.json, "nodes");
  for (std::size_t parent = 0; parent < nodes.size(); ++parent) {
    for (const Json& child : member(nodes[parent], "children")) {
      int& known = scene.nodes[child.get<std::size_t>()].parent;
      if (known >= 0)
        fail(source, at("nodes", parent) + ".children",
             at("nodes", child.get<std::size_t>()) + " is a child of " + at("nodes", known) + " already");
      known = static_cast<int>(parent);
    }
  }
}

/// Breadth first from the roots, without recursion: chains may be long.
void sort_parents_first(const GltfSource& source, Scene& scene) {
  std::vector<int>& order = scene.parents_first;
  std::vector<char> reached(scene.nodes.size(), 0);
  for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    if (scene.nodes[i].parent < 0) order.push_back(static_cast<int>(i));
  for (std::size_t next = 0; next < order.size(); ++next) {
    reached[order[next]] = 1;
    for (const Json& child : member(source.json["nodes"][order[next]], "children"))
      order.push_back(child.get<int>());
  }
  for (std::size_t i = 0; i < reached.size(); ++i)
    if (!reached[i]) fail(source, at("nodes", i), "is below itself: the nodes form a cycle");
}

void mark_scene(const GltfSource& source, Scene& scene) {
  const Json& scenes = member(source.json, "scenes");
  if (scenes.empty()) {
    for (Node& node : scene.nodes) node.in_scene = true;
    return;
  }
  for (const Json& root : member(scenes[integer_of(source.json, "scene", 0)], "nodes"))
    scene.nodes[root.get<std::size_t>()].in_scene = true;
  for (const int i : scene.parents_first) {
    Node& node = scene.nodes[i];
    if (node.parent >= 0 && scene.nodes[node.parent].in_scene) node.in_scene = true;
  }
}

/// Scales and translations may grow along a chain until no number holds them.
void check_rest(const GltfSource& source, const Scene& scene) {
  const std::vector<Eigen::Matrix4d> model_from_node = rest_pose(scene).model_from_node;
  for (std::size_t n = 0; n < model_from_node.size(); ++n)
    if (!(model_from_node[n].array().abs() <= std::numeric_limits<float>::max()).all())
      fail(source, at("nodes", n), "its place in the scene is out of range");
}

}  // namespace

void read_nodes(const GltfSource& source, Scene& scene) {
  const std::size_t count = member(source.json, "nodes").size();
  source.accessors.charge(count, 0, "nodes");
  scene.nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) scene.nodes.push_back(read_node(source, i, scene));
  link_parents(source, scene);
  sort_parents_first(source, scene);
  mark_scene(source, scene);
  check_rest(source, scene);
}

Eigen::Matrix4d affine(const Eigen::Matrix4d& matrix, const GltfSource& source, const std::string& place) {
  if (!matrix.allFinite()) fail(source, place, "holds a number that is not finite");
  const Eigen::RowVector4d affine_row(0, 0, 0, 1);
  if ((matrix.row(3) - affine_row).cwiseAbs().maxCoeff() > 1e-6)
    fail(source, place,
         "its last row is " + number(matrix(3, 0)) + " " + number(matrix(3, 1)) + " " + number(matrix(3, 2)) +
             " " + number(matrix(3, 3)) + " instead of 0 0 0 1");
  Eigen::Matrix4d exact = matrix;
  exact.row(3) = affine_row;
  return exact;
}

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace pelt
