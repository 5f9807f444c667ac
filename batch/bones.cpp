#include "bones.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "../io/pose.h"

namespace pelt {
namespace {

constexpr double kAlong = 0.996;    // cosine of 5 degrees
constexpr double kMostBones = 0.9;  // of the bones agree on an axis
constexpr double kNoLength = 1e-6;  // of diag

void mark_moving(const Rig& rig, Bones& bones) {
  bones.weighted.assign(rig.joints(), 0);
  for (const int j : rig.joint) bones.weighted[j] = 1;
  bones.moves = bones.weighted;
  bones.children.resize(rig.joints());
  for (int j = rig.joints() - 1; j >= 0; --j) {
    if (!bones.moves[j] || rig.parent[j] < 0) continue;
    bones.moves[rig.parent[j]] = 1;
    bones.children[rig.parent[j]].push_back(j);
  }
  for (std::vector<int>& children : bones.children) std::reverse(children.begin(), children.end());
}

/// Unit axes of a joint in model space; scale and shear of the joint taken out of their lengths.
Eigen::Matrix3d axes_of(const Rig& rig, int joint) {
  return rig.model_from_joint[joint].topLeftCorner<3, 3>().colwise().normalized();
}

/// Along which of a joint's axes a direction lies: +-1, +-2, +-3; 0 for none.
int axis_along(const Rig& rig, int joint, const Eigen::Vector3d& direction) {
  const Eigen::Vector3d along = axes_of(rig, joint).transpose() * direction.normalized();
  Eigen::Index longest = 0;
  if (along.cwiseAbs().maxCoeff(&longest) < kAlong) return 0;
  const int axis = static_cast<int>(longest) + 1;
  return along[longest] > 0 ? axis : -axis;
}

/// The axis (0, 1, 2) along which the rig's bones lie in their joints' frames; none where they do not agree.
std::optional<int> common_axis(const Rig& rig, const Bones& bones, double diag) {
  std::array<int, 3> along{};
  int all = 0;
  for (int j = 0; j < bones.joints(); ++j) {
    std::array<bool, 3> found{};
    bool has_bone = false;
    for (const int child : bones.children[j]) {
      const Eigen::Vector3d bone = bones.origin.col(child) - bones.origin.col(j);
      if (bone.norm() < kNoLength * diag) continue;
      has_bone = true;
      if (const int axis = axis_along(rig, j, bone)) found[std::abs(axis) - 1] = true;
    }
    all += has_bone;
    for (int a = 0; a < 3; ++a) along[a] += found[a];
  }
  const auto most = std::max_element(along.begin(), along.end());
  if (all == 0 || *most < kMostBones * all) return std::nullopt;
  return static_cast<int>(most - along.begin());
}

/// Centroids of the points that hold to each joint more than to any other, by area; the joint's origin where
/// there are none.
Eigen::Matrix3Xd centroids(const RigFile& file, const Bones& bones) {
  const Rig& rig = file.rig.rig;
  const Eigen::VectorXd area = vertex_areas(file.rest);
  Eigen::Matrix3Xd sum = Eigen::Matrix3Xd::Zero(3, rig.joints());
  Eigen::VectorXd mass = Eigen::VectorXd::Zero(rig.joints());
  for (int i = 0; i < rig.vertices(); ++i) {
    const auto first = rig.weight.begin() + rig.first_influence[i];
    const auto last = rig.weight.begin() + rig.first_influence[i + 1];
    if (first == last || !(area(i) > 0)) continue;
    const int joint = rig.joint[std::max_element(first, last) - rig.weight.begin()];
    sum.col(joint) += area(i) * file.rest.positions.col(i);
    mass(joint) += area(i);
  }
  for (int j = 0; j < rig.joints(); ++j) {
    if (mass(j) > 0)
      sum.col(j) /= mass(j);
    else
      sum.col(j) = bones.origin.col(j);
  }
  return sum;
}

/// The farthest node right below each joint's node that moves nothing and carries no mesh.
std::vector<std::optional<Eigen::Vector3d>> end_nodes(const RigFile& file, const Bones& bones) {
  const ScenePose rest = rest_pose(file.scene);
  std::vector<std::optional<Eigen::Vector3d>> ends(bones.joints());
  for (std::size_t n = 0; n < file.scene.nodes.size(); ++n) {
    const Node& node = file.scene.nodes[n];
    const int above = node.parent < 0 ? -1 : file.rig.joint_of_node[node.parent];
    const int own = file.rig.joint_of_node[n];
    if (above < 0 || node.mesh >= 0 || (own >= 0 && bones.moves[own])) continue;
    const Eigen::Vector3d place = rest.model_from_node[n].topRightCorner<3, 1>();
    const Eigen::Vector3d from = bones.origin.col(above);
    if (!ends[above] || (place - from).norm() > (*ends[above] - from).norm()) ends[above] = place;
  }
  return ends;
}

/// The direction of an end joint's bone: the common axis, on the side on which the joint lies from its
/// parent.
Eigen::Vector3d along_axis(const Rig& rig, const Bones& bones, int joint, int axis,
                           const Eigen::Vector3d& towards) {
  const int parent = rig.parent[joint];
  const int above =
      parent < 0 ? 0 : axis_along(rig, parent, bones.origin.col(joint) - bones.origin.col(parent));
  const Eigen::Vector3d direction = axes_of(rig, joint).col(axis);
  const bool backward = std::abs(above) == axis + 1 ? above < 0 : direction.dot(towards) < 0;
  return backward ? Eigen::Vector3d(-direction) : direction;
}

}  // namespace

Bones bones_of(const RigFile& file) {
  const Rig& rig = file.rig.rig;
  Bones bones;
  bones.parent = rig.parent;
  bones.origin.resize(3, rig.joints());
  for (int j = 0; j < rig.joints(); ++j) bones.origin.col(j) = rig.model_from_joint[j].topRightCorner<3, 1>();
  mark_moving(rig, bones);
  bones.tip = bones.origin;
  bones.tip_from.assign(rig.joints(), TipFrom::points);

  const double diag = bounding_diagonal(file.rest);
  const Eigen::Matrix3Xd centroid = centroids(file, bones);
  const std::vector<std::optional<Eigen::Vector3d>> ends = end_nodes(file, bones);
  const std::optional<int> axis = common_axis(rig, bones, diag);
  for (int j = 0; j < rig.joints(); ++j) {
    if (!bones.is_end(j)) continue;
    const Eigen::Vector3d towards = centroid.col(j) - bones.origin.col(j);
    if (ends[j] && (*ends[j] - bones.origin.col(j)).norm() > kNoLength * diag) {
      bones.tip.col(j) = *ends[j];
      bones.tip_from[j] = TipFrom::node;
      continue;
    }
    bones.tip.col(j) += 2 * towards;
    if (!axis) continue;
    const Eigen::Vector3d direction = along_axis(rig, bones, j, *axis, towards);
    if (direction.dot(towards) <= 0) continue;
    bones.tip.col(j) = bones.origin.col(j) + 2 * direction.dot(towards) * direction;
    bones.tip_from[j] = TipFrom::axis;
  }
  return bones;
}

}  // namespace pelt
