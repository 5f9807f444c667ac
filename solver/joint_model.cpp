// E to second order where each joint moves on its own, in moment space.
// Based on: exp(omega) = I + [omega] + [omega]^2 / 2 + ... (e.g. J. Sola et al., "A micro Lie theory for
// state estimation in robotics", 2018, eq. 143 for the rotation's action). Residuals of real rigs are large,
// so the exact curvature is kept: Gauss-Newton alone converges only linearly.

#include "joint_model.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "cross_product.h"
#include "rigid_fit.h"

namespace pelt {
namespace {

/// Where the joint's pivot is now.
Eigen::Vector3d pivot_now(const System& s, const Pose& pose, int j) {
  return pose[j].leftCols<3>() * s.pivot[j] + pose[j].col(3);
}

/// Gauss-Newton block of joints k (rows) and j (columns) from P = sum a w_k w_j x_k x_j^T (homogeneous, each
/// about its pivot): the derivative of x by (omega, tau, sigma) is (-[x], I, x), and
/// [a]^T [b] = (a.b) I - b a^T.
template <int N>
Eigen::Matrix<double, N, N> gauss_newton_block(const Eigen::Matrix4d& p) {
  const Eigen::Matrix3d xx = p.topLeftCorner<3, 3>();
  const Eigen::Vector3d of_k = p.topRightCorner<3, 1>(), of_j = p.bottomLeftCorner<1, 3>().transpose();
  Eigen::Matrix<double, N, N> h;
  h.template topLeftCorner<3, 3>() = -xx.transpose();
  h.template topLeftCorner<3, 3>().diagonal().array() += xx.trace();
  h.template block<3, 3>(0, 3) = cross_matrix(of_k);
  h.template block<3, 3>(3, 0) = -cross_matrix(of_j);
  h.template block<3, 3>(3, 3) = p(3, 3) * Eigen::Matrix3d::Identity();
  if constexpr (N == 7) {
    h.template block<3, 1>(0, 6) = cross_sum(xx);
    h.template block<1, 3>(6, 0) = -cross_sum(xx).transpose();
    h.template block<3, 1>(3, 6) = of_j;
    h.template block<1, 3>(6, 3) = of_k.transpose();
    h(6, 6) = xx.trace();
  }
  return 2 * h;
}

/// The curvature that the residual adds to a joint: M = sum a w x r^T.
template <int N>
void add_residual_curvature(const Eigen::Matrix3d& m, Curvature curvature, Eigen::Matrix<double, N, N>& h) {
  Eigen::Matrix3d c = -m - m.transpose();
  c.diagonal().array() += 2 * m.trace();
  if (curvature == Curvature::convex) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(c);
    c = eigen.eigenvectors() * eigen.eigenvalues().cwiseAbs().asDiagonal() * eigen.eigenvectors().transpose();
  }
  h.template topLeftCorner<3, 3>() += c;
  if constexpr (N == 7) {
    if (curvature == Curvature::convex) {
      h(6, 6) += 2 * std::abs(m.trace());
    } else {
      h.template block<3, 1>(0, 6) -= 2 * cross_sum(m);
      h.template block<1, 3>(6, 0) -= 2 * cross_sum(m).transpose();
      h(6, 6) -= 2 * m.trace();
    }
  }
}

double scale_of(const Motion& motion) { return motion.col(0).norm(); }

}  // namespace

template <int N>
JointModel<N>::JointModel(const System& system)
    : system_(system),
      moved_(system.unknowns, Eigen::Matrix4d::Identity()),
      blocks_(system.column.size()),
      frozen_(system.unknowns, 0),
      cholesky_(system.row, system.column) {
  gradient_.resize(N * system.unknowns);
}

