#pragma once

#include <Eigen/Core>
#include <vector>

#include "moments.h"
#include "rig.h"

namespace pelt {

/// The quadratic form of the solve in a rig's own joints: E(D) = sum_jk tr(D_j A_jk D_k^T) - 2 sum_j tr(D_j
/// b_j) + sum a |v|^2.
///
/// Unknowns are the joints that the surface sees, or that have such a joint below them; all others ride on
/// their parent. `total` is the surface's A plus two prices, both zero where a joint moves with its parent:
///   - the vanishing prior, kPrior * mass * |D_j x - D_p x|^2 over a few points about its support (or its
///   origin): it makes motions unique
///     where the support does not (one point, a line, two joints with the same weights) and moves others by
///     less than 1e-9;
///   - price * mass * |D_j o - D_p o|^2 at the joint's origin o: stiffness, or more of it, stretch.
struct System {
  SolveUnit unit;
  std::vector<Support> support;  ///< J; what the surface says of each joint of the rig
  double mass = 0;               ///< of the surface that has influences
  int unknowns = 0;
  std::vector<int> joint;       ///< B; rig joint of an unknown, parents first
  std::vector<int> unknown;     ///< J; -1 for joints that ride on their parent
  std::vector<int> rig_parent;  ///< J; as in the rig
  std::vector<int> parent;      ///< B; unknown above, or -1
  std::vector<int> row,
      column;                 ///< block rows over unknowns, ascending, diagonal included, tree edges included
  std::vector<int> diagonal;  ///< B; where A_jj is
  std::vector<Eigen::Matrix4d> surface;  ///< A_jk of the surface alone (zero on pure tree edges)
  std::vector<Eigen::Matrix4d> regular;  ///< with the prior
  std::vector<Eigen::Matrix4d> total;    ///< with prior and price
  std::vector<Eigen::Matrix4d>
      root_prior;  ///< B; for roots what ties them to the motion of the whole surface, else zero
  std::vector<Eigen::Matrix4d> around;  ///< B; second moment, of mass 1, of the prior's points
  std::vector<Eigen::Vector3d> pivot;   ///< B; rest point about which a joint's rotation is counted
  std::vector<Eigen::Vector3d> origin;  ///< B; of the joint at rest, solve units
};

/// Without a price.
System make_system(const Rig& rig, const RigMoments& moments);

/// The same with a price. \throw InvalidInput if it is negative or not finite.
System with_price(const System& system, double price);

/// One frame's right-hand side: 4 x 3 blocks over the unknowns, roots tied to `whole`, the rigid motion of
/// all targets.
struct FrameMoments {
  std::vector<Eigen::Matrix<double, 4, 3>> b;  ///< B
  double sq_norm = 0;                          ///< sum a |v|^2 plus the constant of the root prior
  Motion whole;           ///< best rigid motion of the whole surface from rest, solve units
  Eigen::Vector3d shift;  ///< as in TargetMoments
};

FrameMoments frame_moments(const System& system, const TargetMoments& targets, int frame);

/// Residual moment with motion j left in or out: b_j - sum_k A_jk D_k^T over all k (full) or k != j.
Eigen::Matrix<double, 4, 3> full_residual(const System& system, const FrameMoments& frame, const Pose& pose,
                                          int j);
Eigen::Matrix<double, 4, 3> block_residual(const System& system, const FrameMoments& frame, const Pose& pose,
                                           int j);

/// E with all prices, never below zero. Cancellation leaves about 1e-16 of sq_norm.
double energy(const System& system, const FrameMoments& frame, const Pose& pose);

/// Poses over unknowns, found about the shift of their frame, to poses over all joints of the rig in model
/// space. Joints that ride take their parent's motion.
Pose expand(const System& system, const Pose& unknown_pose, const Eigen::Vector3d& shift);

/// The way back.
Pose unknowns_of(const System& system, const Pose& pose, const Eigen::Vector3d& shift);

}  // namespace pelt
