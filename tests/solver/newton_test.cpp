#include "solver/newton.h"

#include <catch2/catch.hpp>
#include <limits>
#include <span>

#include "solver/progress.h"
#include "solver/solve.h"
#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

/// The rig with a twin for each joint, which shares its vertices all but evenly.
Rig with_twins(const Rig& plain, Random& random) {
  Rig rig = plain;
  rig.first_influence = {0}, rig.joint.clear(), rig.weight.clear();
  rig.rest_point.resize(3, 2 * plain.influences());
  for (int j = 0; j < plain.joints(); ++j) {
    rig.parent.push_back(j);
    rig.model_from_joint.push_back(plain.model_from_joint[j]);
  }
  for (int i = 0; i < plain.vertices(); ++i) {
    for (int k = plain.first_influence[i]; k < plain.first_influence[i + 1]; ++k) {
      const double share = 0.5 + random.uniform(-1e-4, 1e-4);
      for (const int twin : {0, 1}) {
        rig.rest_point.col(rig.influences()) = plain.rest_point.col(k);
        rig.joint.push_back(plain.joint[k] + twin * plain.joints());
        rig.weight.push_back(plain.weight[k] * (twin ? 1 - share : share));
      }
    }
    rig.first_influence.push_back(rig.influences());
  }
  return rig;
}

}  // namespace

TEST_CASE("Joints that lie on top of each other are solved to the end in every frame") {
  Random random;
  for (const double noise : {0.01, 0.1, 0.3}) {
    const Rig plain = test::make_rig({.joints = 30, .vertices = 600, .influences = 3}, random);
    const Rig rig = with_twins(plain, random);
    std::vector<Eigen::Matrix3Xd> targets;
    for (int f = 0; f < 6; ++f) {
      targets.push_back(skin(plain, test::random_pose(plain, 0.6, 0.1, random)));
      for (auto point : targets.back().colwise()) point += random.vector(noise);
    }
    const SolveResult result = solve_clip(rig, targets, test::equal_shares(rig));
    for (const FrameResult& frame : result.frames) {
      CHECK(frame.converged);
      CHECK(frame.newton_steps < 35);  // without longer and shorter steps along the valley up to 71
      CHECK(frame.gradient < 1e-9);
    }
  }
}

TEST_CASE("A start that will not come down to the goal is given up") {
  Random random;
  const Rig plain = test::make_rig({.joints = 30, .vertices = 600, .influences = 3}, random);
  const Rig rig = with_twins(with_twins(with_twins(plain, random), random), random);  // eight on each other
  const RigMoments moments = rig_moments(rig, test::equal_shares(rig));
  const System system = make_system(rig, moments);
  Eigen::Matrix3Xd target = skin(plain, test::random_pose(plain, 0.6, 0.1, random));
  for (auto point : target.colwise()) point += random.vector(0.1);
  const FrameMoments frame = frame_moments(system, target_moments(moments, std::span(&target, 1)), 0);
  Pose start;
  for (int u = 0; u < system.unknowns; ++u) start.push_back(random.motion(0.3, 0.1));
  NewtonSettings settings;
  settings.max_steps = 1000;
  const auto polish = [&](double goal) {
    Pose pose = start;
    settings.goal = goal;
    return NewtonSolver(system).polish(frame, settings, pose);
  };
  const NewtonOutcome end = polish(std::numeric_limits<double>::infinity());
  REQUIRE((end.converged || end.flat));
  REQUIRE(end.steps > 60);
  CHECK(!end.given_up);
  CHECK(polish(1.5 * end.energy).steps == end.steps);
  const NewtonOutcome given_up = polish(0.5 * end.energy);
  CHECK(given_up.given_up);
  CHECK(!given_up.converged);
  CHECK(given_up.steps <= 60);
}

TEST_CASE("Many steps that bring next to nothing are followed by no more") {
  const auto steps_until_still = [](double share, double from) {
    Progress progress{1e-16, 0};
    double energy = from;
    int steps = 0;
    while (!progress.still && steps < 1000) progress.look(++steps, energy), energy *= 1 - share;
    return steps;
  };
  // twenty steps of a share of 4e-9 take off 8e-8, of 6e-9 more than a ten-millionth
  CHECK(steps_until_still(4e-9, 1) == 40);
  CHECK(steps_until_still(6e-9, 1) == 1000);
  // halved again and again until what is left is rounding: 2^-54 < 1e-16
  CHECK(steps_until_still(0.5, 1) == 80);
}

TEST_CASE("What twenty steps took off is thought to go on for two hundred") {
  const auto is_hopeless = [](double goal) {
    Progress progress{0, goal};
    for (int steps = 1; steps <= 40; ++steps) progress.look(steps, 100 - 0.1 * steps);
    return progress.hopeless;  // at 96, having lost 2
  };
  CHECK(!is_hopeless(76.1));
  CHECK(is_hopeless(75.9));
}
