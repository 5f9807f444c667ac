// Cyclic Jacobi rotations for a symmetric 4x4 matrix.
// Based on: C. G. J. Jacobi, 1846; the stable form of the rotation after H. Rutishauser, "The Jacobi method
// for real symmetric matrices", Numerische Mathematik 9, 1966. Power iteration is no substitute: its rate is
// the ratio of the two largest eigenvalues, which tends to 1 where a support is nearly symmetric, and it
// stalls near a thousandth of a degree.

#include "symmetric_eigen.h"

#include <cmath>

namespace pelt {
namespace {

constexpr int kMaxCycles = 30;  // quadratic convergence: five or six are enough

/// Makes element (p, q) of a vanish; accumulates the rotation in v.
void rotate(Eigen::Matrix4d& a, Eigen::Matrix4d& v, int p, int q) {
  const double apq = a(p, q);
  if (apq == 0) return;
  const double theta = (a(q, q) - a(p, p)) / (2 * apq);
  const double t = std::copysign(1.0, theta) /
                   (std::abs(theta) + std::sqrt(1 + theta * theta));  // 0 where theta overflows
  const double c = 1 / std::sqrt(1 + t * t), s = c * t;
  for (int k = 0; k < 4; ++k) {
    const double akp = a(k, p), akq = a(k, q);
    a(k, p) = c * akp - s * akq;
    a(k, q) = s * akp + c * akq;
  }
  for (int k = 0; k < 4; ++k) {
    const double apk = a(p, k), aqk = a(q, k);
    a(p, k) = c * apk - s * aqk;
    a(q, k) = s * apk + c * aqk;
    const double vkp = v(k, p), vkq = v(k, q);
    v(k, p) = c * vkp - s * vkq;
    v(k, q) = s * vkp + c * vkq;
  }
  a(p, q) = a(q, p) = 0;
}

double off_diagonal(const Eigen::Matrix4d& a) {
  double sum = 0;
  for (int p = 0; p < 3; ++p)
    for (int q = p + 1; q < 4; ++q) sum += std::abs(a(p, q));
  return sum;
}

}  // namespace

SymmetricEigen4 symmetric_eigen(const Eigen::Matrix4d& matrix) {
  Eigen::Matrix4d a = matrix.selfadjointView<Eigen::Lower>();
  Eigen::Matrix4d v = Eigen::Matrix4d::Identity();
  const double negligible = 1e-17 * a.cwiseAbs().maxCoeff();
  for (int cycle = 0; cycle < kMaxCycles && off_diagonal(a) > negligible; ++cycle)
    for (int p = 0; p < 3; ++p)
      for (int q = p + 1; q < 4; ++q) rotate(a, v, p, q);
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
