// Linear least squares for affine joint motions with weights fixed.
// Based on: D. L. James and C. D. Twigg, "Skinning mesh animations", 2005, section 4 (affine bones from rest
// to pose), here on moments.

#include "affine.h"

#include <vector>

#include "rigid_fit.h"

namespace pelt {
namespace {

constexpr int kRefinements = 2;  // takes the regularisation's bias out of the floor

Eigen::SparseMatrix<double> assemble(const System& s, const std::vector<Eigen::Matrix4d>& blocks) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(16 * blocks.size());
  for (int u = 0; u < s.unknowns; ++u)
    for (int n = s.row[u]; n < s.row[u + 1]; ++n)
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) entries.emplace_back(4 * u + r, 4 * s.column[n] + c, blocks[n](r, c));
  Eigen::SparseMatrix<double> matrix(4 * s.unknowns, 4 * s.unknowns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

AffineSolver::AffineSolver(const System& system)
    : system_(system), surface_(assemble(system, system.surface)) {
  // A little more than the prior, so that the factor exists whatever the rounding; refinement removes it
  // again.
  Eigen::SparseMatrix<double> regular = assemble(system, system.regular);
  for (int u = 0; u < system.unknowns; ++u) {
    const double mass = system.regular[system.diagonal[u]](3, 3);
    for (int r = 0; r < 4; ++r) regular.coeffRef(4 * u + r, 4 * u + r) += 1e-13 * mass;
  }
  factor_.compute(regular);
}

Pose AffineSolver::solve(const FrameMoments& frame) const {
  const int unknowns = system_.unknowns;
  Pose pose(unknowns, frame.whole);
  if (unknowns == 0) return pose;
  const Eigen::Matrix<double, 4, 3> whole = frame.whole.transpose();
  Eigen::MatrixXd b(4 * unknowns, 3), x(4 * unknowns, 3);
  for (int u = 0; u < unknowns; ++u) {
    b.middleRows<4>(4 * u) = frame.b[u] - system_.root_prior[u] * whole;
    x.middleRows<4>(4 * u) = whole;  // undetermined directions stay with the whole
  }
  for (int round = 0; round <= kRefinements; ++round) x += factor_.solve(b - surface_ * x);
  if (!x.allFinite()) return pose;
  for (int u = 0; u < unknowns; ++u) pose[u] = x.middleRows<4>(4 * u).transpose();
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
