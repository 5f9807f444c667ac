#pragma once

#include "system.h"

namespace pelt {

/// The best rigid motion of unknown j with all others held (Horn block, DESIGN section 2).
Motion best_motion(const System& system, const FrameMoments& frame, const Pose& pose, int j);

/// Largest distance that any vertex of joint j's support can move when the joint goes from one motion to the
/// other, in solve units. Zero for joints that the surface does not see.
double movement(const System& system, int j, const Motion& from, const Motion& to);

/// The largest movement of any joint between two poses over the unknowns.
double movement(const System& system, const Pose& from, const Pose& to);

/// Root mean square distance between the two surfaces, solve units: zero where poses differ only in what the
/// weights cannot show.
double surface_distance(const System& system, const Pose& a, const Pose& b);

/// Replaces each joint's motion by the best one, in order. Returns the largest movement.
double sweep(const System& system, const FrameMoments& frame, Pose& pose);

struct SweepSettings {
  double tolerance = 1e-11;  ///< stop when no vertex can move farther in a sweep, fraction of diag. Absolute:
                             ///< an exit on relative progress freezes slow sweeps early.
  int max_sweeps = 1000;
};

struct SweepOutcome {
  int sweeps = 0;
  double movement = 0;  ///< of the last sweep
};

/// Sweeps until nothing moves.
SweepOutcome sweep_until_still(const System& system, const FrameMoments& frame, const SweepSettings& settings,
                               Pose& pose);

}  // namespace pelt
