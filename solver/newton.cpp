// Newton's method on the twists of all joints, in moment space.
// Based on: the gradient and curvature follow from E with x -> exp(omega) x, exp(omega) = I + [omega] +
// [omega]^2 / 2 + ... (e.g. J. Sola et al., "A micro Lie theory for state estimation in robotics", 2018, eq.
// 143 for the rotation's action); damping after D. W. Marquardt, 1963. Residuals of real rigs are large, so
// Gauss-Newton alone converges only linearly.

#include "newton.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "rigid_fit.h"
#include "sweep.h"

namespace pelt {
namespace {

constexpr double kFirstDamping = 1e-6, kMaxDamping = 1e12;  // shares of a joint's mass and inertia

using Matrix6d = Eigen::Matrix<double, 6, 6>;

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& v) {
  Eigen::Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

/// Where the joint's pivot is now.
Eigen::Vector3d pivot_now(const System& s, const Pose& pose, int j) {
  return pose[j].leftCols<3>() * s.pivot[j] + pose[j].col(3);
}

/// Motions followed by a shift of each pivot to the origin, as 4x4 matrices.
std::vector<Eigen::Matrix4d> about_pivots(const System& s, const Pose& pose) {
  std::vector<Eigen::Matrix4d> moved(s.unknowns, Eigen::Matrix4d::Identity());
  for (int j = 0; j < s.unknowns; ++j) {
    moved[j].topRows<3>() = pose[j];
    moved[j].topRightCorner<3, 1>() -= pivot_now(s, pose, j);
  }
  return moved;
}

/// Gauss-Newton block of joints j and k from P = sum a w_j w_k x_j x_k^T (homogeneous, each about its pivot):
/// the derivative of x by (omega, tau) is (-[x], I), and [a]^T [b] = (a.b) I - b a^T.
Matrix6d gauss_newton_block(const Eigen::Matrix4d& p) {
  const Eigen::Matrix3d xx = p.topLeftCorner<3, 3>();
  Matrix6d h;
  h.topLeftCorner<3, 3>() = xx.trace() * Eigen::Matrix3d::Identity() - xx.transpose();
  h.topRightCorner<3, 3>() = cross_matrix(p.topRightCorner<3, 1>());
  h.bottomLeftCorner<3, 3>() = -cross_matrix(p.bottomLeftCorner<1, 3>().transpose());
  h.bottomRightCorner<3, 3>() = p(3, 3) * Eigen::Matrix3d::Identity();
  return 2 * h;
}

/// The curvature that the residual adds to a rotation: M = sum a w x r^T.
Eigen::Matrix3d residual_curvature(const Eigen::Matrix3d& m, Curvature curvature) {
  const Eigen::Matrix3d c = 2 * m.trace() * Eigen::Matrix3d::Identity() - m - m.transpose();
  if (curvature == Curvature::exact) return c;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(c);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseAbs().asDiagonal() *
         eigen.eigenvectors().transpose();
}

/// Writes a 6x6 block of rows 6r.., columns 6c.. into the lower triangle. `offset` counts the entries of the
/// column's blocks above.
void put_block(const Matrix6d& h, int c, bool is_diagonal, int offset, Eigen::SparseMatrix<double>& out) {
  for (int i = 0; i < 6; ++i) {
    // a column's entries start at the diagonal: i of them fewer in the i-th column of the diagonal block
    double* column = out.valuePtr() + out.outerIndexPtr()[6 * c + i] + (is_diagonal ? 0 : offset - i);
    for (int r = is_diagonal ? i : 0; r < 6; ++r) *column++ = h(r, i);
  }
}

}  // namespace

Eigen::SparseMatrix<double> hessian_pattern(const System& s) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < s.unknowns; ++j)
    for (int n = s.row[j]; n < s.row[j + 1]; ++n)
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
          if (const int k = s.column[n]; 6 * k + r >= 6 * j + c)
            entries.emplace_back(6 * k + r, 6 * j + c, 0.0);
  Eigen::SparseMatrix<double> pattern(6 * s.unknowns, 6 * s.unknowns);
  pattern.setFromTriplets(entries.begin(), entries.end());
  return pattern;
}

void expand_quadratic(const System& s, const FrameMoments& frame, const Pose& pose, Curvature curvature,
                      Quadratic& out) {
  const std::vector<Eigen::Matrix4d> moved = about_pivots(s, pose);
  out.energy = frame.sq_norm;
  out.gradient.resize(6 * s.unknowns);
  for (int j = 0; j < s.unknowns; ++j) {
    const Eigen::Matrix<double, 4, 3> residual = full_residual(s, frame, pose, j);
    out.energy -= (pose[j] * (frame.b[j] + residual)).trace();
    const Eigen::Matrix3d m = moved[j].topRows<3>() * residual;
    out.gradient.segment<3>(6 * j) << m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1);
    out.gradient.segment<3>(6 * j + 3) = -residual.row(3).transpose();
    out.gradient.segment<6>(6 * j) *= 2;
    for (int n = s.diagonal[j], offset = 0; n < s.row[j + 1]; ++n, offset += 6) {
      // H has the block (k, j) in column j: rows of k, hence A_kj = A_jk^T
      const int k = s.column[n];
      const Eigen::Matrix4d p = moved[k] * s.total[n].transpose() * moved[j].transpose();
      Matrix6d h = gauss_newton_block(p);
      if (k == j) h.topLeftCorner<3, 3>() += residual_curvature(m, curvature);
      put_block(h, j, k == j, offset, out.hessian);
    }
  }
}

