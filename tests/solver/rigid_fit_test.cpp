#include "solver/rigid_fit.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

struct Pairs {
  Eigen::Matrix3Xd from, to;
  Eigen::VectorXd mass;
};

PairMoments moments_of(const Pairs& pairs) {
  PairMoments m;
  for (Eigen::Index i = 0; i < pairs.from.cols(); ++i) {
    m.mass += pairs.mass(i);
    m.source += pairs.mass(i) * pairs.from.col(i);
    m.target += pairs.mass(i) * pairs.to.col(i);
    m.cross += pairs.mass(i) * pairs.from.col(i) * pairs.to.col(i).transpose();
  }
  return m;
}

Pairs random_pairs(Random& random, int count) {
  Pairs pairs{Eigen::Matrix3Xd(3, count), Eigen::Matrix3Xd(3, count), Eigen::VectorXd(count)};
  for (int i = 0; i < count; ++i) {
    pairs.from.col(i) = random.vector();
    pairs.mass(i) = random.uniform(0.1, 2);
  }
  return pairs;
}

Eigen::Matrix3Xd moved(const Motion& motion, const Eigen::Matrix3Xd& points) {
  return (motion.leftCols<3>() * points).colwise() + motion.col(3);
}

/// The slow twin: Kabsch 1976, by singular values, with the determinant kept at +1.
Motion kabsch(const Pairs& pairs) {
  const Eigen::Vector3d a = pairs.from * pairs.mass / pairs.mass.sum(),
                        b = pairs.to * pairs.mass / pairs.mass.sum();
  const Eigen::Matrix3d cross =
      (pairs.to.colwise() - b) * pairs.mass.asDiagonal() * (pairs.from.colwise() - a).transpose();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(cross, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Vector3d sign(1, 1, (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1);
  Motion motion;
  motion.leftCols<3>() = svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
  motion.col(3) = b - motion.leftCols<3>() * a;
  return motion;
}

double determinant(const Motion& m) { return m.leftCols<3>().determinant(); }

}  // namespace

TEST_CASE("A rotation of 90 degrees about z is found with its centre") {
  Pairs pairs{Eigen::Matrix3Xd(3, 3), Eigen::Matrix3Xd(3, 3), Eigen::Vector3d(1, 2, 3)};
  pairs.from << 1, 0, 0, 0, 1, 0, 0, 0, 1;
  pairs.to << 5, 4, 5, 1, 0, 0, 0, 0, 1;  // (x, y, z) -> (5 - y, x, z)
  pairs.to.col(0) = Eigen::Vector3d(5, 1, 0);
  pairs.to.col(1) = Eigen::Vector3d(4, 0, 0);
  pairs.to.col(2) = Eigen::Vector3d(5, 0, 1);
  Motion expected;
  expected << 0, -1, 0, 5, 1, 0, 0, 0, 0, 0, 1, 0;
  CHECK((rigid_fit(moments_of(pairs)) - expected).norm() < 1e-14);
}

TEST_CASE("Horn's fit agrees with the singular-value fit on noisy pairs") {
  Random random;
  for (int n = 0; n < 300; ++n) {
    Pairs pairs = random_pairs(random, 12);
    pairs.to = moved(random.motion(3, 5), pairs.from);
    for (int i = 0; i < 12; ++i) pairs.to.col(i) += random.vector(0.3);
    CHECK((rigid_fit(moments_of(pairs)) - kabsch(pairs)).norm() < 1e-11);
  }
}

TEST_CASE("Exact motions of any angle are recovered") {
  Random random;
  for (const double angle : {0.0, 1e-9, 1e-3, 1.0, M_PI / 2, M_PI - 1e-7, M_PI}) {
    for (int n = 0; n < 20; ++n) {
      Pairs pairs = random_pairs(random, 6);
      Motion motion;
      motion.leftCols<3>() = rotation_of(angle * random.vector().normalized());
      motion.col(3) = random.vector(3);
      pairs.to = moved(motion, pairs.from);
      CHECK((moved(rigid_fit(moments_of(pairs)), pairs.from) - pairs.to).norm() < 1e-13);
    }
  }
}

TEST_CASE("A mirrored target gets the best proper rotation") {
  Random random;
  for (int n = 0; n < 50; ++n) {
    Pairs pairs = random_pairs(random, 9);
    pairs.to = pairs.from;
    pairs.to.row(0) *= -1;
    const Motion motion = rigid_fit(moments_of(pairs));
    CHECK(determinant(motion) == Approx(1).margin(1e-13));
    const auto error = [&](const Motion& m) {
      return ((moved(m, pairs.from) - pairs.to) * pairs.mass.cwiseSqrt().asDiagonal()).norm();
    };
    CHECK(error(motion) == Approx(error(kabsch(pairs))).epsilon(1e-10));
  }
}

TEST_CASE("Planar, collinear and single supports are fitted exactly") {
  Random random;
  for (const int rank : {2, 1, 0}) {
    Pairs pairs = random_pairs(random, 7);
    for (int row = rank; row < 3; ++row) pairs.from.row(row).setConstant(0.5);
    pairs.to = moved(random.motion(2, 2), pairs.from);
    const Motion motion = rigid_fit(moments_of(pairs));
    CHECK(determinant(motion) == Approx(1).margin(1e-13));
    CHECK((moved(motion, pairs.from) - pairs.to).norm() < 1e-13);
  }
}

TEST_CASE("A rotation vector turns by its length") {
  CHECK((rotation_of(Eigen::Vector3d::Zero()) - Eigen::Matrix3d::Identity()).norm() == 0);
  for (const double angle : {1e-12, 1e-5, 0.99e-4, 1.01e-4, 0.3, 3.0, 6.0}) {
    Eigen::Matrix3d expected;
    expected << std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1;
    CHECK((rotation_of(angle * Eigen::Vector3d::UnitZ()) - expected).norm() < 1e-15);
  }
}

TEST_CASE("Composition and inverse cancel") {
  Random random;
  const Motion a = random.motion(2, 3), b = random.motion(1, 1);
  CHECK((compose(compose(a, b), inverse(b)) - a).norm() < 1e-14);
  CHECK((compose(inverse(a), a) - Motion(Motion::Identity())).norm() < 1e-14);
}
