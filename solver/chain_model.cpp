// E to second order in the joint angles, through the chain, in moment space.
// Based on: subtree sums of moments, as composite bodies in R. Featherstone, "Rigid body dynamics
// algorithms", 2008, section 6.2, here with the 4x4 moments of pairs of joints; the curvature of a chain of
// rotations by d2x = omega_a x (omega_b x (x - o_b)) for a joint b and an ancestor a of it (product of
// exponentials).

#include "chain_model.h"

#include <algorithm>
#include <utility>

#include "block_rows.h"
#include "cross_product.h"
#include "elimination.h"
#include "rigid_fit.h"

namespace pelt {
namespace {

using Moment = Eigen::Matrix<double, 4, 3>;

// A factor by blocks pays where it takes a quarter of the dense one's B^3 / 6 products of blocks, or less;
// and its plan has a place for each.
constexpr std::size_t kProductsSpared = 24, kMostProducts = std::size_t{4} << 20;

Eigen::Vector3d origin_now(const System& s, const Pose& pose, int u) {
  return pose[u].leftCols<3>() * s.origin[u] + pose[u].col(3);
}

Eigen::Matrix4d square(const Motion& motion) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topRows<3>() = motion;
  return m;
}

/// sum x y^T about other points: x - a, y - b.
Eigen::Matrix4d about(const Eigen::Matrix4d& p, const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  Eigen::Matrix4d q = p;
  q.topRows<3>() -= a * p.row(3);
  q.leftCols<3>() -= q.col(3) * b.transpose();
  return q;
}

bool is_root(const System& s, int u) { return s.parent[u] < 0; }

}  // namespace

ChainModel::ChainModel(const System& system)
    : system_(system), pairs_(chain_pairs(system)), origin_(system.unknowns), pair_(pairs_.column.size()) {
  turn_.push_back(0);
  for (int u = 0; u < system.unknowns; ++u) turn_.push_back(turn_.back() + (is_root(system, u) ? 2 : 1));
  gradient_.resize(3 * turn_.back());
  lay_out_blocks();
  choose_factor();
}

/// A chain that couples every joint with every other has nothing to gain from blocks, and a plan of B^3 / 6
/// products is larger than the matrix.
void ChainModel::choose_factor() {
  const std::size_t blocks = row_.size() - 1;
  if (column_.size() > blocks * blocks / 2) return;
  const std::size_t most = std::min(kMostProducts, blocks * blocks * blocks / kProductsSpared);
  if (Elimination e = eliminate(graph_of(row_, column_), most); e.products <= most)
    cholesky_.emplace(row_, column_, std::move(e));
}

void ChainModel::lay_out_blocks() {
  row_.push_back(0);
  for (int a = 0; a < system_.unknowns; ++a)
    for (int r = turn_[a]; r < turn_[a + 1]; ++r) {
      for (int n = pairs_.row[a]; n < pairs_.row[a + 1]; ++n)
        for (int c = turn_[pairs_.column[n]]; c < turn_[pairs_.column[n] + 1]; ++c) column_.push_back(c);
      row_.push_back(static_cast<int>(column_.size()));
    }
  blocks_.assign(column_.size(), Eigen::Matrix3d::Zero());
}

/// Of the Hessian's lower triangle: rows of block `lower`, columns of block `upper`.
Eigen::Matrix3d& ChainModel::block(int lower, int upper) {
  return blocks_[find_block(row_, column_, upper, lower)];
}

/// pair_(a, b) over all joints at and below a, at and below b; for b <= a.
void ChainModel::sum_pairs(const Pose& pose) {
  const System& s = system_;
  for (Eigen::Matrix4d& p : pair_) p.setZero();
  std::vector<Eigen::Matrix4d> moved;
  for (const Motion& motion : pose) moved.push_back(square(motion));
  for (int k = 0; k < s.unknowns; ++k) {
    for (int n = s.row[k]; n < s.row[k + 1]; ++n)
      pair_[find_block(pairs_.row, pairs_.column, k, s.column[n])] =
          moved[k] * s.total[n] * moved[s.column[n]].transpose();
    for (int n = pairs_.row[k + 1] - 1; n >= pairs_.row[k]; --n)
      if (const int up = pairs_.parent_column[n]; up >= 0) pair_[up] += pair_[n];
  }
  for (int k = s.unknowns - 1; k >= 0; --k)
    for (int n = pairs_.row[k]; n < pairs_.row[k + 1] && pairs_.column[n] <= s.parent[k]; ++n)
      pair_[pairs_.parent_row[n]] += pair_[n];
}

