// Closest rotation: Umeyama 1991, "Least-squares estimation of transformation parameters between two point
// patterns", the lemma's R = U S V^T with S = diag(1, 1, det U det V).
#include "trs.h"

#include <Eigen/LU>
#include <Eigen/SVD>

namespace pelt {

Eigen::Matrix4d matrix_of(const Trs& trs) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = trs.rotation.toRotationMatrix() * trs.scale.asDiagonal();
  m.topRightCorner<3, 1>() = trs.translation;
  return m;
}

Eigen::Matrix3d closest_rotation(const Eigen::Matrix3d& m) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double sign = svd.matrixU().determinant() * svd.matrixV().determinant() < 0 ? -1 : 1;
  return svd.matrixU() * Eigen::Vector3d(1, 1, sign).asDiagonal() * svd.matrixV().transpose();
}

Trs nearest_trs(const Eigen::Matrix4d& parent_from_local) {
  const Eigen::Matrix3d linear = parent_from_local.topLeftCorner<3, 3>();
  Trs trs;
  trs.translation = parent_from_local.topRightCorner<3, 1>();
  trs.scale = linear.colwise().norm();
  if (linear.determinant() < 0) trs.scale.x() = -trs.scale.x();
  trs.rotation = closest_rotation(linear * trs.scale.asDiagonal());
  return trs;
}

Trs rest_trs(const Node& node) { return node.matrix ? nearest_trs(*node.matrix) : node.trs; }

Eigen::Matrix4d rest_local(const Node& node) { return node.matrix ? *node.matrix : matrix_of(node.trs); }

}  // namespace pelt
