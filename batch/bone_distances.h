#pragma once

#include <map>

#include "../solver/closest_point.h"
#include "bones.h"

namespace pelt {

/// Distances of points from the bones of a joint. A joint of many bones gets a tree over them when it is
/// first asked, so that a skeleton that is one star costs no more than another.
class BoneDistances {
 public:
  explicit BoneDistances(const Bones& bones) : bones_(bones) {}

  /// From the nearest of the joint's bones, or its origin where it has none.
  double from(int joint, const Eigen::Vector3d& point);

 private:
  const Bones& bones_;
  std::map<int, TriangleTree> trees_;
};

}  // namespace pelt
