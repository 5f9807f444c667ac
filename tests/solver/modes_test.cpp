#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include "solver/chain_model.h"
#include "solver/solve.h"
#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

Eigen::Vector3d moved(const Motion& m, const Eigen::Vector3d& p) { return m.leftCols<3>() * p + m.col(3); }

Eigen::Vector3d origin(const Rig& rig, int j) { return rig.model_from_joint[j].topRightCorner<3, 1>(); }

/// How far joints are from where their parents carry them.
double leaves_parent(const Rig& rig, const Pose& pose) {
  double largest = 0;
  for (int j = 0; j < rig.joints(); ++j)
    if (const int p = rig.parent[j]; p >= 0)
      largest = std::max(largest, (moved(pose[j], origin(rig, j)) - moved(pose[p], origin(rig, j))).norm());
  return largest;
}

/// Every joint turns about its origin, the root moves as well.
Pose turned(const Rig& rig, double angle, Random& random) {
  Pose pose;
  for (int j = 0; j < rig.joints(); ++j) {
    Motion m = random.motion(angle, 0.5);
    if (const int p = rig.parent[j]; p >= 0) {
      m.leftCols<3>() = (pose[p].leftCols<3>() * m.leftCols<3>()).eval();
      m.col(3) = moved(pose[p], origin(rig, j)) - m.leftCols<3>() * origin(rig, j);
    }
    pose.push_back(m);
  }
  return pose;
}

std::vector<Eigen::Matrix3Xd> noisy(const Rig& rig, const Pose& pose, int frames, double noise,
                                    Random& random) {
  std::vector<Eigen::Matrix3Xd> targets(frames, skin(rig, pose));
  for (Eigen::Matrix3Xd& target : targets)
    for (Eigen::Index i = 0; i < target.cols(); ++i) target.col(i) += random.vector(noise);
  return targets;
}

SolveResult solve(const Rig& rig, const std::vector<Eigen::Matrix3Xd>& targets, Freedom freedom) {
  return solve_clip(rig, targets, test::equal_shares(rig), {.freedom = freedom, .stiffness = 0});
}

double worst(const Rig& rig, const Pose& pose, const Eigen::Matrix3Xd& target) {
  return test::largest_distance(skin(rig, pose), target);
}

}  // namespace

TEST_CASE(
    "mrdoob/three.js #25751, upf-gti/retargeting-threejs #3: Joint angles are found exactly and bones keep "
    "their lengths") {
  Random random;
  for (int n = 0; n < 4; ++n) {
    const Rig rig = test::make_rig({.joints = 15, .vertices = 400, .influences = 3, .split = 0.05}, random);
    const Eigen::Matrix3Xd target = skin(rig, turned(rig, 0.5, random));
    const SolveResult result = solve(rig, {target}, Freedom::rotate);
    CHECK(worst(rig, result.poses[0], target) < 1e-9);
    CHECK(leaves_parent(rig, result.poses[0]) < 1e-12);
  }
}

TEST_CASE("A joint without weights bends where the surface below asks for it") {
  Random random;
  Rig rig = test::make_rig({.joints = 15, .vertices = 500, .influences = 2}, random);
  const int hidden = 1;  // what it held goes to its first child
  for (int& j : rig.joint)
    if (j == hidden) j = 3;
  for (int i = 0; i < rig.vertices(); ++i) {  // a joint that now comes twice in a vertex is one influence
    const int first = rig.first_influence[i], last = rig.first_influence[i + 1];
    if (last - first == 2 && rig.joint[first] == rig.joint[first + 1]) rig.joint[first + 1] = 0;
  }
  Pose truth = turned(rig, 0.4, random);
  const Eigen::Matrix3Xd target = skin(rig, truth);
  const SolveResult result = solve(rig, {target}, Freedom::rotate);
  CHECK(worst(rig, result.poses[0], target) < 1e-8);
  CHECK(leaves_parent(rig, result.poses[0]) < 1e-12);
}

