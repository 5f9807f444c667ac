#include "solver/kernels.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>
#include <limits>

#include "solver/measure.h"
#include "solver/moments.h"
#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// b_j of a frame by its definition, about the shift that was used.
Eigen::Matrix<double, 4, 3> slow_moment(const Rig& rig, const RigMoments& m, const Eigen::Matrix3Xd& target,
                                        int joint, const Eigen::Vector3d& shift) {
  Eigen::Matrix<double, 4, 3> sum = Eigen::Matrix<double, 4, 3>::Zero();
  for (int i = 0; i < rig.vertices(); ++i)
    for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k) {
      if (rig.joint[k] != joint || m.measure(i) == 0) continue;
      const Eigen::Vector3d u = (rig.rest_point.col(k) - m.unit.centre) / m.unit.length,
                            v = (target.col(i) - m.unit.centre) / m.unit.length - shift;
      sum += m.measure(i) * rig.weight[k] * u.homogeneous() * v.transpose();
    }
  return sum;
}

std::vector<Eigen::Matrix3Xd> random_targets(const Rig& rig, int frames, Random& random) {
  std::vector<Eigen::Matrix3Xd> targets;
  for (int f = 0; f < frames; ++f) targets.push_back(skin(rig, test::random_pose(rig, 1, 1, random)));
  return targets;
}

}  // namespace

TEST_CASE("Target moments of any number of vertices and frames equal the sums") {
  Random random;
  for (const int vertices : {1, 3, 255, 256, 257, 700})
    for (const int frames : {1, 4, 25, 49}) {
      const Rig rig = test::make_rig({.joints = 5, .vertices = vertices, .influences = 3}, random);
      const RigMoments m = rig_moments(rig, test::equal_shares(rig));
      const auto targets = random_targets(rig, frames, random);
      const TargetMoments t = target_moments(m, targets);
      REQUIRE(t.frames == frames);
      double worst = 0;
      for (int f = 0; f < frames; ++f)
        for (int j = 0; j < rig.joints(); ++j)
          worst = std::max(
              worst,
              (t.b.block<4, 3>(4 * j, 3 * f) - slow_moment(rig, m, targets[f], j, t.shift.col(f))).norm());
      CHECK(worst < 1e-13);
    }
}

TEST_CASE("A rig without vertices or a clip without frames has moments of nothing") {
  Rig rig;
  rig.parent = {-1, 0};
  rig.model_from_joint.assign(2, Eigen::Matrix4d::Identity());
  rig.first_influence = {0};
  rig.rest_point.resize(3, 0);
  const RigMoments m = rig_moments(rig, Eigen::VectorXd());
  CHECK(m.row == std::vector<int>{0, 1, 2});
  CHECK(m.block[0].norm() == 0);
  const TargetMoments t = target_moments(m, std::vector<Eigen::Matrix3Xd>(3, Eigen::Matrix3Xd(3, 0)));
  CHECK(t.b.cols() == 9);
  CHECK(t.b.norm() == 0);
  CHECK(target_moments(m, std::vector<Eigen::Matrix3Xd>()).frames == 0);
}

TEST_CASE("Positions of vertices without a share are not read") {
  Random random;
  const Rig rig = test::make_rig({.joints = 3, .vertices = 300, .influences = 2}, random);
  Eigen::VectorXd shares = test::equal_shares(rig);
  auto targets = random_targets(rig, 2, random);
  for (const int i : {0, 17, 299}) {
    shares(i) = 0;
    for (auto& target : targets) target.col(i).setConstant(kNan);
  }
  const RigMoments m = rig_moments(rig, shares);
  const TargetMoments t = target_moments(m, targets);
  CHECK(t.b.allFinite());
  CHECK(t.sq_norm.allFinite());
  CHECK((t.b.block<4, 3>(4, 3) - slow_moment(rig, m, targets[1], 1, t.shift.col(1))).norm() < 1e-13);
}

TEST_CASE("Passes over many tiles are bit-identical for any number of threads") {
  Random random;
  const Rig rig = test::make_rig({.joints = 12, .vertices = 9001, .influences = 4, .split = 0.1}, random);
  const Eigen::VectorXd shares = test::equal_shares(rig);
  const RigMoments one = rig_moments(rig, shares, 1);
  const auto targets = random_targets(rig, 5, random);
  const TargetMoments t = target_moments(one, targets, 1);
  for (const int threads : {2, 4}) {
    const RigMoments m = rig_moments(rig, shares, threads);
    CHECK(m.column == one.column);
    CHECK(m.block == one.block);
    CHECK(m.terms->factor == one.terms->factor);
    CHECK(m.terms->row == one.terms->row);
    for (int j = 0; j < rig.joints(); ++j) {
      CHECK(m.support[j].mass == one.support[j].mass);
      CHECK(m.support[j].radius == one.support[j].radius);
      CHECK(m.support[j].centroid == one.support[j].centroid);
    }
    const TargetMoments again = target_moments(m, targets, threads);
    CHECK(again.b == t.b);
    CHECK(again.sq_norm == t.sq_norm);
    CHECK(again.shift == t.shift);
  }
}

