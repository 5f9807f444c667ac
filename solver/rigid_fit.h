#pragma once

#include <Eigen/Core>

#include "rig.h"

namespace pelt {

/// Moments of point pairs (x, y) with weights m: all that the best rigid motion depends on.
struct PairMoments {
  double mass = 0;                                   ///< sum m
  Eigen::Vector3d source = Eigen::Vector3d::Zero();  ///< sum m x
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< sum m y
  Eigen::Matrix3d cross = Eigen::Matrix3d::Zero();   ///< sum m x y^T
};

/// Horn's symmetric 4x4 matrix of a 3x3 cross-covariance sum m x y^T (centred); its largest eigenvector is
/// the quaternion (w, x, y, z) of the rotation that takes x to y.
Eigen::Matrix4d horn_matrix(const Eigen::Matrix3d& cross_covariance);

/// The proper rotation that maximises trace(R * cross_covariance), by horn_matrix and Jacobi rotations.
Eigen::Matrix3d best_rotation(const Eigen::Matrix3d& cross_covariance);

/// The rigid motion that minimises sum m |R x + t - y|^2. Identity rotation where nothing determines it.
/// \pre mass > 0
Motion rigid_fit(const PairMoments& moments);

/// The rotation by |omega| radians about omega (Rodrigues), exact for small angles.
Eigen::Matrix3d rotation_of(const Eigen::Vector3d& omega);

/// a after b: x -> a(b(x)).
Motion compose(const Motion& a, const Motion& b);

/// The inverse of a rigid motion.
Motion inverse(const Motion& rigid);

}  // namespace pelt