TEST_CASE("electronicarts/dem-bones #20: Every freedom keeps to its rules on targets that none can reach") {
  Random random;
  const Rig rig = test::make_rig({.joints = 9, .vertices = 300, .influences = 3}, random);
  const auto targets = noisy(rig, test::random_pose(rig, 0.5, 0.3, random), 4, 0.2, random);
  const SolveResult free = solve(rig, targets, Freedom::free), rotate = solve(rig, targets, Freedom::rotate),
                    scale = solve(rig, targets, Freedom::scale);
  for (std::size_t f = 0; f < targets.size(); ++f) {
    CHECK(rotate.frames[f].rms >= free.frames[f].rms);
    CHECK(scale.frames[f].rms <= free.frames[f].rms);
    CHECK(free.frames[f].floor_rms <= scale.frames[f].rms);
    for (const SolveResult* r : {&free, &rotate, &scale}) {
      CHECK(r->frames[f].converged);
      CHECK(r->frames[f].gradient < 1e-10);
    }
    CHECK(leaves_parent(rig, rotate.poses[f]) < 1e-12);
    for (int j = 0; j < rig.joints(); ++j) {
      const Eigen::Matrix3d r = rotate.poses[f][j].leftCols<3>(), s = scale.poses[f][j].leftCols<3>();
      CHECK((r.transpose() * r - Eigen::Matrix3d::Identity()).norm() < 1e-12);
      const double size = s.col(0).norm();
      CHECK((s.transpose() * s / (size * size) - Eigen::Matrix3d::Identity()).norm() < 1e-12);
      CHECK(s.determinant() > 0);
      CHECK(size >= kLeastScale * (1 - 1e-12));
      CHECK(size <= kLargestScale * (1 + 1e-12));
    }
  }
}

TEST_CASE("Uniform scales are found exactly within their limits") {
  Random random;
  const Rig rig = test::make_rig({.joints = 7, .vertices = 300, .influences = 2}, random);
  Pose truth = test::random_pose(rig, 0.5, 0.3, random);
  for (Motion& m : truth) m.leftCols<3>() *= random.uniform(0.6, 1.8);
  const Eigen::Matrix3Xd target = skin(rig, truth);
  CHECK(worst(rig, solve(rig, {target}, Freedom::scale).poses[0], target) < 1e-9);
}

TEST_CASE("A scale beyond the limit stops there") {
  Random random;
  const Rig rig = test::make_rig({.joints = 1, .vertices = 60, .influences = 1}, random);
  for (const double wanted : {3.0, 0.1}) {
    Pose truth = rest_pose(rig);
    truth[0].leftCols<3>() *= wanted;
    const SolveResult result = solve(rig, {skin(rig, truth)}, Freedom::scale);
    const Motion& m = result.poses[0][0];
    CHECK(m(0, 0) == Approx(wanted > 1 ? kLargestScale : kLeastScale).epsilon(1e-12));
    CHECK(result.frames[0].converged);
    // about the centroid, which stays: the best place for a copy of another size
    Eigen::Vector3d centre = rig.rest_point.rowwise().mean();
    CHECK((moved(m, centre) - moved(truth[0], centre)).norm() < 1e-9);
  }
}

TEST_CASE("A joint on a line of vertices keeps the scale that was found") {
  Rig rig;
  rig.parent = {-1, 0};
  rig.model_from_joint.assign(2, Eigen::Matrix4d::Identity());
  rig.first_influence = {0};
  const auto add = [&](int joint, const Eigen::Vector3d& point) {
    rig.rest_point.conservativeResize(3, rig.influences() + 1);
    rig.rest_point.col(rig.influences()) = point;
    rig.joint.push_back(joint), rig.weight.push_back(1);
    rig.first_influence.push_back(rig.influences());
  };
  for (const auto& p : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 1, 0),
                        Eigen::Vector3d(0, 0, 1)})
    add(0, p);
  for (const double x : {2.0, 2.5, 3.0}) add(1, {x, 0, 0});
  Pose truth = rest_pose(rig);
  truth[1].leftCols<3>() *= 1.5;
  const Eigen::Matrix3Xd target = skin(rig, truth);
  CHECK(worst(rig, solve(rig, {target}, Freedom::scale).poses[0], target) < 1e-8);
}

TEST_CASE("From free to rotate the price takes travel for error step by step") {
  Random random;
  const Rig rig = test::make_rig({.joints = 9, .vertices = 300, .influences = 3}, random);
  const auto targets = noisy(rig, turned(rig, 0.4, random), 3, 0.15, random);
  const SolveResult rotate = solve(rig, targets, Freedom::rotate);
  for (std::size_t f = 0; f < targets.size(); ++f) {
    double last_rms = solve(rig, targets, Freedom::free).frames[f].rms, last_leaves = 1e9;
    for (const double price : {0.0, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 1e3, 1e5, kLargestPrice}) {
      const SolveResult r =
          solve_clip(rig, targets, test::equal_shares(rig), {.stiffness = 0, .stretch = price});
      CHECK(r.frames[f].rms >= last_rms * (1 - 1e-12));
      CHECK(r.frames[f].rms <= rotate.frames[f].rms * (1 + 1e-9));
      CHECK(leaves_parent(rig, r.poses[f]) <= last_leaves);
      last_rms = r.frames[f].rms, last_leaves = leaves_parent(rig, r.poses[f]);
    }
    CHECK(last_rms == Approx(rotate.frames[f].rms).epsilon(1e-4));
    CHECK(last_leaves < 1e-4);
  }
}

