// Skeletons of very many joints, which nobody draws and any file may have: the quick ways against slow ones,
// and sizes for which the slow ones would take minutes.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "batch/bone_distances.h"
#include "batch/legs.h"

namespace pelt {
namespace {

/// A skeleton all of whose joints hold something; what ends a chain has its tip at its origin.
Bones skeleton(const std::vector<int>& parents, const Eigen::Matrix3Xd& origin) {
  Bones bones;
  bones.parent = parents;
  bones.origin = bones.tip = origin;
  bones.weighted.assign(parents.size(), 1);
  bones.moves = bones.weighted;
  bones.children.resize(parents.size());
  bones.tip_from.assign(parents.size(), TipFrom::points);
  for (std::size_t j = 0; j < parents.size(); ++j)
    if (parents[j] >= 0) bones.children[parents[j]].push_back(static_cast<int>(j));
  return bones;
}

/// A leg of `count` joints from number `first` on.
Leg leg_of(int first, int count) {
  Leg leg;
  for (int j = first; j < first + count; ++j) leg.joints.push_back(j);
  return leg;
}

double slow_distance(const Bones& bones, const Leg& from, const Leg& to, const Plane& plane) {
  double most = 0;
  for (const int j : from.joints) {
    double least = INFINITY;
    for (const int k : to.joints)
      least = std::min(least, (bones.origin.col(k) - plane.mirrored(bones.origin.col(j))).norm());
    most = std::max(most, least);
  }
  return most;
}

double slow_asymmetry(const Bones& bones, const std::vector<Leg>& legs, const Plane& plane) {
  double most = 0;
  for (const Leg& a : legs) {
    double least = INFINITY;
    for (const Leg& b : legs)
      least = std::min(least, std::max(slow_distance(bones, a, b, plane), slow_distance(bones, b, a, plane)));
    most = std::max(most, least);
  }
  return most;
}

const Plane kMiddle{Eigen::Vector3d::UnitX(), 0.25};

}  // namespace

TEST_CASE("The asymmetry of legs is what comparing all joints gives, of several at one place too",
          "[health]") {
  std::mt19937 random(12345);
  for (int round = 0; round < 50; ++round) {
    std::vector<Leg> legs;
    int joints = 0;
    for (int l = 0; l < 1 + round % 7; ++l) {
      const int count = 1 + static_cast<int>(random() % 30);
      legs.push_back(leg_of(joints, count));
      joints += count;
    }
    Eigen::Matrix3Xd origin(3, joints);
    for (double& x : origin.reshaped()) x = static_cast<double>(random() % 5);
    const Bones bones = skeleton(std::vector<int>(joints, -1), origin);
    CHECK(leg_asymmetry(bones, legs, kMiddle) == Approx(slow_asymmetry(bones, legs, kMiddle)));
  }
}

TEST_CASE("Each of hundreds of legs finds its partner", "[health]") {
  constexpr int pairs = 150;
  std::vector<Leg> legs;
  Eigen::Matrix3Xd origin(3, 4 * pairs);  // hip and foot, left and right
  for (int n = 0; n < pairs; ++n) {
    const double z = n, off = n == 77 ? 0.125 : 0;
    origin.middleCols(4 * n, 4) << 1.25, 1.25, -0.75, -0.75 + off, 1, 0, 1, 0, z, z, z, z;
    legs.push_back(leg_of(4 * n, 2));
    legs.push_back(leg_of(4 * n + 2, 2));
  }
  const Bones bones = skeleton(std::vector<int>(4 * pairs, -1), origin);
  CHECK(leg_asymmetry(bones, legs, kMiddle) == Approx(0.125));
}

TEST_CASE("Legs of a hundred thousand joints are compared", "[health]") {
  constexpr int joints = 100000;
  Eigen::Matrix3Xd origin(3, 2 * joints);
  for (int j = 0; j < joints; ++j) {
    const double height = 1 - static_cast<double>(j) / joints;
    origin.col(j) << 1.25, height, std::sin(9 * height);
    origin.col(joints + j) << -0.75, height, std::sin(9 * height);
  }
  origin(0, joints + joints / 2) -= 0.5;
  const Bones bones = skeleton(std::vector<int>(2 * joints, -1), origin);
  CHECK(leg_asymmetry(bones, {leg_of(0, joints), leg_of(joints, joints)}, kMiddle) ==
        Approx(0.5).margin(1e-3));
}

TEST_CASE("Of a star of a hundred thousand joints every ray is a limb", "[health]") {
  constexpr int rays = 100000;
  std::vector<int> parents(rays + 1, 0);
  parents[0] = -1;
  Eigen::Matrix3Xd origin = Eigen::Matrix3Xd::Zero(3, rays + 1);
  for (int n = 1; n <= rays; ++n) origin.col(n) << std::cos(n), std::sin(n), 0;
  const Limbs limbs = limbs_of(skeleton(parents, origin), std::nullopt, 1);
  CHECK(limbs.limbs.size() == rays);
  CHECK(limbs.limb_of_joint[0] == -1);
}

TEST_CASE("A point is as far from a joint's many bones as from the nearest of them", "[health]") {
  std::mt19937 random(12345);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const int children : {0, 1, 16, 17, 200}) {
    std::vector<int> parents(children + 1, 0);
    parents[0] = -1;
    Eigen::Matrix3Xd origin(3, children + 1);
    for (double& x : origin.reshaped()) x = uniform(random);
    if (children > 2) origin.col(2) = origin.col(0);  // a bone without length
    Bones bones = skeleton(parents, origin);
    bones.tip.col(0) = Eigen::Vector3d(0.5, 0, 0);
    BoneDistances distances(bones);
    for (int n = 0; n < 100; ++n) {
      const Eigen::Vector3d p(2 * uniform(random), 2 * uniform(random), uniform(random)),
          from = origin.col(0);
      double least = INFINITY;
      for (int end = children > 0 ? 1 : 0; end <= children; ++end) {
        const Eigen::Vector3d bone = (children > 0 ? origin : bones.tip).col(end) - from;
        const double at = bone.norm() > 0 ? bone.dot(p - from) / bone.squaredNorm() : 0;
        least = std::min(least, (from + std::min(std::max(at, 0.0), 1.0) * bone - p).norm());
      }
      CHECK(distances.from(0, p) == Approx(least).margin(1e-12));
    }
  }
}

}  // namespace pelt
