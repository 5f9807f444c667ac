#pragma once

#include <optional>
#include <vector>

#include "bones.h"
#include "mirror_plane.h"

namespace pelt {

/// A chain of joints from a fork of the skeleton to its end: a leg, an arm, the neck with the head, a tail.
struct Limb {
  std::vector<int> joints;
};

/// The skeleton as limbs and what is left, the trunk.
struct Limbs {
  std::vector<Limb> limbs;         ///< by their first joints
  std::vector<int> limb_of_joint;  ///< J; -1 for the trunk; side branches (toes, helpers) are their limb's
};

/// A joint is a fork where two or more branches of at least 5 % of `diag` leave it and it is no farther than
/// 2 % from the mirror plane: hands and feet part into fingers and toes away from it. Several roots part at
/// a fork above them.
Limbs limbs_of(const Bones& bones, const std::optional<Plane>& plane, double diag);

}  // namespace pelt
