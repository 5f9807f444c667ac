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

TEST_CASE("What was solved keeps its answers and what is between is solved as if there were none") {
  const Clip clip = make_clip(9);
  const TargetMoments all = target_moments(clip.moments, clip.targets),
                      some = target_moments(clip.moments, every_other(clip.targets));
  for (const Freedom freedom : {Freedom::free, Freedom::rotate, Freedom::scale}) {
    CAPTURE(static_cast<int>(freedom));
    const SolveSettings settings{.freedom = freedom, .stiffness = 0};
    SolveResult before = solve_clips(clip.system, {some}, settings).front();
    for (Pose& pose : before.poses) pose[0](0, 3) += 1e-3;  // no solve would find these
    const Earlier earlier{&before, {0, -1, 1, -1, 2, -1, 3, -1, 4}};
    const SolveResult after = solve_clips(clip.system, {all}, settings, {earlier}).front();
    const SolveResult anew = solve_clips(clip.system, {all}, settings).front();
    for (int f = 0; f < 9; ++f) {
      CHECK(after.frames[f].rms == Approx(anew.frames[f].rms).epsilon(1e-7));
      CHECK(after.frames[f].converged);
      CHECK(after.affine[f] == anew.affine[f]);
      if (f % 2 == 0) CHECK(after.poses[f] == before.poses[f / 2]);
    }
  }
}

TEST_CASE("What was solved before gives the same bits for any number of threads") {
  const Clip clip = make_clip(9);
  const TargetMoments all = target_moments(clip.moments, clip.targets),
                      some = target_moments(clip.moments, every_other(clip.targets));
  for (const Freedom freedom : {Freedom::free, Freedom::rotate, Freedom::scale}) {
    const SolveResult before = solve_clips(clip.system, {some}, {.freedom = freedom}).front();
    const Earlier earlier{&before, {0, -1, 1, -1, 2, -1, 3, -1, 4}};
    const auto with = [&](int threads) {
      return solve_clips(clip.system, {all}, {.freedom = freedom, .threads = threads}, {earlier}).front();
    };
    const SolveResult one = with(1);
    for (const int threads : {2, 4}) CHECK(one.poses == with(threads).poses);
  }
}

TEST_CASE("What was left open is solved again") {
  const Clip clip = make_clip(3);
  const TargetMoments all = target_moments(clip.moments, clip.targets);
  const SolveResult anew = solve_clips(clip.system, {all}).front();
  SolveResult before = anew;
  for (Pose& pose : before.poses) pose[0](0, 3) += 1e-3;
  before.frames[0].converged = false;
  before.frames[1].converged = false, before.frames[1].flat = true;
  const SolveResult after = solve_clips(clip.system, {all}, {}, {{&before, {0, 1, 2}}}).front();
  CHECK(after.frames[0].converged);
  CHECK(after.poses[0] != before.poses[0]);
  CHECK(after.frames[0].rms == Approx(anew.frames[0].rms));
  for (const int f : {1, 2}) CHECK(after.poses[f] == before.poses[f]);
}

TEST_CASE("A loop whose ends were solved before ends as it began") {
  Clip clip = make_clip(5);
  clip.targets.back() = clip.targets.front();
  const TargetMoments all = target_moments(clip.moments, clip.targets),
                      some = target_moments(clip.moments, every_other(clip.targets));
  for (const Freedom freedom : {Freedom::free, Freedom::rotate, Freedom::scale}) {
    const SolveResult before = solve_clips(clip.system, {some}, {.freedom = freedom}).front();
    const Earlier earlier{&before, {0, -1, 1, -1, 2}};
    const SolveResult after = solve_clips(clip.system, {all}, {.freedom = freedom}, {earlier}).front();
    CHECK(after.poses.front() == after.poses.back());
    CHECK(after.poses.front() == before.poses.front());
  }
}

TEST_CASE("A clip keeps the price of its earlier solve") {
  const Clip clip = make_clip(5);
  const TargetMoments all = target_moments(clip.moments, clip.targets);
  SolveResult before = solve_clips(clip.system, {all}).front();
  REQUIRE(before.price > 0);
  before.price *= 2;
  CHECK(solve_clips(clip.system, {all}, {}, {{&before, {0, 1, -1, 3, 4}}}).front().price == before.price);
  CHECK(solve_clips(clip.system, {all}, {}, {Earlier{}}).front().price == Approx(before.price / 2));
}

TEST_CASE("Earlier solves of another number of clips, frames or joints are refused") {
  const Clip clip = make_clip(3);
  const TargetMoments all = target_moments(clip.moments, clip.targets);
  SolveResult before = solve_clips(clip.system, {all}).front();
  CHECK_THROWS_AS(solve_clips(clip.system, {all}, {}, {Earlier{}, Earlier{}}), InvalidInput);
  CHECK_THROWS_AS(solve_clips(clip.system, {all}, {}, {{&before, {0, 1}}}), InvalidInput);
  CHECK_THROWS_AS(solve_clips(clip.system, {all}, {}, {{&before, {0, 1, 3}}}), InvalidInput);
  before.poses[1].pop_back();
  CHECK_THROWS_AS(solve_clips(clip.system, {all}, {}, {{&before, {0, 1, 2}}}), InvalidInput);
}
