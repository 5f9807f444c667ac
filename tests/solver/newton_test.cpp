#include "solver/newton.h"

#include <catch2/catch.hpp>

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
      CHECK(frame.newton_steps < 45);  // without longer steps along the valley up to 71
      CHECK(frame.gradient < 1e-9);
    }
  }
}