Pose retract(const System& s, const Pose& pose, const Twists& twists) {
  Pose out = pose;
  for (int j = 0; j < s.unknowns; ++j) {
    const Eigen::Vector3d pivot = pivot_now(s, pose, j);
    const Eigen::Matrix3d turn = rotation_of(twists.segment<3>(6 * j));
    out[j].leftCols<3>() = turn * pose[j].leftCols<3>();
    out[j].col(3) = turn * (pose[j].col(3) - pivot) + pivot + twists.segment<3>(6 * j + 3);
  }
  return out;
}

NewtonSolver::NewtonSolver(const System& system) : system_(system) {
  quadratic_.hessian = hessian_pattern(system);
  next_.hessian = quadratic_.hessian;
  if (system.unknowns > 0) ldlt_.analyzePattern(quadratic_.hessian);
}

/// Factors the Hessian plus damping times the joints' own masses and inertias; false if that is not positive
/// definite.
bool NewtonSolver::factor(double damping) {
  Eigen::SparseMatrix<double>& h = quadratic_.hessian;
  Eigen::VectorXd diagonal;
  if (damping > 0) diagonal = h.diagonal();
  for (int j = 0; j < system_.unknowns && damping > 0; ++j) {
    const Eigen::Matrix4d& a = system_.total[system_.diagonal[j]];
    const double mass = a(3, 3);
    const double inertia =
        std::max(a.topLeftCorner<3, 3>().trace() - mass * system_.pivot[j].squaredNorm(), 1e-6 * mass);
    for (int r = 0; r < 6; ++r)
      h.valuePtr()[h.outerIndexPtr()[6 * j + r]] += 2 * damping * (r < 3 ? inertia : mass);
  }
  ldlt_.factorize(h);
  if (damping > 0) h.diagonal() = diagonal;
  return ldlt_.info() == Eigen::Success && ldlt_.vectorD().minCoeff() > 0;
}

/// Is `next_` an improvement? Where the energies differ by rounding alone, a smaller gradient is the better
/// judge.
bool NewtonSolver::improves(double noise) const {
  const double change = next_.energy - quadratic_.energy;
  return change < -noise ||
         (change < noise && next_.gradient.squaredNorm() < quadratic_.gradient.squaredNorm());
}

NewtonOutcome NewtonSolver::polish(const FrameMoments& frame, const NewtonSettings& settings, Pose& pose) {
  NewtonOutcome outcome;
  if (system_.unknowns == 0) return outcome.converged = true, outcome;
  const double noise = 1e-15 * frame.sq_norm;
  double damping = 0;
  expand_quadratic(system_, frame, pose, Curvature::exact, quadratic_);
  while (outcome.steps < settings.max_steps && damping < kMaxDamping) {
    ++outcome.steps;
    if (!factor(damping)) {
      expand_quadratic(system_, frame, pose, Curvature::absolute, quadratic_);
      if (!factor(damping)) {
        damping = std::max(10 * damping, kFirstDamping);
        continue;
      }
    }
    const Twists step = ldlt_.solve(-quadratic_.gradient);
    const Pose moved = retract(system_, pose, step);
    const double distance = movement(system_, pose, moved);
    // the step moves the surface by the root of step^T H step = -gradient^T step, root mean square, or less
    const double surface = std::sqrt(std::max(0.0, -quadratic_.gradient.dot(step)));
    // a step that lowers the energy by less than its rounding is the last: the quadratic model is exact there
    const bool still = distance <= settings.tolerance || (damping == 0 && surface * surface <= 0.1 * noise);
    expand_quadratic(system_, frame, moved, Curvature::exact, next_);
    if (improves(noise)) {
      pose = moved;
      std::swap(quadratic_, next_);
      outcome.movement = distance;
      damping = damping < 10 * kFirstDamping ? 0 : damping / 10;
    } else if (!still) {
      damping = std::max(10 * damping, kFirstDamping);
    }
    if (still) return finish(outcome, true);
    if (settings.known && surface_distance(system_, pose, *settings.known) <= settings.known_reach) {
      pose = *settings.known;
      outcome.at_known = true;
      return outcome;
    }
  }
  return finish(outcome, false);
}

NewtonOutcome NewtonSolver::finish(NewtonOutcome outcome, bool converged) const {
  outcome.converged = converged;
  outcome.energy = std::max(quadratic_.energy, 0.0);
  outcome.gradient = quadratic_.gradient.norm();
  return outcome;
}

}  // namespace pelt
