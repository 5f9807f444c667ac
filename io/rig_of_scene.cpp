#include "rig_of_scene.h"

#include "pose.h"

namespace pelt {
namespace {

/// Flags of nodes whose own transform a clip of the file moves.
std::vector<char> moving_nodes(const Scene& scene) {
  std::vector<char> moving(scene.nodes.size(), 0);
  for (const Clip& clip : scene.clips)
    for (const Track& track : clip.tracks)
      if (track.path != TrackPath::weights) moving[track.node] = 1;
  return moving;
}

/// The nearest flagged node at or above each node, or -1; in one pass, for chains may be long.
std::vector<int> nearest_flagged(const Scene& scene, const std::vector<char>& flags) {
  std::vector<int> nearest(flags.size(), -1);
  for (const int node : scene.parents_first) {
    const int parent = scene.nodes[node].parent;
    nearest[node] = flags[node] ? node : parent < 0 ? -1 : nearest[parent];
  }
  return nearest;
}

std::vector<char> joint_nodes(const Scene& scene) {
  std::vector<char> is_joint(scene.nodes.size(), 0);
  for (const Skin& skin : scene.skins)
    for (const int node : skin.joints) is_joint[node] = 1;

  std::vector<char> carries = moving_nodes(scene);
  for (size_t n = 0; n < carries.size(); ++n) carries[n] |= is_joint[n];
  const std::vector<int> carrier = nearest_flagged(scene, carries);
  for (const Part& part : scene.parts)
    if (part.skin < 0 && carrier[part.node] >= 0) is_joint[carrier[part.node]] = 1;
  return is_joint;
}

/// Returns the joint, as a node, that carries whatever hangs rigidly on a node; -1 where none does.
std::vector<int> number_joints(const Scene& scene, const ScenePose& rest, SceneRig& out) {
  const std::vector<char> is_joint = joint_nodes(scene);
  std::vector<int> nearest = nearest_flagged(scene, is_joint);
  out.joint_of_node.assign(scene.nodes.size(), -1);
  for (const int node : scene.parents_first) {
    if (!is_joint[node]) continue;
    const int parent = scene.nodes[node].parent, above = parent < 0 ? -1 : nearest[parent];
    out.joint_of_node[node] = out.rig.joints();
    out.node_of_joint.push_back(node);
    out.rig.parent.push_back(above < 0 ? -1 : out.joint_of_node[above]);
    out.rig.model_from_joint.push_back(rest.model_from_node[node]);
  }
  return nearest;
}

/// Influences vertex by vertex while they are collected.
struct Influences {
  std::vector<int> joint;
  std::vector<double> weight;
  std::vector<Eigen::Vector3d> rest_point;
  std::vector<size_t> latest;  ///< of each joint

  explicit Influences(int joints) : latest(joints, 0) {}

  /// To the vertex whose influences start at `first`. A joint that comes twice is one influence at the
  /// weighted mean of the rest points, which every affine motion moves as it moves the two.
  void add(size_t first, int j, double w, const Eigen::Vector3d& point) {
    const size_t i = latest[j];
    const bool is_there = i >= first && i < joint.size() && joint[i] == j;
    if (!is_there) {
      latest[j] = joint.size();
      joint.push_back(j);
      weight.push_back(w);
      rest_point.push_back(point);
    } else {
      weight[i] += w;
      rest_point[i] += w / weight[i] * (point - rest_point[i]);
    }
  }

  void normalise(size_t first) {
    double sum = 0;
    for (size_t i = first; i < weight.size(); ++i) sum += weight[i];
    for (size_t i = first; i < weight.size(); ++i) weight[i] /= sum;
  }
};

/// What moves the vertices of one part: its skin's joints, or the joint that carries it, or nothing.
struct PartJoints {
  std::vector<int> rig_joint;                      ///< a slot target each
  std::vector<Eigen::Matrix4d> model_from_vertex;  ///< at rest, a slot target each
};

PartJoints joints_of_skin(const Skin& skin, const ScenePose& rest, const SceneRig& rig) {
  PartJoints joints{{}, skin_matrices(skin, rest)};
  for (const int node : skin.joints) joints.rig_joint.push_back(rig.joint_of_node[node]);
  return joints;
}

/// What carries a part without a skin, or nothing.
PartJoints joints_of_rigid(const Part& part, const std::vector<int>& carrier, const ScenePose& rest,
                           const SceneRig& rig) {
  if (carrier[part.node] < 0) return {};
  return {{rig.joint_of_node[carrier[part.node]]}, {rest.model_from_node[part.node]}};
}

void add_vertex(const Part& part, int vertex, const Eigen::Vector3d& point, const PartJoints& joints,
                Influences& out) {
  const size_t first = out.joint.size();
  const auto add = [&](int slot, double weight) {
    const Eigen::Vector4d rest_point = joints.model_from_vertex[slot] * point.homogeneous();
    out.add(first, joints.rig_joint[slot], weight, rest_point.head<3>());
  };
  if (part.skin < 0) {
    if (!joints.rig_joint.empty()) add(0, 1);
    return;
  }
  for (int k = 0; k < part.influences; ++k)
    if (part.weights(k, vertex) != 0) add(part.joints(k, vertex), part.weights(k, vertex));
  out.normalise(first);
}

}  // namespace

std::vector<char> used_vertices(const Scene& scene) {
  std::vector<char> used(scene.vertices(), 0);
  for (const int vertex : scene.triangles.reshaped()) used[vertex] = 1;
  return used;
}

SceneRig rig_of_scene(const Scene& scene) {
  const ScenePose rest = rest_pose(scene);
  SceneRig out;
  const std::vector<int> carrier = number_joints(scene, rest, out);
  std::vector<PartJoints> of_skin;
  for (const Skin& skin : scene.skins) of_skin.push_back(joints_of_skin(skin, rest, out));

  const std::vector<char> used = used_vertices(scene);
  Influences influences(out.rig.joints());
  for (size_t p = 0; p < scene.parts.size(); ++p) {
    const Part& part = scene.parts[p];
    const PartJoints rigid = part.skin < 0 ? joints_of_rigid(part, carrier, rest, out) : PartJoints();
    const PartJoints& joints = part.skin < 0 ? rigid : of_skin[part.skin];
    const Eigen::Matrix3Xd points = morphed(part, rest.morph_weights[p]);
    for (int v = 0; v < part.vertices; ++v) {
      out.rig.first_influence.push_back(static_cast<int>(influences.joint.size()));
      if (used[part.first_vertex + v]) add_vertex(part, v, points.col(v), joints, influences);
    }
  }
  out.rig.first_influence.push_back(static_cast<int>(influences.joint.size()));
  out.rig.rest_point.resize(3, static_cast<Eigen::Index>(influences.joint.size()));
  for (Eigen::Index i = 0; i < out.rig.rest_point.cols(); ++i)
    out.rig.rest_point.col(i) = influences.rest_point[i];
  out.rig.joint = std::move(influences.joint);
  out.rig.weight = std::move(influences.weight);
  validate(out.rig);
  return out;
}

}  // namespace pelt