TEST_CASE("However high the price no answer is worse than that of joints which only turn") {
  Random random;
  for (int trial = 0; trial < 6; ++trial) {
    const Rig rig = test::make_rig({.joints = 12, .vertices = 200, .influences = 3}, random);
    const auto targets = noisy(rig, test::random_pose(rig, 1.5, 0.2, random), 1, 0.3, random);
    const double rms = solve(rig, targets, Freedom::rotate).frames[0].rms;
    for (const double price : {10.0, 1e3, kLargestPrice}) {
      const SolveResult r =
          solve_clip(rig, targets, test::equal_shares(rig), {.stiffness = 0, .stretch = price});
      CHECK(r.frames[0].rms <= rms * (1 + 1e-9));
    }
  }
}

TEST_CASE("However high the price a joint without weights does not spin") {
  Random random;
  Rig rig = test::make_rig({.joints = 3, .vertices = 100, .influences = 1}, random);
  for (int& j : rig.joint) j = std::max(j, 1);  // of a root with two children, and then with one
  const bool chain = GENERATE(false, true);
  if (chain) rig.parent = {-1, 0, 1};
  std::vector<Eigen::Matrix3Xd> targets;
  for (int f = 0; f < 12; ++f) {
    Pose pose = rest_pose(rig);
    for (int j = 1; j < 3; ++j) pose[j].leftCols<3>() = rotation_of({0.05 * f * j, 0.02 * f, 0});
    targets.push_back(skin(rig, pose));
    for (Eigen::Index i = 0; i < targets[f].cols(); ++i) targets[f].col(i) += random.vector(0.02);
  }
  const auto with_price_of = [&](double price) {
    return solve_clip(rig, targets, test::equal_shares(rig), {.stiffness = 0, .stretch = price}).poses;
  };
  const std::vector<Pose> calm = with_price_of(1);
  for (const double price : {1e3, 1e5, kLargestPrice}) {
    const std::vector<Pose> poses = with_price_of(price);
    for (std::size_t f = 1; f < targets.size(); ++f) {
      const auto turn = [&](const std::vector<Pose>& p) {
        return (p[f][0].leftCols<3>() - p[f - 1][0].leftCols<3>()).norm();
      };
      CHECK(turn(poses) < 1.5 * turn(calm) + 0.05);
    }
  }
}

TEST_CASE("A price holds where a joint is and never how a small part on it turns") {
  Random random;
  Rig rig;
  rig.parent = {-1, 0};
  rig.model_from_joint.assign(2, Eigen::Matrix4d::Identity());
  rig.model_from_joint[1](0, 3) = 1;
  rig.rest_point.resize(3, 60);
  for (int i = 0; i < 60; ++i)
    rig.rest_point.col(i) =
        i < 40 ? random.vector() : (Eigen::Vector3d::UnitX() + random.vector(0.01)).eval();
  for (int i = 0; i <= 60; ++i) rig.first_influence.push_back(i);
  rig.joint.assign(40, 0), rig.joint.resize(60, 1), rig.weight.assign(60, 1);
  Pose truth = rest_pose(rig);
  truth[1].leftCols<3>() = rotation_of({0.4, -1, 0.7});
  truth[1].col(3) = Eigen::Vector3d::UnitX() - truth[1].leftCols<3>() * Eigen::Vector3d::UnitX();
  const Eigen::Matrix3Xd target = skin(rig, truth);
  for (const double price : {1.0, 1e3, kLargestPrice}) {
    const SolveResult r =
        solve_clip(rig, {target}, test::equal_shares(rig), {.stiffness = 0, .stretch = price});
    CHECK(worst(rig, r.poses[0], target) < 1e-7);
  }
}

TEST_CASE("Every freedom gives the same bits for any number of threads") {
  Random random;
  const Rig rig = test::make_rig({.joints = 9, .vertices = 200, .influences = 3}, random);
  const auto targets = noisy(rig, test::random_pose(rig, 1, 0.3, random), 6, 0.4, random);
  for (const Freedom freedom : {Freedom::free, Freedom::rotate, Freedom::scale}) {
    const auto with = [&](int threads) {
      return solve_clip(rig, targets, test::equal_shares(rig), {.freedom = freedom, .threads = threads});
    };
    const SolveResult one = with(1);
    for (const int threads : {2, 4}) CHECK(one.poses == with(threads).poses);
  }
}
