#include <catch2/catch.hpp>

#include "solver/error.h"
#include "solver/solve.h"
#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

/// Targets that no rigid motions reach, frame by frame a little further.
struct Clip {
  System system;
  RigMoments moments;
  std::vector<Eigen::Matrix3Xd> targets;
};

Clip make_clip(int frames) {
  Random random;
  const Rig rig = test::make_rig({.joints = 9, .vertices = 200, .influences = 3}, random);
  Clip clip{{}, rig_moments(rig, test::equal_shares(rig)), {}};
  clip.system = make_system(rig, clip.moments);
  const Pose from = test::random_pose(rig, 0.3, 0.1, random), to = test::random_pose(rig, 0.3, 0.1, random);
  Eigen::Matrix3Xd noise(3, rig.vertices());
  for (auto point : noise.colwise()) point = random.vector(0.1);
  for (int f = 0; f < frames; ++f) {
    const double t = f / (frames - 1.0);
    clip.targets.push_back((1 - t) * skin(rig, from) + t * skin(rig, to) + noise);
  }
  return clip;
}

std::vector<Eigen::Matrix3Xd> every_other(const std::vector<Eigen::Matrix3Xd>& targets) {
  std::vector<Eigen::Matrix3Xd> some;
  for (std::size_t f = 0; f < targets.size(); f += 2) some.push_back(targets[f]);
  return some;
}

}  // namespace

TEST_CASE("Answered frames keep their answers and those between are solved as if there were none") {
  const Clip clip = make_clip(9);
  const TargetMoments all = target_moments(clip.moments, clip.targets),
                      some = target_moments(clip.moments, every_other(clip.targets));
  for (const Freedom freedom : {Freedom::free, Freedom::rotate, Freedom::scale}) {
    CAPTURE(static_cast<int>(freedom));
    const SolveSettings settings{.freedom = freedom, .stiffness = 0};
    const SolveResult before = solve_clips(clip.system, {some}, settings).front();
    const Answered answered{&before, {0, -1, 1, -1, 2, -1, 3, -1, 4}};
    const SolveResult after = solve_clips(clip.system, {all}, settings, {answered}).front();
    const SolveResult anew = solve_clips(clip.system, {all}, settings).front();
    for (int f = 0; f < 9; ++f) {
      CHECK(after.frames[f].rms == Approx(anew.frames[f].rms).epsilon(1e-7));
      CHECK(after.frames[f].converged);
      CHECK(after.affine[f] == anew.affine[f]);
      if (f % 2 == 0) CHECK(after.poses[f] == before.poses[f / 2]);
    }
  }
}

TEST_CASE("A clip keeps the price that it was answered at") {
  const Clip clip = make_clip(5);
  const TargetMoments all = target_moments(clip.moments, clip.targets);
  SolveResult before = solve_clips(clip.system, {all}).front();
  REQUIRE(before.price > 0);
  before.price *= 2;
  CHECK(solve_clips(clip.system, {all}, {}, {{&before, {0, 1, -1, 3, 4}}}).front().price == before.price);
  CHECK(solve_clips(clip.system, {all}, {}, {Answered{}}).front().price == Approx(before.price / 2));
}

TEST_CASE("Answers of another number of clips or frames are refused") {
  const Clip clip = make_clip(3);
  const TargetMoments all = target_moments(clip.moments, clip.targets);
  const SolveResult before = solve_clips(clip.system, {all}).front();
  CHECK_THROWS_AS(solve_clips(clip.system, {all}, {}, {Answered{}, Answered{}}), InvalidInput);
  CHECK_THROWS_AS(solve_clips(clip.system, {all}, {}, {{&before, {0, 1}}}), InvalidInput);
  CHECK_THROWS_AS(solve_clips(clip.system, {all}, {}, {{&before, {0, 1, 3}}}), InvalidInput);
}