TEST_CASE("Support says how a joint holds its vertices") {
  Random random;
  const Rig rig = test::make_rig({.joints = 6, .vertices = 600, .influences = 3, .split = 0.1}, random);
  const Eigen::VectorXd shares = test::equal_shares(rig);
  const RigMoments m = rig_moments(rig, shares);
  for (int j = 0; j < rig.joints(); ++j) {
    double mass = 0, reach = 0, sq_mass = 0, radius = 0;
    Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
    const auto each = [&](auto&& visit) {
      for (int i = 0; i < rig.vertices(); ++i)
        for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k)
          if (rig.joint[k] == j)
            visit(shares(i), rig.weight[k],
                  Eigen::Vector3d((rig.rest_point.col(k) - m.unit.centre) / m.unit.length));
    };
    each([&](double a, double w, const Eigen::Vector3d& u) {
      mass += a * w, sq_mass += a * w * w, reach = std::max(reach, w), centroid += a * w * w * u;
    });
    centroid /= sq_mass;
    each([&](double, double, const Eigen::Vector3d& u) { radius = std::max(radius, (u - centroid).norm()); });
    CHECK(m.support[j].mass == Approx(mass));
    CHECK(m.support[j].reach == reach);
    CHECK(m.support[j].radius == Approx(radius));
    CHECK((m.support[j].centroid - centroid).norm() < 1e-13);
  }
}

TEST_CASE("Skinning equals the sum over influences") {
  Random random;
  Rig rig = test::make_rig({.joints = 7, .vertices = 203, .influences = 4, .split = 0.2}, random);
  rig.first_influence.push_back(rig.influences());  // a vertex without any
  const Pose pose = test::random_pose(rig, 2, 3, random);
  const Eigen::Matrix3Xd skinned = skin(rig, pose);
  REQUIRE(skinned.cols() == 204);
  for (int i = 0; i < 203; ++i) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k)
      sum += rig.weight[k] * (pose[rig.joint[k]] * rig.rest_point.col(k).homogeneous());
    CHECK((skinned.col(i) - sum).norm() < 1e-13);
  }
  CHECK(skinned.col(203).array().isNaN().all());
}

TEST_CASE("Empty slots add nothing, whatever their joint's matrix") {
  const Eigen::MatrixXi joint = Eigen::Vector4i(1, 0, 0, 0);
  const Eigen::MatrixXd weight = Eigen::Vector4d(1, 0, 0, 0);
  std::vector<Eigen::Matrix4d> matrices(3, Eigen::Matrix4d::Zero());
  matrices[1].setConstant(kNan);
  matrices[2] << 0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1;
  const Eigen::Vector3d point(1, 2, 3);
  Eigen::Vector3d out = Eigen::Vector3d::Zero();
  kernels::skin_slots({joint.data(), weight.data(), point.data(), 4}, 1, matrices.data()->data(), out.data());
  CHECK(out == Eigen::Vector3d(3, 7, 10));
}

TEST_CASE("A measure of any number of vertices equals the sums") {
  Random random;
  for (const int vertices : {1, 3, 4, 5, 31, 300}) {
    MeasureSettings settings;
    settings.weight.resize(vertices);
    settings.rest.resize(3, vertices);
    settings.diag = 2.5;
    Eigen::Matrix3Xd target(3, vertices), actual(3, vertices);
    for (int i = 0; i < vertices; ++i) {
      settings.weight(i) = random.uniform(0.1, 1);
      settings.rest.col(i) = random.vector(), target.col(i) = random.vector(),
      actual.col(i) = random.vector();
    }
    if (vertices > 4) {  // not counted, in the middle and at the end
      for (const int i : {2, vertices - 1}) settings.weight(i) = 0, target.col(i).setConstant(kNan);
    }
    Measure measure(settings, 1);
    measure.add(0, target, actual);
    double mass = settings.weight.sum(), error = 0, squared = 0, moved = 0, worst = 0;
    PairMoments moments;
    for (int i = 0; i < vertices; ++i) {
      const double w = settings.weight(i) / mass;
      if (w == 0) continue;
      const double e = (actual.col(i) - target.col(i)).norm() / 2.5;
      error += w * e, squared += w * e * e, worst = std::max(worst, e);
      moved += w * (target.col(i) - settings.rest.col(i)).norm() / 2.5;
      moments.mass += w, moments.source += w * settings.rest.col(i), moments.target += w * target.col(i);
      moments.cross += w * settings.rest.col(i) * target.col(i).transpose();
    }
    const Motion rigid = rigid_fit(moments);
    double in_place = 0;
    for (int i = 0; i < vertices; ++i)
      if (settings.weight(i) > 0)
        in_place += settings.weight(i) / mass *
                    (rigid * settings.rest.col(i).homogeneous() - target.col(i)).norm() / 2.5;
    const Figures f = measure.figures();
    CHECK(f.mean == Approx(100 * error));
    CHECK(f.rms == Approx(100 * std::sqrt(squared)));
    CHECK(f.worst == Approx(100 * worst));
    CHECK(f.displacement == Approx(100 * moved));
    CHECK(measure.displacement(target).in_place == Approx(in_place).margin(1e-12));
  }
}
