#include "system.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "block_rows.h"
#include "error.h"
#include "rigid_fit.h"

namespace pelt {
namespace {

constexpr double kPrior = 1e-12;  // times the joint's share of the surface
constexpr double kHidden = 1e-3;  // a joint without weights follows what hangs on it rather than its parent
constexpr double kPriorReach = 0.05;  // radius of the prior's points, fraction of the solve unit's length

/// Joints with weights, and everything above them.
void choose_unknowns(const Rig& rig, System& s) {
  std::vector<char> active(rig.joints(), 0);
  for (int j = rig.joints() - 1; j >= 0; --j) {
    if (s.support[j].mass > 0) active[j] = 1;
    if (active[j] && rig.parent[j] >= 0) active[rig.parent[j]] = 1;
  }
  s.unknown.assign(rig.joints(), -1);
  for (int j = 0; j < rig.joints(); ++j) {
    if (!active[j]) continue;
    s.unknown[j] = s.unknowns++;
    s.joint.push_back(j);
    s.parent.push_back(rig.parent[j] < 0 ? -1 : s.unknown[rig.parent[j]]);
  }
}

/// The rows of the surface's A, widened by the tree's edges.
void lay_out_blocks(const RigMoments& m, System& s) {
  std::vector<std::vector<int>> children(s.unknowns);
  for (int u = 0; u < s.unknowns; ++u)
    if (s.parent[u] >= 0) children[s.parent[u]].push_back(u);
  s.row.assign(1, 0);
  for (int u = 0; u < s.unknowns; ++u) {
    std::vector<int> columns = children[u];
    if (s.parent[u] >= 0) columns.push_back(s.parent[u]);
    columns.push_back(u);
    const int j = s.joint[u];
    for (int n = m.row[j]; n < m.row[j + 1]; ++n)
      if (s.unknown[m.column[n]] >= 0) columns.push_back(s.unknown[m.column[n]]);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    s.column.insert(s.column.end(), columns.begin(), columns.end());
    s.row.push_back(static_cast<int>(s.column.size()));
  }
}

int find(const System& s, int u, int v) { return find_block(s.row, s.column, u, v); }

void copy_surface(const RigMoments& m, System& s) {
  s.surface.assign(s.column.size(), Eigen::Matrix4d::Zero());
  for (int u = 0; u < s.unknowns; ++u) {
    s.diagonal.push_back(find(s, u, u));
    for (int n = m.row[s.joint[u]]; n < m.row[s.joint[u] + 1]; ++n)
      if (const int v = s.unknown[m.column[n]]; v >= 0) s.surface[find(s, u, v)] = m.block[n];
  }
  s.regular = s.surface;
  s.root_prior.assign(s.unknowns, Eigen::Matrix4d::Zero());
}

/// Adds |D_u x - D_p x|^2 over points with second moment q. \pre u has a parent.
void tie_to_parent(const System& s, int u, const Eigen::Matrix4d& q, std::vector<Eigen::Matrix4d>& blocks) {
  const int p = s.parent[u];
  blocks[s.diagonal[u]] += q;
  blocks[s.diagonal[p]] += q;
  blocks[find(s, u, p)] -= q;
  blocks[find(s, p, u)] -= q;
}

/// How much surface a joint speaks for: its own share, or for one without weights `hidden` times that of the
/// joints just below.
std::vector<double> shares(const System& s, double hidden) {
  std::vector<double> share(s.unknowns, 0.0), below(s.unknowns, 0.0);
  for (int u = s.unknowns - 1; u >= 0; --u) {
    const double own = s.support[s.joint[u]].mass;
    share[u] = own > 0 ? own : hidden * below[u];
    if (s.parent[u] >= 0) below[s.parent[u]] += share[u];
  }
  return share;
}

/// The joint's origin in solve units, as a homogeneous point.
Eigen::Vector4d origin_of(const Rig& rig, const System& s, int u) {
  const Eigen::Vector3d origin = rig.model_from_joint[s.joint[u]].topRightCorner<3, 1>();
  return ((origin - s.unit.centre) / s.unit.length).homogeneous();
}

void add_prior(const Rig& rig, System& s) {
  const std::vector<double> share = shares(s, kHidden);
  for (int u = 0; u < s.unknowns; ++u) {
    const Support& support = s.support[s.joint[u]];
    const Eigen::Vector4d centre =
        support.mass > 0 ? support.centroid.homogeneous().eval() : origin_of(rig, s, u);
    s.around.push_back(centre * centre.transpose());
    s.around[u].diagonal().head<3>().array() += kPriorReach * kPriorReach;
    const Eigen::Matrix4d tie = kPrior * share[u] * s.around[u];
    if (s.parent[u] >= 0)
      tie_to_parent(s, u, tie, s.regular);
    else
      s.regular[s.diagonal[u]] += s.root_prior[u] = tie;
  }
}

/// What follows from `total`.
void find_pivots(System& s) {
  s.pivot.clear();
  for (int u = 0; u < s.unknowns; ++u) {
    const Eigen::Matrix4d& a = s.total[s.diagonal[u]];
    s.pivot.push_back(a.topRightCorner<3, 1>() / a(3, 3));
  }
}

}  // namespace

System make_system(const Rig& rig, const RigMoments& moments) {
  System s;
  s.unit = moments.unit;
  s.support = moments.support;
  s.mass = moments.measure.sum();
  s.rig_parent = rig.parent;
  choose_unknowns(rig, s);
  lay_out_blocks(moments, s);
  copy_surface(moments, s);
  add_prior(rig, s);
  for (int u = 0; u < s.unknowns; ++u) s.origin.push_back(origin_of(rig, s, u).head<3>());
  s.total = s.regular;
  find_pivots(s);
  return s;
}

System with_price(const System& system, double price) {
  if (!(price >= 0) || !std::isfinite(price))
    throw InvalidInput("a price on leaving the parent must be finite and not negative");
  System s = system;
  s.total = s.regular;
  // what hangs on a joint without weights must not leave through it at no price
  const std::vector<double> mass = shares(s, 1);
  for (int u = 0; u < s.unknowns; ++u) {
    const Eigen::Vector4d origin = s.origin[u].homogeneous();
    if (s.parent[u] >= 0 && price * mass[u] > 0)
      tie_to_parent(s, u, price * mass[u] * origin * origin.transpose(), s.total);
  }
  find_pivots(s);
  return s;
}

FrameMoments frame_moments(const System& s, const TargetMoments& targets, int frame) {
  FrameMoments out;
  PairMoments whole;
  for (int u = 0; u < s.unknowns; ++u) {
    out.b.push_back(targets.b.block<4, 3>(4 * s.joint[u], 3 * frame));
    whole.cross += out.b[u].topRows<3>();
    whole.target += out.b[u].row(3).transpose();
  }
  for (const Eigen::Matrix4d& a : s.surface) {
    whole.source += a.topRightCorner<3, 1>();
    whole.mass += a(3, 3);
  }
  out.whole = whole.mass > 0 ? rigid_fit(whole) : Motion(Motion::Identity());
  out.sq_norm = targets.sq_norm(frame);
  out.shift = targets.shift.col(frame);
  for (int u = 0; u < s.unknowns; ++u) {
    if (s.parent[u] >= 0) continue;
    const Eigen::Matrix<double, 4, 3> pull = s.root_prior[u] * out.whole.transpose();
    out.b[u] += pull;
    out.sq_norm += (out.whole * pull).trace();
  }
  return out;
}

Eigen::Matrix<double, 4, 3> full_residual(const System& s, const FrameMoments& frame, const Pose& pose,
                                          int j) {
  Eigen::Matrix<double, 4, 3> r = frame.b[j];
  for (int n = s.row[j]; n < s.row[j + 1]; ++n) r.noalias() -= s.total[n] * pose[s.column[n]].transpose();
  return r;
}

Eigen::Matrix<double, 4, 3> block_residual(const System& s, const FrameMoments& frame, const Pose& pose,
                                           int j) {
  Eigen::Matrix<double, 4, 3> r = frame.b[j];
  for (int n = s.row[j]; n < s.row[j + 1]; ++n)
    if (s.column[n] != j) r.noalias() -= s.total[n] * pose[s.column[n]].transpose();
  return r;
}

double energy(const System& s, const FrameMoments& frame, const Pose& pose) {
  double sum = frame.sq_norm;
  for (int j = 0; j < s.unknowns; ++j)
    sum -= (pose[j] * (frame.b[j] + full_residual(s, frame, pose, j))).trace();
  return std::max(sum, 0.0);
}

Pose expand(const System& s, const Pose& unknown_pose, const Eigen::Vector3d& shift) {
  Pose pose(s.unknown.size(), Motion::Identity());
  for (std::size_t j = 0; j < pose.size(); ++j) {
    if (s.unknown[j] >= 0) {
      Motion motion = unknown_pose[s.unknown[j]];
      motion.col(3) += shift;
      pose[j] = from_unit(motion, s.unit);
    } else if (s.rig_parent[j] >= 0) {
      pose[j] = pose[s.rig_parent[j]];
    }
  }
  return pose;
}

Pose unknowns_of(const System& s, const Pose& pose, const Eigen::Vector3d& shift) {
  Pose unknowns;
  for (const int j : s.joint) {
    unknowns.push_back(to_unit(pose[j], s.unit));
    unknowns.back().col(3) -= shift;
  }
  return unknowns;
}

}  // namespace pelt
