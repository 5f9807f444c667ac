#include "settle.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

#include "rigid_fit.h"
#include "sweep.h"

namespace pelt {
namespace {

// A support whose least moment of inertia is below this share of the prior points' leaves a rotation open.
constexpr double kFlat = 1e-6;
// Pull of the parent's motion against the support's: far above rounding, far below what would move the
// support.
constexpr double kPull = 1e-9;
constexpr double kPoint = 1e-13;  // squared extent of a support that is a point but for rounding, solve units
constexpr double kStill = 1e-9;   // fraction of diag
constexpr int kMaxRounds = 200;

/// What holds a joint but for the prior: its support, and the points that the system puts a price on.
Eigen::Matrix4d held_by(const System& s, int u) {
  const int d = s.diagonal[u];
  return s.surface[d] + (s.total[d] - s.regular[d]);
}

Hold hold_of(const System& s, int u) {
  if (s.support[s.joint[u]].mass == 0) return Hold::hidden;
  const Eigen::Matrix4d a = held_by(s, u);
  const Eigen::Vector3d centre = a.topRightCorner<3, 1>() / a(3, 3);
  const Eigen::Matrix3d spread = a.topLeftCorner<3, 3>() / a(3, 3) - centre * centre.transpose();
  const Eigen::Vector3d axes =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread, Eigen::EigenvaluesOnly).eigenvalues();
  const double prior =
      s.around[u].diagonal().head<3>().sum() - s.around[u].topRightCorner<3, 1>().squaredNorm();
  return axes(0) + axes(1) < kFlat * prior ? Hold::open : Hold::determined;
}

/// Keeps the support's image and turns with the parent in what the support leaves open.
Motion follow_parent(const System& s, const FrameMoments& frame, const Pose& pose, int u) {
  const Eigen::Matrix4d a = held_by(s, u);
  const Motion& parent = s.parent[u] < 0 ? frame.whole : pose[s.parent[u]];
  const Eigen::Vector3d centre = a.topRightCorner<3, 1>() / a(3, 3);
  const Eigen::Vector3d image = pose[u].leftCols<3>() * centre + pose[u].col(3);
  const Eigen::Matrix3d spread = a.topLeftCorner<3, 3>() / a(3, 3) - centre * centre.transpose();
  Motion motion = parent;
  if (spread.trace() > kPoint * (1 + centre.squaredNorm()))
    motion.leftCols<3>() = pose[u].col(0).norm() *  // the scale that was found, 1 where joints do not scale
                           best_rotation(spread * pose[u].leftCols<3>().transpose() +
                                         kPull * spread.trace() * parent.leftCols<3>().transpose());
  motion.col(3) = image - motion.leftCols<3>() * centre;
  return motion;
}

/// How far the points about the joint's origin move.
double movement_around(const System& s, int u, const Motion& from, const Motion& to) {
  const Motion change = to - from;
  return std::sqrt(std::max(0.0, (change * s.around[u] * change.transpose()).trace()));
}

}  // namespace

std::vector<Hold> holds_of(const System& s) {
  std::vector<Hold> holds;
  for (int u = 0; u < s.unknowns; ++u) holds.push_back(hold_of(s, u));
  return holds;
}

void settle(const System& s, const std::vector<Hold>& hold, const FrameMoments& frame, Pose& pose) {
  double largest = 1;
  for (int round = 0; round < kMaxRounds && largest > kStill; ++round) {
    largest = 0;
    for (int u = 0; u < s.unknowns; ++u) {
      if (hold[u] == Hold::determined) continue;
      const Motion best =
          hold[u] == Hold::hidden ? best_motion(s, frame, pose, u) : follow_parent(s, frame, pose, u);
      largest = std::max(largest, movement_around(s, u, pose[u], best));
      pose[u] = best;
    }
  }
}

}  // namespace pelt
