#include "solver/solve.h"

#include <Eigen/LU>
#include <catch2/catch.hpp>

#include "solver/error.h"
#include "solver/newton.h"
#include "solver/sweep.h"
#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

std::vector<Eigen::Matrix3Xd> skinned(const Rig& rig, const std::vector<Pose>& poses) {
  std::vector<Eigen::Matrix3Xd> surfaces;
  for (const Pose& pose : poses) surfaces.push_back(skin(rig, pose));
  return surfaces;
}

double size_of(const Rig& rig) { return solve_unit(rig, test::equal_shares(rig)).length; }

/// Largest distance between targets and the solved surface over all frames, fraction of diag.
double worst(const Rig& rig, const std::vector<Eigen::Matrix3Xd>& targets, const SolveResult& result) {
  double largest = 0;
  for (std::size_t f = 0; f < targets.size(); ++f)
    largest = std::max(largest, test::largest_distance(skin(rig, result.poses[f]), targets[f]));
  return largest / size_of(rig);
}

/// A clip whose motions grow smoothly from rest.
std::vector<Pose> smooth_clip(const Rig& rig, int frames, double angle, Random& random) {
  std::vector<Eigen::Vector3d> axes, shifts;
  for (int j = 0; j < rig.joints(); ++j)
    axes.push_back(random.vector(angle)), shifts.push_back(random.vector(0.3));
  std::vector<Pose> poses;
  for (int f = 0; f < frames; ++f) {
    const double t = static_cast<double>(f) / std::max(frames - 1, 1);
    Pose pose;
    for (int j = 0; j < rig.joints(); ++j) {
      Motion motion;
      motion.leftCols<3>() = rotation_of(t * axes[j]);
      motion.col(3) = t * shifts[j];
      pose.push_back(motion);
    }
    poses.push_back(pose);
  }
  return poses;
}

std::vector<Eigen::Matrix3Xd> noisy(std::vector<Eigen::Matrix3Xd> surfaces, double noise, Random& random) {
  for (auto& surface : surfaces)
    for (Eigen::Index i = 0; i < surface.cols(); ++i) surface.col(i) += random.vector(noise);
  return surfaces;
}

/// One vertex per point, all of weight 1 on the joint given.
Rig rigid_rig(const std::vector<std::pair<int, Eigen::Vector3d>>& points, std::vector<int> parent) {
  Rig rig;
  rig.parent = std::move(parent);
  rig.model_from_joint.assign(rig.parent.size(), Eigen::Matrix4d::Identity());
  rig.first_influence.push_back(0);
  rig.rest_point.resize(3, static_cast<Eigen::Index>(points.size()));
  for (const auto& [joint, point] : points) {
    rig.rest_point.col(rig.influences()) = point;
    rig.joint.push_back(joint);
    rig.weight.push_back(1);
    rig.first_influence.push_back(rig.influences());
  }
  return rig;
}

}  // namespace

TEST_CASE("Skinning the solution of a skinned pose gives the surface back") {
  Random random;
  for (const double size : {0.01, 1.0, 100.0})
    for (const double split : {0.0, 0.2}) {
      const Rig rig = test::make_rig(
          {.joints = 10, .vertices = 300, .influences = 3, .split = split * size, .size = size}, random);
      std::vector<Pose> poses = smooth_clip(rig, 6, 1.0, random);
      for (Pose& pose : poses)
        for (Motion& motion : pose) motion.col(3) *= size;
      const auto targets = skinned(rig, poses);
      CHECK(worst(rig, targets, solve_clip(rig, targets, test::equal_shares(rig))) < 1e-9);
    }
}

TEST_CASE("Half turns are solved exactly") {
  Random random;
  const Rig rig = test::make_rig({.joints = 5, .vertices = 200, .influences = 2}, random);
  Pose pose;
  for (int j = 0; j < rig.joints(); ++j) {
    Motion motion;
    motion.leftCols<3>() = rotation_of(M_PI * random.vector().normalized());
    motion.col(3) = random.vector();
    pose.push_back(motion);
  }
  const auto targets = skinned(rig, {pose});
  CHECK(worst(rig, targets, solve_clip(rig, targets, test::equal_shares(rig))) < 1e-9);
}

