#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "skeleton.h"

namespace pelt {

/// Upper and lower bone, cannon, foot.
using LegJoints = std::array<int, 4>;
LegJoints leg_joints(const Skeleton& artist, bool fore, bool left);

/// Where a leg is to put its foot. Turns are about x, radians, positive folds back.
struct FootPath {
  Eigen::Vector2d way =
      Eigen::Vector2d::Zero();  ///< of the fetlock from its place at bind, up and forward, metres
  double cannon_turn = 0;       ///< beyond the swing of the whole leg
  double foot_turn = 0;         ///< from flat on the ground
};

/// Sets the motions of the four joints from the motion of the joint above them, bends as at bind. A foot out
/// of reach comes as near as the leg can.
void place_leg(const Skeleton& skeleton, const LegJoints& leg, const FootPath& path,
               std::vector<Eigen::Isometry3d>& motions);

}  // namespace pelt
