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

/// The nearest node at or above `node` that is flagged, or -1.
int nearest_flagged(const Scene& scene, const std::vector<char>& flags, int node) {
  while (node >= 0 && !flags[node]) node = scene.nodes[node].parent;
  return node;
}

std::vector<char> joint_nodes(const Scene& scene) {
  std::vector<char> is_joint(scene.nodes.size(), 0);
  for (const Skin& skin : scene.skins)
    for (const int node : skin.joints) is_joint[node] = 1;

  std::vector<char> carries = moving_nodes(scene);
  for (size_t n = 0; n < carries.size(); ++n) carries[n] |= is_joint[n];
  for (const Part& part : scene.parts) {
    const int carrier = part.skin < 0 ? nearest_flagged(scene, carries, part.node) : -1;
    if (carrier >= 0) is_joint[carrier] = 1;
  }
  return is_joint;
}

void number_joints(const Scene& scene, const ScenePose& rest, SceneRig& out) {
  const std::vector<char> is_joint = joint_nodes(scene);
  out.joint_of_node.assign(scene.nodes.size(), -1);
  for (const int node : scene.parents_first) {
    if (!is_joint[node]) continue;
    const int above = nearest_flagged(scene, is_joint, scene.nodes[node].parent);
    out.joint_of_node[node] = out.rig.joints();
    out.node_of_joint.push_back(node);
    out.rig.parent.push_back(above < 0 ? -1 : out.joint_of_node[above]);
    out.rig.model_from_joint.push_back(rest.model_from_node[node]);
  }
}

std::vector<char> used_vertices(const Scene& scene) {
  std::vector<char> used(scene.vertices(), 0);
  for (const int vertex : scene.triangles.reshaped()) used[vertex] = 1;
  return used;
}

/// Influences vertex by vertex while they are collected.
struct Influences {
  std::vector<int> joint;
  std::vector<double> weight;
  std::vector<Eigen::Vector3d> rest_point;

  /// To the vertex whose influences start at `first`. A joint that comes twice is one influence at the
  /// weighted mean of the rest points, which every affine motion moves as it moves the two.
  void add(size_t first, int j, double w, const Eigen::Vector3d& point) {
    size_t i = first;
    while (i < joint.size() && joint[i] != j) ++i;
    if (i == joint.size()) {
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

PartJoints joints_of_part(const Scene& scene, const ScenePose& rest, const SceneRig& rig, const Part& part) {
  if (part.skin >= 0) {
    PartJoints joints{{}, skin_matrices(scene.skins[part.skin], rest)};
    for (const int node : scene.skins[part.skin].joints) joints.rig_joint.push_back(rig.joint_of_node[node]);
    return joints;
  }
  int carrier = part.node;
  while (carrier >= 0 && rig.joint_of_node[carrier] < 0) carrier = scene.nodes[carrier].parent;
  if (carrier < 0) return {};
  return {{rig.joint_of_node[carrier]}, {rest.model_from_node[part.node]}};
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

SceneRig rig_of_scene(const Scene& scene) {
  const ScenePose rest = rest_pose(scene);
  SceneRig out;
  number_joints(scene, rest, out);

  const std::vector<char> used = used_vertices(scene);
  Influences influences;
  for (size_t p = 0; p < scene.parts.size(); ++p) {
    const Part& part = scene.parts[p];
    const PartJoints joints = joints_of_part(scene, rest, out, part);
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
