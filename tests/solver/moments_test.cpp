#include "solver/moments.h"

#include <catch2/catch.hpp>

#include "solver/error.h"
#include "solver/sweep.h"
#include "solver/system.h"
#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

/// Rest points under one joint in solve units, homogeneous, or zero where the joint has no influence on the
/// vertex.
Eigen::Vector4d weighted_point(const Rig& rig, const SolveUnit& unit, int vertex, int joint) {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (int k = rig.first_influence[vertex]; k < rig.first_influence[vertex + 1]; ++k)
    if (rig.joint[k] == joint) {
      const Eigen::Vector3d u = (rig.rest_point.col(k) - unit.centre) / unit.length;
      sum += rig.weight[k] * Eigen::Vector4d(u.x(), u.y(), u.z(), 1);
    }
  return sum;
}

Eigen::VectorXd random_shares(const Rig& rig, Random& random) {
  Eigen::VectorXd shares(rig.vertices());
  for (int i = 0; i < rig.vertices(); ++i) shares(i) = random.uniform(0, 1);
  return shares / shares.sum();
}

}  // namespace

TEST_CASE("Moments equal the sums over vertices") {
  Random random;
  const Rig rig = test::make_rig({.joints = 9, .vertices = 200, .influences = 3, .split = 0.2}, random);
  const Eigen::VectorXd shares = random_shares(rig, random);
  const RigMoments m = rig_moments(rig, shares);
  for (int j = 0; j < rig.joints(); ++j) {
    int n = m.row[j];
    for (int k = 0; k < rig.joints(); ++k) {
      Eigen::Matrix4d sum = Eigen::Matrix4d::Zero();
      for (int i = 0; i < rig.vertices(); ++i)
        sum += shares(i) * weighted_point(rig, m.unit, i, j) * weighted_point(rig, m.unit, i, k).transpose();
      if (n < m.row[j + 1] && m.column[n] == k)
        CHECK((m.block[n++] - sum).norm() < 1e-14);
      else
        CHECK(sum.norm() == 0);
    }
    CHECK(n == m.row[j + 1]);
  }
}

TEST_CASE("Blocks of different joints are not symmetric where rest points differ") {
  Random random;
  const Rig rig = test::make_rig({.joints = 2, .vertices = 50, .influences = 2, .split = 0.5}, random);
  const RigMoments m = rig_moments(rig, test::equal_shares(rig));
  REQUIRE(m.block.size() == 4);
  CHECK((m.block[1] - m.block[1].transpose()).norm() > 1e-3);
  CHECK((m.block[1] - m.block[2].transpose()).norm() == 0);
}

TEST_CASE("Target moments equal the sums over vertices") {
  Random random;
  const Rig rig = test::make_rig({.joints = 6, .vertices = 150, .influences = 3, .split = 0.1}, random);
  const Eigen::VectorXd shares = random_shares(rig, random);
  const RigMoments m = rig_moments(rig, shares);
  constexpr int kFrames = 5;
  std::vector<Eigen::Matrix3Xd> targets;
  for (int f = 0; f < kFrames; ++f) targets.push_back(skin(rig, test::random_pose(rig, 1, 1, random)));
  const TargetMoments t = target_moments(m, targets);
  for (int f = 0; f < kFrames; ++f) {
    double squares = 0;
    for (int j = 0; j < rig.joints(); ++j) {
      Eigen::Matrix<double, 4, 3> sum = Eigen::Matrix<double, 4, 3>::Zero();
      for (int i = 0; i < rig.vertices(); ++i) {
        const Eigen::Vector3d v = (targets[f].col(i) - m.unit.centre) / m.unit.length - t.shift.col(f);
        sum += shares(i) * weighted_point(rig, m.unit, i, j) * v.transpose();
        if (j == 0) squares += shares(i) * v.squaredNorm();
      }
      CHECK((t.b.block<4, 3>(4 * j, 3 * f) - sum).norm() < 1e-14);
    }
    CHECK(t.sq_norm(f) == Approx(squares).epsilon(1e-13));
  }
}

