// Umeyama 1991, "Least-squares estimation of transformation parameters between two point patterns", eq.
// 40-43, with weights; for a mirror image the sign that makes the rotation proper is turned round.
#include "similarity.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

namespace pelt {

bool is_mirror(const Eigen::Matrix4d& similarity) {
  return similarity.topLeftCorner<3, 3>().determinant() < 0;
}

double scale_of(const Eigen::Matrix4d& similarity) {
  return std::cbrt(std::abs(similarity.topLeftCorner<3, 3>().determinant()));
}

std::optional<Eigen::Matrix4d> fit_similarity(const Eigen::Matrix3Xd& from, const Eigen::Matrix3Xd& to,
                                              const Eigen::VectorXd& weights, bool mirrored) {
  const double mass = weights.sum();
  if (!(mass > 0)) return std::nullopt;
  const Eigen::VectorXd share = weights / mass;
  const Eigen::Vector3d from_mean = from * share, to_mean = to * share;
  const Eigen::Matrix3Xd from_centred = from.colwise() - from_mean, to_centred = to.colwise() - to_mean;
  const Eigen::Matrix3d covariance = to_centred * share.asDiagonal() * from_centred.transpose();
  const double variance = from_centred.colwise().squaredNorm() * share;

  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const bool improper = svd.matrixU().determinant() * svd.matrixV().determinant() < 0;
  const Eigen::Vector3d sign(1, 1, improper != mirrored ? -1 : 1);
  const Eigen::Matrix3d rotation = svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
  const double scale = svd.singularValues().dot(sign) / variance;
  if (!(scale > 0) || !std::isfinite(scale)) return std::nullopt;

  Eigen::Matrix4d to_from_from = Eigen::Matrix4d::Identity();
  to_from_from.topLeftCorner<3, 3>() = scale * rotation;
  to_from_from.topRightCorner<3, 1>() = to_mean - scale * rotation * from_mean;
  return to_from_from;
}

}  // namespace pelt