TEST_CASE("A rigid motion of everything commutes with the solve") {
  Random random;
  const Rig rig = test::make_rig({.joints = 8, .vertices = 250, .influences = 3, .split = 0.1}, random);
  const auto targets = noisy(skinned(rig, smooth_clip(rig, 3, 0.5, random)), 0.05, random);
  const Motion world = random.motion(2, 5);
  auto moved = targets;
  for (auto& m : moved) m = (world.leftCols<3>() * m).colwise() + world.col(3);
  const SolveResult a = solve_clip(rig, targets, test::equal_shares(rig)),
                    b = solve_clip(rig, moved, test::equal_shares(rig));
  for (std::size_t f = 0; f < targets.size(); ++f) {
    const Eigen::Matrix3Xd expected = (world.leftCols<3>() * skin(rig, a.poses[f])).colwise() + world.col(3);
    CHECK(test::largest_distance(skin(rig, b.poses[f]), expected) < 1e-8);
    CHECK(b.frames[f].rms == Approx(a.frames[f].rms).epsilon(1e-9));
  }
}

TEST_CASE("A rest target gives identity motions") {
  Random random;
  const Rig rig = test::make_rig({}, random);
  const auto targets = skinned(rig, {rest_pose(rig)});
  const SolveResult result = solve_clip(rig, targets, test::equal_shares(rig));
  for (const Motion& motion : result.poses[0]) CHECK((motion - Motion(Motion::Identity())).norm() < 1e-8);
  CHECK(result.frames[0].converged);
}

TEST_CASE("Motions are rigid whatever the targets") {
  Random random;
  const Rig rig = test::make_rig({}, random);
  auto targets = skinned(rig, {rest_pose(rig)});
  targets[0].row(0) *= -2;  // mirrored and stretched
  const SolveResult result = solve_clip(rig, targets, test::equal_shares(rig));
  for (const Motion& motion : result.poses[0]) {
    const Eigen::Matrix3d r = motion.leftCols<3>();
    CHECK((r.transpose() * r - Eigen::Matrix3d::Identity()).norm() < 1e-13);
    CHECK(r.determinant() > 0);
  }
}

TEST_CASE("Results are bit-identical for any number of threads") {
  Random random;
  const Rig rig = test::make_rig({.joints = 12, .vertices = 400, .influences = 3, .split = 0.1}, random);
  const auto targets = noisy(skinned(rig, smooth_clip(rig, 12, 1.5, random)), 0.1, random);
  const SolveResult one = solve_clip(rig, targets, test::equal_shares(rig), {.threads = 1});
  for (const int threads : {2, 3, 5}) {
    const SolveResult many = solve_clip(rig, targets, test::equal_shares(rig), {.threads = threads});
    CHECK(one.poses == many.poses);
    CHECK(one.affine == many.affine);
  }
}

TEST_CASE("Joints on a plane, a line and a point are unique and follow their parent where nothing tells") {
  const std::vector<std::pair<int, Eigen::Vector3d>> points{
      {0, {0, 0, 0}}, {0, {1, 0, 0}}, {0, {0, 1, 0}}, {0, {0, 0, 1}},  // a solid root
      {1, {2, 0, 0}}, {1, {3, 0, 0}}, {1, {2, 1, 0}},                  // a plane
      {2, {0, 2, 0}}, {2, {0, 3, 0}}, {2, {0, 4, 0}},                  // a line along y
      {3, {0, 0, 2}}};                                                 // a point
  Rig rig = rigid_rig(points, {-1, 0, 0, 0});
  rig.model_from_joint[3](2, 3) = 2;  // the joint stands at its point
  Random random;
  const Motion root = random.motion(1, 1);
  Pose truth(4, root);
  truth[3].col(3) += Eigen::Vector3d(0.1, 0.2, 0.3);  // the point moves away, keeping its parent's turn
  const auto targets = skinned(rig, {truth});
  const SolveResult result = solve_clip(rig, targets, test::equal_shares(rig));
  CHECK(worst(rig, targets, result) < 1e-9);
  for (int j = 0; j < 4; ++j) CHECK((result.poses[0][j].leftCols<3>() - root.leftCols<3>()).norm() < 1e-5);
}

