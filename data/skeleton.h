#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "animal.h"

namespace pelt {

/// A joint at the start of a bone, model space, in bind pose.
struct Joint {
  std::string name;
  int parent = -1;
  BodyPart limb = BodyPart::trunk;
  Eigen::Vector3d origin, tip;  ///< the bone goes from origin to tip
  bool weighted = true;         ///< false: it moves its children only
};

/// Parents come before their children.
using Skeleton = std::vector<Joint>;

/// 32 joints with the bends of the real legs: stifle and hock, elbow and carpus. "Root" has no weights.
Skeleton artist_skeleton();

/// 22 joints as an automatic rigger might place them: every leg a straight vertical chain of three.
Skeleton straight_skeleton();

/// Index of a joint by name. \throw std::out_of_range if there is none.
int joint_named(const Skeleton& skeleton, const std::string& name);

/// model_from_joint at bind: y along the bone, x as near as may be to the model's x.
Eigen::Isometry3d bind_transform(const Joint& joint);

}  // namespace pelt