void ChainModel::expand(const FrameMoments& frame, const Pose& pose, Curvature curvature) {
  const System& s = system_;
  energy_ = frame.sq_norm;
  std::vector<Moment> below(s.unknowns);
  for (int u = 0; u < s.unknowns; ++u) {
    origin_[u] = origin_now(s, pose, u);
    const Moment residual = full_residual(s, frame, pose, u);
    energy_ -= (pose[u] * (frame.b[u] + residual)).trace();
    below[u] = square(pose[u]) * residual;
  }
  std::vector<Eigen::Matrix3d> turning(s.unknowns);  // sum (x - o) r^T of all that the joint carries
  for (int u = s.unknowns - 1; u >= 0; --u) {
    turning[u] = below[u].topRows<3>() - origin_[u] * below[u].row(3);
    gradient_.segment<3>(3 * turn_[u]) = -2 * cross_sum(turning[u]);
    if (is_root(s, u))
      gradient_.segment<3>(3 * turn_[u] + 3) = -2 * below[u].row(3).transpose();
    else
      below[s.parent[u]] += below[u];
  }
  sum_pairs(pose);
  fill_hessian(turning, curvature);
}

void ChainModel::fill_hessian(const std::vector<Eigen::Matrix3d>& turning, Curvature curvature) {
  const System& s = system_;
  for (int a = 0; a < s.unknowns; ++a)
    for (int n = pairs_.row[a]; n < pairs_.row[a + 1] && pairs_.column[n] <= a; ++n) {
      const int b = pairs_.column[n], row = turn_[a], column = turn_[b];
      const Eigen::Matrix4d p = about(pair_[n], origin_[a], origin_[b]);
      const Eigen::Matrix3d xx = p.topLeftCorner<3, 3>();
      block(row, column) = 2 * (xx.trace() * Eigen::Matrix3d::Identity() - xx.transpose());
      const bool tau_a = is_root(s, a), tau_b = is_root(s, b);
      if (tau_a) block(row + 1, column) = -2 * cross_matrix(p.bottomLeftCorner<1, 3>().transpose());
      if (tau_b && a != b) block(row, column + 1) = 2 * cross_matrix(p.topRightCorner<3, 1>());
      if (tau_a && tau_b) block(row + 1, column + 1) = 2 * p(3, 3) * Eigen::Matrix3d::Identity();
    }
  if (curvature == Curvature::exact) add_curvature(turning);
}

void ChainModel::add_curvature(const std::vector<Eigen::Matrix3d>& turning) {
  for (int b = 0; b < system_.unknowns; ++b) {
    const Eigen::Matrix3d c = 2 * (turning[b].trace() * Eigen::Matrix3d::Identity() - turning[b]);
    block(turn_[b], turn_[b]) += (c + c.transpose()) / 2;
    for (int a = system_.parent[b]; a >= 0; a = system_.parent[a])
      block(turn_[b], turn_[a]) += c.transpose();  // omega_a^T c omega_b, rows of b below those of a
  }
}

bool ChainModel::factor(double damping) {
  if (damping == 0) return factor(blocks_);
  damped_ = blocks_;
  for (int u = 0; u < system_.unknowns; ++u) {
    const Eigen::Matrix4d& p = pair_[find_block(pairs_.row, pairs_.column, u, u)];
    const Eigen::Vector3d spread = about(p, origin_[u], origin_[u]).diagonal().head<3>();
    const double mass = p(3, 3), inertia = std::max(spread.sum(), 1e-6 * mass);
    for (int r = turn_[u]; r < turn_[u + 1]; ++r)
      damped_[find_block(row_, column_, r, r)].diagonal().array() +=
          2 * damping * (r == turn_[u] ? inertia : mass);
  }
  return factor(damped_);
}

bool ChainModel::factor(const std::vector<Eigen::Matrix3d>& blocks) {
  if (cholesky_) return cholesky_->factor(blocks);
  dense_.compute(lower_triangle(blocks));
  return dense_.info() == Eigen::Success;
}

