#pragma once

#include <vector>

#include "system.h"

namespace pelt {

/// What holds a joint: its support, whole or in part, or only what hangs on it.
enum class Hold : char { determined, open, hidden };

/// Of each unknown.
std::vector<Hold> holds_of(const System& system);

/// Decides what the surface leaves open. Joints without weights take the motion that best keeps what hangs on
/// them in place; a joint whose support is a point or a line keeps that support where it is and turns with
/// its parent. All others stay as they are, to the bit. The prior of the system says much the same, but its
/// valley is too flat for the solver to reach the bottom.
void settle(const System& system, const std::vector<Hold>& hold, const FrameMoments& frame, Pose& pose);

}  // namespace pelt
