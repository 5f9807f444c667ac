#pragma once

#include "solve.h"

namespace pelt {

/// A frame that was solved for the least mean square.
struct SolvedFrame {
  const Rig& rig;
  const RigMoments& moments;       ///< of the rig, under V shares a_i that sum to 1
  const Eigen::Matrix3Xd& target;  ///< 3 x V, model space
  double price = 0;                ///< SolveResult::price
};

/// Leads a pose to the least mean distance that is near, the least of
///     2 m sum_i a_i sqrt(|e_i|^2 + s^2) + price,   e_i = sum_j w_ij D_j q_ij - v_i,
/// where m is the mean distance at the start and s = m / 50 rounds off the corner at zero. Joints move as the
/// settings' freedom lets them. A pose that meets the surface stays as it is. The frame's gradient and
/// movement are those of the last round, its Newton steps those of all rounds on top; it converged if the
/// last round gained less than a millionth.
void reduce_distances(const SolvedFrame& frame, const SolveSettings& settings, Pose& pose,
                      FrameResult& result);

}  // namespace pelt