Step ChainModel::step() const {
  Step step = -gradient_;
  if (!cholesky_) return dense_.solve(step);
  cholesky_->solve_in_place(step);
  return step;
}

Pose ChainModel::retract(const Pose& pose, const Step& step) const {
  const System& s = system_;
  Pose out = pose;
  Pose change(s.unknowns);  // what a joint's own turn and those above it do to all that it carries
  for (int u = 0; u < s.unknowns; ++u) {
    const Eigen::Vector3d origin = origin_now(s, pose, u);
    Motion turn;
    turn.leftCols<3>() = rotation_of(step.segment<3>(3 * turn_[u]));
    turn.col(3) = origin - turn.leftCols<3>() * origin;
    if (is_root(s, u)) turn.col(3) += step.segment<3>(3 * turn_[u] + 3);
    change[u] = is_root(s, u) ? turn : compose(change[s.parent[u]], turn);
    out[u] = compose(change[u], pose[u]);
  }
  return on_chain(s, out);
}

Eigen::MatrixXd ChainModel::lower_triangle(const std::vector<Eigen::Matrix3d>& blocks) const {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(gradient_.size(), gradient_.size());
  for (int u = 0; u < turn_.back(); ++u)
    for (int n = row_[u]; n < row_[u + 1]; ++n)
      if (column_[n] >= u) all.block<3, 3>(3 * column_[n], 3 * u) = blocks[n];
  return all;
}

Eigen::MatrixXd ChainModel::hessian() const {
  return lower_triangle(blocks_).selfadjointView<Eigen::Lower>();
}

Pose on_chain(const System& s, const Pose& pose) {
  Pose out = pose;
  for (int u = 0; u < s.unknowns; ++u)
    if (!is_root(s, u)) {
      const Eigen::Vector3d carried = out[s.parent[u]].leftCols<3>() * s.origin[u] + out[s.parent[u]].col(3);
      out[u].col(3) = carried - out[u].leftCols<3>() * s.origin[u];
    }
  return out;
}

namespace {

/// Who is at or below a joint.
std::vector<char> carried_by(const System& s, int u) {
  std::vector<char> carried(s.unknowns, 0);
  carried[u] = 1;
  for (int k = u + 1; k < s.unknowns; ++k) carried[k] = s.parent[k] >= 0 && carried[s.parent[k]];
  return carried;
}

/// Moments of the points that a joint carries against where they should be, all else held.
PairMoments carried_moments(const System& s, const FrameMoments& frame, const Pose& pose,
                            const std::vector<char>& carried) {
  Moment residual = Moment::Zero();
  Eigen::Matrix4d own = Eigen::Matrix4d::Zero();
  for (int k = 0; k < s.unknowns; ++k) {
    if (!carried[k]) continue;
    residual += square(pose[k]) * full_residual(s, frame, pose, k);
    for (int n = s.row[k]; n < s.row[k + 1]; ++n)
      if (carried[s.column[n]]) own += square(pose[k]) * s.total[n] * square(pose[s.column[n]]).transpose();
  }
  const Moment wanted = residual + own.leftCols<3>();
  return {own(3, 3), own.topRightCorner<3, 1>(), wanted.row(3).transpose(), wanted.topRows<3>()};
}

}  // namespace

void sweep_chain(const System& s, const FrameMoments& frame, Pose& pose) {
  for (int u = 0; u < s.unknowns; ++u) {
    const std::vector<char> carried = carried_by(s, u);
    const PairMoments m = carried_moments(s, frame, pose, carried);
    Motion turn;
    if (is_root(s, u)) {
      turn = rigid_fit(m);
    } else {
      const Eigen::Vector3d o = origin_now(s, pose, u);
      const Eigen::Matrix3d cross =
          m.cross - m.source * o.transpose() - o * m.target.transpose() + m.mass * o * o.transpose();
      turn.leftCols<3>() = best_rotation(cross);
      turn.col(3) = o - turn.leftCols<3>() * o;
    }
    for (int k = u; k < s.unknowns; ++k)
      if (carried[k]) pose[k] = compose(turn, pose[k]);
  }
}

}  // namespace pelt
