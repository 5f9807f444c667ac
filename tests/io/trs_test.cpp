#include "io/trs.h"

#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <random>

using namespace pelt;

namespace {

Eigen::Matrix3d random_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
      .normalized()
      .toRotationMatrix();
}

/// Symmetric and positive definite: the identity but for `size`.
Eigen::Matrix3d stretch(double size, std::mt19937& random) {
  const Eigen::Matrix3d axes = random_rotation(random);
  return axes * Eigen::Vector3d(1 + size, 1 - size / 2, 1 + size / 3).asDiagonal() * axes.transpose();
}

}  // namespace

TEST_CASE("The rotation nearest to a rotated stretch is that rotation, however large the stretch") {
  std::mt19937 random{12345};
  for (const double size : {0.0, 1e-9, 1e-4, 2e-3, 1e-2, 0.3, 1.5})
    for (const double scale : {1e-6, 1.0, 1e6}) {
      INFO("stretch " << size << " at scale " << scale);
      const Eigen::Matrix3d rotation = random_rotation(random);
      const Eigen::Matrix3d found = closest_rotation(rotation * stretch(size, random) * scale);
      CHECK((found - rotation).norm() < 1e-14);
    }
}

TEST_CASE("The rotation nearest to a reflection is a rotation") {
  std::mt19937 random{12345};
  const Eigen::Matrix3d rotation = random_rotation(random);
  const Eigen::Matrix3d mirrored = rotation * Eigen::Vector3d(2, 3, -1).asDiagonal();
  const Eigen::Matrix3d found = closest_rotation(mirrored);
  CHECK(found.determinant() == Approx(1).epsilon(1e-14));
  CHECK((found - rotation).norm() < 1e-14);  // the smallest axis gives way: trace 2 + 3 - 1 is the largest
}
