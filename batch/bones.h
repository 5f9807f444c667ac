#pragma once

#include <Eigen/Core>
#include <vector>

#include "../io/rig_file.h"

namespace pelt {

/// How a bone's end was found.
enum class TipFrom { node, axis, points };

/// The skeleton of a rig at rest as far as it moves the surface. A bone goes from a joint's origin to that of
/// a joint below it, or to a tip where there is none.
struct Bones {
  std::vector<int> parent;                 ///< J; as in Rig
  std::vector<std::vector<int>> children;  ///< J; those that move something
  std::vector<char> weighted;              ///< J; some vertex has a weight on it
  std::vector<char> moves;                 ///< J; it or a joint below it has weights
  Eigen::Matrix3Xd origin;                 ///< 3 x J
  Eigen::Matrix3Xd tip;                    ///< 3 x J; of joints that move something and have no children
  std::vector<TipFrom> tip_from;           ///< J; where `tip` counts

  int joints() const { return static_cast<int>(parent.size()); }
  bool is_end(int joint) const { return moves[joint] && children[joint].empty(); }
};

/// Tips, which glTF does not store, are the farthest node below the joint that moves nothing and carries no
/// mesh; else they lie along the joint's own axis along which nine tenths of the rig's bones lie; else in the
/// direction of the joint's points. Those without a node are twice as far as the centroid of the joint's
/// points in that direction.
Bones bones_of(const RigFile& file);

}  // namespace pelt
