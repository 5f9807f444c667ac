// Based on: B. K. P. Horn, "Closed-form solution of absolute orientation using unit quaternions", JOSA A 4,
// 1987: section 4.A for the 4x4 matrix and its largest eigenvector, section 2.C for the translation from the
// centroids. The quaternion form never yields a reflection, so mirrored and planar supports need no special
// case.

#include "rigid_fit.h"

#include <Eigen/Geometry>
#include <cmath>

#include "symmetric_eigen.h"

namespace pelt {

Eigen::Matrix4d horn_matrix(const Eigen::Matrix3d& s) {
  Eigen::Matrix4d n;
  n << s(0, 0) + s(1, 1) + s(2, 2), s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0),  //
      s(1, 2) - s(2, 1), s(0, 0) - s(1, 1) - s(2, 2), s(0, 1) + s(1, 0), s(2, 0) + s(0, 2),   //
      s(2, 0) - s(0, 2), s(0, 1) + s(1, 0), s(1, 1) - s(0, 0) - s(2, 2), s(1, 2) + s(2, 1),   //
      s(0, 1) - s(1, 0), s(2, 0) + s(0, 2), s(1, 2) + s(2, 1), s(2, 2) - s(0, 0) - s(1, 1);
  return n;
}

Eigen::Matrix3d best_rotation(const Eigen::Matrix3d& cross_covariance) {
  const Eigen::Vector4d q = largest_eigenvector(horn_matrix(cross_covariance));
  return Eigen::Quaterniond(q(0), q(1), q(2), q(3)).toRotationMatrix();
}

Motion rigid_fit(const PairMoments& m) {
  const Eigen::Matrix3d centred = m.cross - m.source * m.target.transpose() / m.mass;
  Motion motion;
  motion.leftCols<3>() =
      centred.isZero(0) ? Eigen::Matrix3d(Eigen::Matrix3d::Identity()) : best_rotation(centred);
  motion.col(3) = (m.target - motion.leftCols<3>() * m.source) / m.mass;
  return motion;
}

Eigen::Matrix3d rotation_of(const Eigen::Vector3d& omega) {
  const double angle = omega.norm();
  // sin(x/2)/x by its series near 0, where the quotient loses digits
  const double half = angle < 1e-4 ? 0.5 - angle * angle / 48 : std::sin(0.5 * angle) / angle;
  const Eigen::Vector3d v = half * omega;
  return Eigen::Quaterniond(std::cos(0.5 * angle), v.x(), v.y(), v.z()).normalized().toRotationMatrix();
}

Motion compose(const Motion& a, const Motion& b) {
  Motion c;
  c.leftCols<3>() = a.leftCols<3>() * b.leftCols<3>();
  c.col(3) = a.leftCols<3>() * b.col(3) + a.col(3);
  return c;
}

Motion inverse(const Motion& rigid) {
  Motion inv;
  inv.leftCols<3>() = rigid.leftCols<3>().transpose();
  inv.col(3) = -inv.leftCols<3>() * rigid.col(3);
  return inv;
}

}  // namespace pelt
