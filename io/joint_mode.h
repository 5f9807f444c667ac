#pragma once

#include <string>
#include <vector>

#include "../solver/solve.h"

namespace pelt {

/// How joints may move (DESIGN section 2, modes).
enum class JointMode {
  free,     ///< turn and translate, at the price of the stiffness
  rotate,   ///< turn about their own origins; roots translate as well, bones keep their lengths
  stretch,  ///< turn, and translate at a price that never fades
  scale     ///< as free, and scale uniformly
};

constexpr JointMode kJointModes[] = {JointMode::free, JointMode::rotate, JointMode::stretch,
                                     JointMode::scale};

/// As on the command line and in the report.
std::string name_of(JointMode mode);

/// The modes of a list with commas. \throw UsageError for one that is unknown
std::vector<JointMode> joint_modes(const std::string& list);

/// The settings with the freedom and the price of a mode. `stretch`: the price that mode stretch asks.
SolveSettings in_mode(JointMode mode, double stretch, SolveSettings settings);

}  // namespace pelt
