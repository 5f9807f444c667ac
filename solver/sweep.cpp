// Block coordinate descent over joints, each by Horn's closed form against the residual of all others.
// Based on: Horn 1987 (see rigid_fit.cpp); the residual form for skinned vertices as in B. H. Le and Z. Deng,
// "Smooth skinning decomposition with rigid bones", 2012, section 4.2, here on moments instead of vertices.

#include "sweep.h"

#include <algorithm>
#include <cmath>

#include "rigid_fit.h"

namespace pelt {

Motion best_motion(const System& s, const FrameMoments& frame, const Pose& pose, int j) {
  const Eigen::Matrix4d& a = s.total[s.diagonal[j]];
  const Eigen::Matrix<double, 4, 3> r = block_residual(s, frame, pose, j);
  return rigid_fit({a(3, 3), a.topRightCorner<3, 1>(), r.row(3).transpose(), r.topRows<3>()});
}

double movement(const System& s, int j, const Motion& from, const Motion& to) {
  const Support& support = s.support[s.joint[j]];
  const Motion change = to - from;
  const double turn = change.leftCols<3>().norm() * support.radius;
  return support.reach * ((change.leftCols<3>() * support.centroid + change.col(3)).norm() + turn);
}

double movement(const System& s, const Pose& from, const Pose& to) {
  double largest = 0;
  for (int j = 0; j < s.unknowns; ++j) largest = std::max(largest, movement(s, j, from[j], to[j]));
  return largest;
}

double surface_distance(const System& s, const Pose& a, const Pose& b) {
  double squares = 0, mass = 0;
  for (int j = 0; j < s.unknowns; ++j) {
    Eigen::Matrix<double, 4, 3> sum = Eigen::Matrix<double, 4, 3>::Zero();
    for (int n = s.row[j]; n < s.row[j + 1]; ++n) {
      sum.noalias() += s.surface[n] * (b[s.column[n]] - a[s.column[n]]).transpose();
      mass += s.surface[n](3, 3);
    }
    squares += ((b[j] - a[j]) * sum).trace();
  }
  return mass > 0 ? std::sqrt(std::max(squares, 0.0) / mass) : 0;
}

double sweep(const System& s, const FrameMoments& frame, Pose& pose) {
  double largest = 0;
  for (int j = 0; j < s.unknowns; ++j) {
    const Motion best = best_motion(s, frame, pose, j);
    largest = std::max(largest, movement(s, j, pose[j], best));
    pose[j] = best;
  }
  return largest;
}

SweepOutcome sweep_until_still(const System& s, const FrameMoments& frame, const SweepSettings& settings,
                               Pose& pose) {
  SweepOutcome outcome{0, s.unknowns > 0 && settings.max_sweeps > 0 ? settings.tolerance * 2 : 0};
  while (outcome.sweeps < settings.max_sweeps && outcome.movement > settings.tolerance) {
    outcome.movement = sweep(s, frame, pose);
    ++outcome.sweeps;
  }
  return outcome;
}

}  // namespace pelt
