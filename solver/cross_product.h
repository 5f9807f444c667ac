#pragma once

#include <Eigen/Core>

namespace pelt {

/// [v], with [v] a = v x a.
inline Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& v) {
  Eigen::Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

/// sum a x b of M = sum a b^T.
inline Eigen::Vector3d cross_sum(const Eigen::Matrix3d& m) {
  return {m(1, 2) - m(2, 1), m(2, 0) - m(0, 2), m(0, 1) - m(1, 0)};
}

}  // namespace pelt
