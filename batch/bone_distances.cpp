#include "bone_distances.h"

#include <cmath>

namespace pelt {
namespace {

constexpr int kFew = 16;  // bones that are asked one after another

/// Where the bones of a joint end.
Eigen::Matrix3Xd ends_of(const Bones& bones, int joint) {
  if (bones.is_end(joint)) return bones.tip.col(joint);
  return bones.origin(Eigen::all, bones.children[joint]);
}

/// Each bone as a triangle with two corners at its joint.
TriangleTree tree_of(const Eigen::Vector3d& from, const Eigen::Matrix3Xd& ends) {
  Surface surface;
  surface.positions.resize(3, ends.cols() + 1);
  surface.positions << from, ends;
  surface.triangles = Eigen::Matrix3Xi::Zero(3, ends.cols());
  for (int n = 0; n < ends.cols(); ++n) surface.triangles(2, n) = n + 1;
  return TriangleTree(surface);
}

}  // namespace

double BoneDistances::from(int joint, const Eigen::Vector3d& point) {
  const Eigen::Vector3d origin = bones_.origin.col(joint);
  if (bones_.children[joint].size() > kFew) {
    auto tree = trees_.find(joint);
    if (tree == trees_.end()) tree = trees_.emplace(joint, tree_of(origin, ends_of(bones_, joint))).first;
    return std::sqrt(tree->second.closest(point).sq_dist);
  }
  const Eigen::Matrix3Xd ends = ends_of(bones_, joint);
  double least = (point - origin).squaredNorm();
  for (const auto& end : ends.colwise())
    least = std::min(least, closest_on_triangle(point, {origin, origin, end}).sq_dist);
  return std::sqrt(least);
}

}  // namespace pelt
