#include "solver/close_loop.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "solver/solve.h"
#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

/// One joint that holds a cross of six points.
Rig cross() {
  Rig rig;
  rig.parent = {-1};
  rig.model_from_joint = {Eigen::Matrix4d::Identity()};
  rig.rest_point.resize(3, 6);
  rig.rest_point << 1, -1, 0, 0, 0, 0,  //
      0, 0, 0.7, -0.7, 0, 0,            //
      0, 0, 0, 0, 0.5, -0.5;
  for (int i = 0; i <= 6; ++i) rig.first_influence.push_back(i);
  rig.joint.assign(6, 0), rig.weight.assign(6, 1);
  return rig;
}

Eigen::Matrix3Xd turned(const Rig& rig, double angle) {
  Motion motion = Motion::Zero();
  motion.leftCols<3>() = rotation_of({angle, 0, 0});
  return skin(rig, {motion});
}

/// All points on the x axis but for noise: any turn about it is as good.
Eigen::Matrix3Xd flattened(const Rig& rig, double noise, Random& random) {
  Eigen::Matrix3Xd points = rig.rest_point;
  points.bottomRows<2>().setZero();
  for (int i = 0; i < points.cols(); ++i) points.col(i) += random.vector(noise);
  return points;
}

}  // namespace

TEST_CASE("A clip whose ends differ by the rounding of a file ends in its first pose") {
  Random random;
  const Rig rig = cross();
  const auto solve_with_ends = [&](double noise) {
    return solve_clip(
        rig,
        {flattened(rig, noise, random), turned(rig, 1.5), turned(rig, -1.5), flattened(rig, noise, random)},
        test::equal_shares(rig));
  };
  const SolveResult closed = solve_with_ends(1e-8);
  CHECK((closed.poses.front()[0] - closed.poses.back()[0]).norm() < 1e-7);
  const double rms = std::sqrt((2 * 0.7 * 0.7 + 2 * 0.5 * 0.5) / 6);  // of points that stay off the axis
  const double diag = std::sqrt(2 * 2 + 1.4 * 1.4 + 1);
  for (const FrameResult* end : {&closed.frames.front(), &closed.frames.back()}) {
    CHECK(end->rms == Approx(rms / diag).epsilon(1e-6));
    CHECK(end->gradient < 1e-7);
    CHECK(end->gradient > 0);  // that of its own targets, which it was not turned to
  }
  const SolveResult apart = solve_with_ends(1e-2);
  CHECK((apart.poses.front()[0] - apart.poses.back()[0]).norm() > 0.1);
}

TEST_CASE("A clip that a rig can follow is followed to its end, near as that is to its beginning") {
  Random random;
  const Rig rig = test::make_rig({.joints = 6, .vertices = 200, .influences = 2}, random);
  std::vector<Pose> clip;
  for (int f = 0; f < 4; ++f) clip.push_back(test::random_pose(rig, 0.4, 0.1, random));
  clip.push_back(clip.front());
  for (Motion& motion : clip.back()) motion.col(3) += random.vector(1e-6);
  std::vector<Eigen::Matrix3Xd> targets;
  for (const Pose& pose : clip) targets.push_back(skin(rig, pose));
  const SolveResult result = solve_clip(rig, targets, test::equal_shares(rig));
  for (std::size_t f = 0; f < clip.size(); ++f)
    CHECK((skin(rig, result.poses[f]) - targets[f]).cwiseAbs().maxCoeff() < 1e-10);
}
