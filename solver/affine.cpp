// Linear least squares for affine joint motions with weights fixed.
// Based on: D. L. James and C. D. Twigg, "Skinning mesh animations", 2005, section 4 (affine bones from rest
// to pose), here on moments.

#include "affine.h"

#include <vector>

#include "rigid_fit.h"

namespace pelt {
namespace {

constexpr int kRefinements = 2;  // takes the regularisation's bias out of the floor

}  // namespace

AffineSolver::AffineSolver(const System& system) : system_(system), factor_(system.row, system.column) {
  // A little more than the prior, so that the factor exists whatever the rounding; refinement removes it
  // again.
  std::vector<Eigen::Matrix4d> regular;
  for (const Eigen::Matrix4d& block : system.regular) regular.push_back(block.transpose());
  for (int u = 0; u < system.unknowns; ++u) {
    Eigen::Matrix4d& block = regular[system.diagonal[u]];
    block.diagonal().array() += 1e-13 * block(3, 3);
  }
  factored_ = factor_.factor(regular);
}

Pose AffineSolver::solve(const FrameMoments& frame) const {
  const System& s = system_;
  Pose pose(s.unknowns, frame.whole);  // undetermined directions stay with the whole
  if (!factored_) return pose;
  for (int round = 0; round <= kRefinements; ++round) {
    Eigen::Matrix<double, Eigen::Dynamic, 3> residual(4 * s.unknowns, 3);
    for (int u = 0; u < s.unknowns; ++u) {
      Eigen::Matrix<double, 4, 3> r = frame.b[u] - s.root_prior[u] * frame.whole.transpose();
      for (int n = s.row[u]; n < s.row[u + 1]; ++n)
        r.noalias() -= s.surface[n] * pose[s.column[n]].transpose();
      residual.middleRows<4>(4 * u) = r;
    }
    factor_.solve_in_place(residual);
    if (!residual.allFinite()) return Pose(s.unknowns, frame.whole);
    for (int u = 0; u < s.unknowns; ++u) pose[u] += residual.middleRows<4>(4 * u).transpose();
  }
  return pose;
}

Pose nearest_rigid(const System& s, const Pose& affine) {
  Pose pose = affine;
  for (int u = 0; u < s.unknowns; ++u) {
    const Eigen::Matrix4d& a = s.total[s.diagonal[u]];
    const Eigen::Matrix<double, 4, 3> image = a * affine[u].transpose();
    pose[u] = rigid_fit({a(3, 3), a.topRightCorner<3, 1>(), image.row(3).transpose(), image.topRows<3>()});
  }
  return pose;
}

}  // namespace pelt
