// Cyclic Jacobi rotations for a symmetric 4x4 matrix.
// Based on: C. G. J. Jacobi, 1846; the stable form of the rotation after H. Rutishauser, "The Jacobi method
// for real symmetric matrices", Numerische Mathematik 9, 1966. Power iteration is no substitute: its rate is
// the ratio of the two largest eigenvalues, which tends to 1 where a support is nearly symmetric, and it
// stalls near a thousandth of a degree.

#include "symmetric_eigen.h"

#include <algorithm>
#include <cmath>

namespace pelt {
namespace {

constexpr int kMaxCycles = 30;  // quadratic convergence: five or six are enough
// What is left beside the diagonal then is less than the rounding of the matrix itself.
constexpr double kRounding = 1e-16;

void turn(double c, double s, double& x, double& y) {
  const double x0 = x;
  x = c * x0 - s * y;
  y = s * x0 + c * y;
}

/// Makes element (p, q) of a vanish; accumulates the rotation in v. Of a the upper triangle counts.
void rotate(Eigen::Matrix4d& a, Eigen::Matrix4d& v, int p, int q) {
  const double apq = a(p, q);
  const double theta = (a(q, q) - a(p, p)) / (2 * apq);
  const double t = std::copysign(1.0, theta) /
                   (std::abs(theta) + std::sqrt(1 + theta * theta));  // 0 where theta overflows
  const double c = 1 / std::sqrt(1 + t * t), s = c * t;
  a(p, p) -= t * apq;
  a(q, q) += t * apq;
  a(p, q) = 0;
  for (int k = 0; k < 4; ++k) {
    if (k != p && k != q) turn(c, s, a(std::min(k, p), std::max(k, p)), a(std::min(k, q), std::max(k, q)));
    turn(c, s, v(k, p), v(k, q));
  }
}

/// A cycle over all elements above the diagonal; false if none was worth a rotation.
bool rotate_all(Eigen::Matrix4d& a, Eigen::Matrix4d& v, double negligible) {
  bool rotated = false;
  for (int p = 0; p < 3; ++p)
    for (int q = p + 1; q < 4; ++q) {
      if (!(std::abs(a(p, q)) > negligible)) continue;
      rotate(a, v, p, q);
      rotated = true;
    }
  return rotated;
}

}  // namespace

SymmetricEigen4 symmetric_eigen(const Eigen::Matrix4d& matrix) {
  Eigen::Matrix4d a = matrix.transpose();  // the lower triangle is given
  Eigen::Matrix4d v = Eigen::Matrix4d::Identity();
  const double negligible =
      kRounding * matrix.triangularView<Eigen::Lower>().toDenseMatrix().cwiseAbs().maxCoeff();
  for (int cycle = 0; cycle < kMaxCycles && rotate_all(a, v, negligible); ++cycle) continue;
  return {a.diagonal(), v};
}

Eigen::Vector4d largest_eigenvector(const Eigen::Matrix4d& matrix) {
  const SymmetricEigen4 eigen = symmetric_eigen(matrix);
  int column = 0, row = 0;
  eigen.values.maxCoeff(&column);
  Eigen::Vector4d vector = eigen.vectors.col(column).normalized();
  vector.cwiseAbs().maxCoeff(&row);
  return vector(row) < 0 ? Eigen::Vector4d(-vector) : vector;
}

}  // namespace pelt
