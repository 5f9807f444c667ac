#pragma once

#include <string>
#include <vector>

#include "../io/rig_file.h"
#include "../solver/measure.h"
#include "score_row.h"

namespace pelt {

/// Parts of an animal as its rig's skeleton has them: each limb (limbs.h) by the name of its first joint, and
/// "trunk", the rest.
struct Regions {
  std::vector<std::string> names;  ///< the trunk last
  std::vector<int> of_joint;       ///< J; index into names
};

Regions regions_of(const RigFile& file);

/// The joint's node by name, or as nodes[7] where it has none.
std::string joint_name(const RigFile& file, int joint);

/// What each joint's vertices lose, and its share of all error; joints without a vertex are left out.
std::vector<JointError> joint_errors(const std::vector<std::string>& joints, const Figures& figures);

/// The same of each region, which is its joints'; the worst first.
std::vector<RegionError> region_errors(const Regions& regions, const Figures& figures);

}  // namespace pelt