TEST_CASE("A line of vertices seventy lengths from its joint keeps to the bars of the control") {
  std::vector<std::pair<int, Eigen::Vector3d>> points;
  for (const double x : {0.0, 0.3, 1.0}) points.emplace_back(0, Eigen::Vector3d(100 + x, 0, 0));
  for (const double y : {0.5, 1.0}) points.emplace_back(1, Eigen::Vector3d(100, y, 0));
  const Rig rig = rigid_rig(points, {-1, 0});
  Pose pose(2);
  pose[0].leftCols<3>() = rotation_of({0.6, 0, 0.8});
  pose[0].col(3).setZero();
  pose[1] = compose(pose[0], (Motion() << rotation_of({0, 0, 1.2}), Eigen::Vector3d(120, -90, 0)).finished());
  const auto targets = skinned(rig, {pose});
  CHECK(worst(rig, targets, solve_clip(rig, targets, test::equal_shares(rig))) < 5e-7);
}

TEST_CASE("Two joints with the same weights everywhere move together") {
  Random random;
  Rig rig = rigid_rig({}, {-1, 0});
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < 20; ++i) {
    const Eigen::Vector3d p = random.vector();
    for (const int joint : {0, 1}) rig.joint.push_back(joint), rig.weight.push_back(0.5), points.push_back(p);
    rig.first_influence.push_back(rig.influences());
  }
  rig.rest_point.resize(3, 40);
  for (int k = 0; k < 40; ++k) rig.rest_point.col(k) = points[k];
  const Motion motion = random.motion(1, 1);
  const SolveResult result = solve_clip(rig, skinned(rig, {Pose(2, motion)}), test::equal_shares(rig));
  // the mean of two rotations hardly depends on a small difference between them, so it is found to the root
  // of the precision only
  for (int j = 0; j < 2; ++j) CHECK((result.poses[0][j] - motion).norm() < 1e-4);
}

TEST_CASE("Joints without weights ride on their parent or keep what hangs on them in place") {
  Random random;
  // 0 root (seen), 1 leaf without weights, 2 hidden between root and the seen joints 3 and 4, 5 root without
  // anything
  std::vector<std::pair<int, Eigen::Vector3d>> points;
  for (const int joint : {0, 3, 4})
    for (int n = 0; n < 6; ++n) points.emplace_back(joint, random.vector());
  const Rig rig = rigid_rig(points, {-1, 0, 0, 2, 2, -1});
  const Motion body = random.motion(1, 1), limbs = random.motion(1, 1);
  const SolveResult result =
      solve_clip(rig, skinned(rig, {{body, body, body, limbs, limbs, body}}), test::equal_shares(rig));
  const Pose& pose = result.poses[0];
  CHECK((pose[0] - body).norm() < 1e-8);
  CHECK((pose[1] - body).norm() < 1e-8);
  CHECK((pose[2] - limbs).norm() < 2e-2);  // the limbs count a thousand times more than the parent
  CHECK((pose[3] - limbs).norm() < 1e-8);
  CHECK((pose[5] - Motion(Motion::Identity())).norm() == 0);
}

TEST_CASE("Vertices that do not count change nothing") {
  Random random;
  const Rig rig = test::make_rig({}, random);
  auto targets = skinned(rig, {test::random_pose(rig, 0.5, 0.5, random)});
  Eigen::VectorXd shares = test::equal_shares(rig);
  const SolveResult before = solve_clip(rig, targets, shares);
  shares(7) = 0;
  targets[0].col(7) += Eigen::Vector3d(100, 0, 0);
  CHECK(test::largest_distance(skin(rig, solve_clip(rig, targets, shares).poses[0]),
                               skin(rig, before.poses[0])) < 1e-8);
}