template <int N>
void JointModel<N>::expand(const FrameMoments& frame, const Pose& pose, Curvature curvature) {
  const System& s = system_;
  for (int j = 0; j < s.unknowns; ++j) {
    moved_[j].topRows<3>() = pose[j];
    moved_[j].topRightCorner<3, 1>() -= pivot_now(s, pose, j);
  }
  energy_ = frame.sq_norm;
  for (int j = 0; j < s.unknowns; ++j) {
    const Eigen::Matrix<double, 4, 3> residual = full_residual(s, frame, pose, j);
    energy_ -= (pose[j] * (frame.b[j] + residual)).trace();
    const Eigen::Matrix3d m = moved_[j].topRows<3>() * residual;
    auto gradient = gradient_.segment<N>(N * j);
    gradient.template head<3>() = -2 * cross_sum(m);
    gradient.template segment<3>(3) = -2 * residual.row(3).transpose();
    if constexpr (N == 7) gradient(6) = -2 * m.trace();
    for (int n = s.diagonal[j]; n < s.row[j + 1]; ++n) {
      // the block has the rows of k = column[n], hence A_kj = A_jk^T
      const Eigen::Matrix4d p = moved_[s.column[n]] * s.total[n].transpose() * moved_[j].transpose();
      blocks_[n] = gauss_newton_block<N>(p);
    }
    add_residual_curvature<N>(m, curvature, blocks_[s.diagonal[j]]);
  }
  if constexpr (N == 7) freeze_scales(pose);
}

/// A scale on its bound whose gradient pushes outwards takes no part in the step.
template <int N>
void JointModel<N>::freeze_scales(const Pose& pose) {
  const System& s = system_;
  constexpr int sigma = N - 1;
  for (int j = 0; j < s.unknowns; ++j) {
    const double scale = scale_of(pose[j]), slope = gradient_(N * j + sigma);
    frozen_[j] = (scale <= kLeastScale * (1 + 1e-12) && slope > 0) ||
                 (scale >= kLargestScale * (1 - 1e-12) && slope < 0);
    if (frozen_[j]) gradient_(N * j + sigma) = 0;
  }
  for (int j = 0; j < s.unknowns; ++j)
    for (int n = s.diagonal[j]; n < s.row[j + 1]; ++n) {
      if (frozen_[s.column[n]]) blocks_[n].row(sigma).setZero();
      if (frozen_[j]) blocks_[n].col(sigma).setZero();
      if (frozen_[j] && s.column[n] == j) blocks_[n](sigma, sigma) = 1;
    }
}

template <int N>
bool JointModel<N>::factor(double damping) {
  if (damping == 0) return cholesky_.factor(blocks_);
  damped_ = blocks_;
  for (int j = 0; j < system_.unknowns; ++j) {
    const auto [mass, inertia] = inertia_of(system_, j);
    for (int r = 0; r < N; ++r)
      damped_[system_.diagonal[j]](r, r) += 2 * damping * (r < 3 || r == 6 ? inertia : mass);
  }
  return cholesky_.factor(damped_);
}

template <int N>
Step JointModel<N>::step() const {
  Step step = -gradient_;
  cholesky_.solve_in_place(step);
  return step;
}

template <int N>
Pose JointModel<N>::retract(const Pose& pose, const Step& step) const {
  Pose out = pose;
  for (int j = 0; j < system_.unknowns; ++j) {
    const auto twist = step.segment<N>(N * j);
    const Eigen::Vector3d pivot = pivot_now(system_, pose, j);
    Eigen::Matrix3d turn = rotation_of(twist.template head<3>());
    if constexpr (N == 7) {
      const double now = scale_of(pose[j]);
      turn *= std::clamp(now * std::exp(twist(6)), kLeastScale, kLargestScale) / now;
    }
    out[j].leftCols<3>() = turn * pose[j].leftCols<3>();
    out[j].col(3) = turn * (pose[j].col(3) - pivot) + pivot + twist.template segment<3>(3);
  }
  return out;
}

template <int N>
Eigen::MatrixXd JointModel<N>::hessian() const {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(N * system_.unknowns, N * system_.unknowns);
  for (int j = 0; j < system_.unknowns; ++j)
    for (int n = system_.diagonal[j]; n < system_.row[j + 1]; ++n) {
      const int k = system_.column[n];
      all.block<N, N>(N * k, N * j) = blocks_[n];
      all.block<N, N>(N * j, N * k) = blocks_[n].transpose();
    }
  return all;
}

template class JointModel<6>;
template class JointModel<7>;

}  // namespace pelt
