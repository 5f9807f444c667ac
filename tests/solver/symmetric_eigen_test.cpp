#include "solver/symmetric_eigen.h"

#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>

#include "tests/fixtures.h"

using namespace pelt;

namespace {

Eigen::Matrix4d random_symmetric(test::Random& random, double scale) {
  Eigen::Matrix4d m;
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c <= r; ++c) m(r, c) = m(c, r) = scale * random.uniform(-1, 1);
  return m;
}

void check_pairs(const Eigen::Matrix4d& m) {
  const SymmetricEigen4 eigen = symmetric_eigen(m);
  const double size = std::max(m.norm(), 1e-300);
  CHECK((eigen.vectors.transpose() * eigen.vectors - Eigen::Matrix4d::Identity()).norm() < 1e-14);
  CHECK((m * eigen.vectors - eigen.vectors * eigen.values.asDiagonal()).norm() < 1e-14 * size);
}

}  // namespace

TEST_CASE("Jacobi eigenpairs agree with Eigen's solver") {
  test::Random random;
  for (int n = 0; n < 500; ++n) {
    const Eigen::Matrix4d m = random_symmetric(random, std::pow(10.0, random.uniform(-6, 6)));
    check_pairs(m);
    Eigen::Vector4d values = symmetric_eigen(m).values;
    std::sort(values.data(), values.data() + 4);
    const Eigen::Vector4d expected = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(m).eigenvalues();
    CHECK((values - expected).norm() < 1e-13 * m.norm());
  }
}

TEST_CASE("Jacobi eigenpairs of degenerate matrices") {
  check_pairs(Eigen::Matrix4d::Zero());
  check_pairs(Eigen::Matrix4d::Identity());
  check_pairs(Eigen::Matrix4d::Ones());
  check_pairs(Eigen::Vector4d(1, 1, -3, 1).asDiagonal());
}

TEST_CASE("Only the lower triangle is read") {
  test::Random random;
  Eigen::Matrix4d m = random_symmetric(random, 1);
  const Eigen::Vector4d expected = largest_eigenvector(m);
  m(0, 3) = 1e6;
  CHECK((largest_eigenvector(m) - expected).norm() == 0);
}

TEST_CASE("The largest eigenvector is exact where power iteration stalls") {
  // eigenvalues 1 and 1 - 1e-3: ten steps of power iteration leave (1 - 1e-3)^10 = 99 % of the wrong
  // component
  Eigen::Matrix4d basis = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(
                              Eigen::Vector4d(1, 2, 3, 4) * Eigen::Vector4d(1, 2, 3, 4).transpose() +
                              Eigen::Matrix4d(Eigen::Vector4d(1, 5, 2, 7).asDiagonal()))
                              .eigenvectors();
  const Eigen::Matrix4d m = basis * Eigen::Vector4d(1, 1 - 1e-3, -1, 0).asDiagonal() * basis.transpose();
  CHECK(std::abs(std::abs(largest_eigenvector(m).dot(basis.col(0))) - 1) < 1e-12);
  Eigen::Vector4d power = (basis.col(0) + basis.col(1)).normalized();
  for (int n = 0; n < 10; ++n) power = (m * power).normalized();
  CHECK(std::abs(power.dot(basis.col(0))) < 0.8);
}
