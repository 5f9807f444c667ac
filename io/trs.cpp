// Closest rotation: the polar factor by Newton's iteration (N. J. Higham, "Computing the polar decomposition
// - with applications", SIAM J. Sci. Stat. Comput. 7, 1986, section 3) where the matrix is nearly a rotation,
// as most are; else Umeyama 1991, "Least-squares estimation of transformation parameters between two point
// patterns", the lemma's R = U S V^T with S = diag(1, 1, det U det V).
#include "trs.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

namespace pelt {

Eigen::Matrix4d matrix_of(const Trs& trs) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = trs.rotation.toRotationMatrix() * trs.scale.asDiagonal();
  m.topRightCorner<3, 1>() = trs.translation;
  return m;
}

namespace {

constexpr double kNearRotation = 1e-2;  // from there two or three steps reach the last digit
constexpr int kMostSteps = 6;

double distance_from_rotation(const Eigen::Matrix3d& m) {
  return (m.transpose() * m - Eigen::Matrix3d::Identity()).norm();
}

/// The rotation nearest to what is nearly one.
Eigen::Matrix3d polar_rotation(Eigen::Matrix3d r) {
  for (int step = 0; step < kMostSteps; ++step) {
    const Eigen::Matrix3d next = (r + r.inverse().transpose()) / 2;
    const double change = (next - r).norm();
    r = next;
    if (change < 1e-8) break;  // the error that is left is its square
  }
  return r;
}

}  // namespace

Eigen::Matrix3d closest_rotation(const Eigen::Matrix3d& m) {
  const double determinant = m.determinant();
  if (const Eigen::Matrix3d unit = m / std::cbrt(determinant);
      determinant > 0 && distance_from_rotation(unit) < kNearRotation)
    return polar_rotation(unit);
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

bool flattens(const Eigen::Matrix4d& affine) {
  const Eigen::Matrix3d linear = affine.topLeftCorner<3, 3>();
  return !(std::abs(linear.determinant()) > 1e-12 * std::pow(linear.norm(), 3));
}

Eigen::Matrix4d rest_local(const Node& node) { return node.matrix ? *node.matrix : matrix_of(node.trs); }

}  // namespace pelt
