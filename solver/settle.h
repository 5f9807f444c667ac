#pragma once

#include "system.h"

namespace pelt {

/// Decides what the surface leaves open. Joints without weights take the motion that best keeps what hangs on
/// them in place; a joint whose support is a point or a line keeps that support where it is and turns with
/// its parent. All others stay as they are, to the bit. The prior of the system says much the same, but its
/// valley is too flat for the solver to reach the bottom.
void settle(const System& system, const FrameMoments& frame, Pose& pose);

}  // namespace pelt