TEST_CASE("Energy in moment space equals the energy of the skinned surface") {
  Random random;
  const Rig rig = test::make_rig({.joints = 7, .vertices = 180, .influences = 3, .split = 0.3}, random);
  const Eigen::VectorXd shares = random_shares(rig, random);
  const RigMoments m = rig_moments(rig, shares);
  const System system = make_system(rig, m);
  for (int n = 0; n < 10; ++n) {
    const Eigen::Matrix3Xd target = skin(rig, test::random_pose(rig, 1, 1, random));
    const Pose pose = test::random_pose(rig, 1, 1, random);
    const FrameMoments frame = frame_moments(system, target_moments(m, std::span(&target, 1)), 0);
    Pose unit_pose;
    for (const Motion& motion : pose)
      unit_pose.push_back(to_unit(motion, m.unit)), unit_pose.back().col(3) -= frame.shift;
    const Eigen::VectorXd sq = (skin(rig, pose) - target).colwise().squaredNorm().transpose();
    CHECK(energy(system, frame, unit_pose) ==
          Approx(shares.dot(sq) / (m.unit.length * m.unit.length)).epsilon(1e-9));
  }
}

TEST_CASE("Targets far away keep the digits of their shape") {
  Random random;
  const Rig rig = test::make_rig({.joints = 5, .vertices = 100, .influences = 2}, random);
  const RigMoments m = rig_moments(rig, test::equal_shares(rig));
  const Eigen::Matrix3Xd target = skin(rig, test::random_pose(rig, 0.5, 0.2, random));
  const Eigen::Vector3d step(4096, 0, -1024);  // the sum costs 4096 * 2^-53
  const std::vector<Eigen::Matrix3Xd> targets{target, target.colwise() + step};
  const TargetMoments t = target_moments(m, targets);
  CHECK((t.b.leftCols(3) - t.b.rightCols(3)).norm() < 1e-12);
  CHECK(t.sq_norm(1) == Approx(t.sq_norm(0)).epsilon(1e-11));
  const Eigen::Vector3d away = t.shift.col(1) - t.shift.col(0);
  CHECK((away * m.unit.length - step).norm() < 1e-9);
}

TEST_CASE("Moments are bit-identical for any number of threads") {
  Random random;
  const Rig rig = test::make_rig({.joints = 15, .vertices = 3000, .influences = 4, .split = 0.1}, random);
  const Eigen::VectorXd shares = random_shares(rig, random);
  const RigMoments one = rig_moments(rig, shares, 1), four = rig_moments(rig, shares, 4);
  CHECK(one.block == four.block);
  std::vector<Eigen::Matrix3Xd> targets;
  for (int f = 0; f < 2; ++f) targets.push_back(skin(rig, test::random_pose(rig, 1, 1, random)));
  CHECK(target_moments(one, targets, 1).b == target_moments(one, targets, 4).b);
}

TEST_CASE("Solve units go back and forth") {
  Random random;
  const SolveUnit unit{random.vector(10), 7.5};
  const Motion motion = random.motion(2, 5);
  CHECK((from_unit(to_unit(motion, unit), unit) - motion).norm() < 1e-13);
  const Eigen::Vector3d x = random.vector(20), u = (x - unit.centre) / unit.length;
  const Motion scaled = to_unit(motion, unit);
  const Eigen::Vector3d moved = motion.leftCols<3>() * x + motion.col(3);
  CHECK((unit.centre + unit.length * (scaled.leftCols<3>() * u + scaled.col(3)) - moved).norm() < 1e-13);
}

TEST_CASE("Shares that are no measure are refused") {
  Random random;
  const Rig rig = test::make_rig({}, random);
  Eigen::VectorXd shares = test::equal_shares(rig);
  CHECK_THROWS_AS(rig_moments(rig, shares.head(3)), InvalidInput);
  shares(4) = -1;
  CHECK_THROWS_AS(rig_moments(rig, shares), InvalidInput);
  shares(4) = std::nan("");
  CHECK_THROWS_AS(rig_moments(rig, shares), InvalidInput);
}

TEST_CASE("A broken rig is refused with the vertex or joint that breaks it") {
  Random random;
  const Rig good = test::make_rig({}, random);
  CHECK_NOTHROW(validate(good));
  const auto refused = [&](auto&& spoil, const char* word) {
    Rig rig = good;
    spoil(rig);
    CHECK_THROWS_WITH(validate(rig), Catch::Contains(word));
  };
  refused([](Rig& r) { r.weight[5] = 0.9 * r.weight[5]; }, "vertex");
  refused([](Rig& r) { r.weight[0] = std::nan(""); }, "vertex 0");
  refused([](Rig& r) { r.joint[0] = 99; }, "joint 99");
  refused([](Rig& r) { r.parent[2] = 3; }, "joint 2");
  refused([](Rig& r) { r.rest_point(1, 0) = INFINITY; }, "vertex 0");
  refused([](Rig& r) { r.model_from_joint[3](0, 0) = std::nan(""); }, "joint 3");
  refused([](Rig& r) { r.model_from_joint.pop_back(); }, "rest transforms");
  refused([](Rig& r) { r.first_influence.back() += 1; }, "first_influence");
}