TEST_CASE("The three starts reach the best of many random starts") {
  Random random;
  const Rig rig = test::make_rig({.joints = 6, .vertices = 150, .influences = 3}, random);
  const auto targets = noisy(skinned(rig, smooth_clip(rig, 5, 2.0, random)), 0.3, random);
  const SolveResult result = solve_clip(rig, targets, test::equal_shares(rig), {.stiffness = 0});
  const RigMoments moments = rig_moments(rig, test::equal_shares(rig));
  const System system = make_system(rig, moments);
  NewtonSolver newton(system);
  for (std::size_t f = 0; f < targets.size(); ++f) {
    const FrameMoments frame =
        frame_moments(system, target_moments(moments, std::span(targets).subspan(f, 1)), 0);
    double best = INFINITY;
    for (int n = 0; n < 40; ++n) {
      Pose pose;
      for (int u = 0; u < system.unknowns; ++u) pose.push_back(random.motion(3, 0.5));
      sweep_until_still(system, frame, {1e-4, 30}, pose);
      best = std::min(best, newton.polish(frame, {}, pose).energy);
    }
    CHECK(result.frames[f].rms <= std::sqrt(best) * (1 + 1e-7));
    CHECK(result.frames[f].rms > result.frames[f].floor_rms);
    CHECK(result.frames[f].converged);
    CHECK(result.frames[f].gradient < 1e-10);
  }
}

TEST_CASE(
    "A price on leaving the parent holds through a joint without weights and on a joint of one vertex") {
  Random random;
  std::vector<std::pair<int, Eigen::Vector3d>> points;
  for (const int joint : {0, 2})
    for (int n = 0; n < 8; ++n)
      points.emplace_back(joint, random.vector() + Eigen::Vector3d(0, 2 * joint, 0));
  points.emplace_back(3, Eigen::Vector3d(3, 0.5, 0));
  Rig rig = rigid_rig(points, {-1, 0, 1, 0});  // body; hidden; limb; a joint of one vertex
  rig.model_from_joint[2](1, 3) = 3;
  rig.model_from_joint[1](1, 3) = 2;
  rig.model_from_joint[3](0, 3) = 2;
  Pose truth = rest_pose(rig);
  truth[2].col(3) << 0, 0.5, 0;
  const auto gap = [&](double price) {
    const Pose pose =
        solve_clip(rig, skinned(rig, {truth}), test::equal_shares(rig), {.stretch = price}).poses[0];
    const auto leaves = [&](int j) {
      const Eigen::Vector3d o = rig.model_from_joint[j].topRightCorner<3, 1>();
      const Motion change = pose[j] - pose[rig.parent[j]];
      return (change.leftCols<3>() * o + change.col(3)).norm();
    };
    return leaves(1) + leaves(2);
  };
  CHECK(gap(0) == Approx(0.5).margin(0.01));
  CHECK(gap(1) < 0.4 * gap(0) + 0.2);
  CHECK(gap(100) < gap(1));
  // a turn of the one vertex about its joint's origin costs nothing, so it is found whatever the price
  Pose turned = rest_pose(rig);
  const Eigen::Vector3d o(2, 0, 0);
  turned[3].leftCols<3>() = rotation_of({0, 0, 0.8});
  turned[3].col(3) = o - turned[3].leftCols<3>() * o;
  const Pose found =
      solve_clip(rig, skinned(rig, {turned}), test::equal_shares(rig), {.stretch = 100}).poses[0];
  CHECK((found[3].leftCols<3>() * o + found[3].col(3) - o).norm() < 1e-7);
}

TEST_CASE("A clip that ends on its first targets ends in its first pose to the bit") {
  Random random;
  const Rig rig = test::make_rig({.joints = 9, .vertices = 200, .influences = 3}, random);
  auto targets = noisy(skinned(rig, smooth_clip(rig, 5, 1.5, random)), 0.2, random);
  targets.push_back(targets.front());
  const SolveResult result = solve_clip(rig, targets, test::equal_shares(rig));
  CHECK(result.poses.front() == result.poses.back());
  CHECK(result.poses[1] != result.poses.back());
}

TEST_CASE("The price draws a joint's origin to its parent's motion and never its rotation") {
  Random random;
  const Rig rig = test::make_rig({.joints = 6, .vertices = 300, .influences = 2}, random);
  const auto travel = [&](const Pose& pose) {
    double sum = 0;
    for (int j = 1; j < rig.joints(); ++j) {
      const Motion change = pose[j] - pose[rig.parent[j]];
      sum += (change.leftCols<3>() * rig.model_from_joint[j].topRightCorner<3, 1>() + change.col(3)).norm();
    }
    return sum;
  };
  const auto targets = skinned(rig, {test::random_pose(rig, 0.4, 0.2, random)});
  double last = 1e9, last_rms = -1;
  for (const double price : {0.0, 0.1, 1.0, 10.0, 1000.0}) {
    const SolveResult result =
        solve_clip(rig, targets, test::equal_shares(rig), {.stiffness = 0, .stretch = price});
    CHECK(travel(result.poses[0]) < last);
    CHECK(result.frames[0].rms >= last_rms);
    last = travel(result.poses[0]), last_rms = result.frames[0].rms;
  }
  // a clip that only turns joints about their origins costs nothing
  Pose turned(rig.joints());
  turned[0] = random.motion(1, 0);
  for (int j = 1; j < rig.joints(); ++j) {
    const Eigen::Vector3d o = rig.model_from_joint[j].topRightCorner<3, 1>();
    const Motion& parent = turned[rig.parent[j]];
    turned[j].leftCols<3>() = rotation_of(random.vector(0.5)) * parent.leftCols<3>();
    turned[j].col(3) = parent.leftCols<3>() * o + parent.col(3) - turned[j].leftCols<3>() * o;
  }
  const auto pure = skinned(rig, {turned});
  CHECK(worst(rig, pure, solve_clip(rig, pure, test::equal_shares(rig), {.stretch = 100})) < 1e-8);
}

TEST_CASE("Stiffness prices what the weights cannot follow and leaves alone what they can") {
  Random random;
  const Rig rig = test::make_rig({.joints = 6, .vertices = 300, .influences = 2}, random);
  const auto exact = skinned(rig, smooth_clip(rig, 4, 0.4, random));
  const SolveResult followed = solve_clip(rig, exact, test::equal_shares(rig), {.stiffness = 0.1});
  CHECK(followed.price < 1e-15);
  CHECK(worst(rig, exact, followed) < 1e-9);
  const auto odd = noisy(exact, 0.2, random);
  const SolveResult priced = solve_clip(rig, odd, test::equal_shares(rig), {.stiffness = 0.1});
  CHECK(priced.price == Approx(0.1).epsilon(1e-3));
  const SolveResult unpriced = solve_clip(rig, odd, test::equal_shares(rig), {.stiffness = 0});
  CHECK(unpriced.price == 0);
  CHECK(priced.frames[3].rms > unpriced.frames[3].rms);
}

TEST_CASE("Targets that do not fit the rig are refused") {
  Random random;
  const Rig rig = test::make_rig({}, random);
  auto targets = skinned(rig, {rest_pose(rig)});
  targets[0](1, 3) = std::nan("");
  CHECK_THROWS_WITH(solve_clip(rig, targets, test::equal_shares(rig)),
                    Catch::Contains("vertex 3") && Catch::Contains("frame 0"));
  targets[0].resize(3, 4);
  CHECK_THROWS_AS(solve_clip(rig, targets, test::equal_shares(rig)), InvalidInput);
  for (const double price : {-1.0, 2 * kLargestPrice, std::nan("")})
    CHECK_THROWS_AS(
        solve_clip(rig, skinned(rig, {rest_pose(rig)}), test::equal_shares(rig), {.stiffness = price}),
        InvalidInput);
}

TEST_CASE("A clip of no frames and a rig of no influences are solved without fuss") {
  Random random;
  const Rig rig = test::make_rig({}, random);
  CHECK(solve_clip(rig, {}, test::equal_shares(rig)).poses.empty());
  Rig bare = rigid_rig({}, {-1});
  bare.first_influence = {0, 0};  // one vertex that nothing moves
  const SolveResult result = solve_clip(bare, {Eigen::Matrix3Xd::Zero(3, 1)}, Eigen::VectorXd::Ones(1));
  CHECK((result.poses[0][0] - Motion(Motion::Identity())).norm() == 0);
}
