#include "solver/measure.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "solver/error.h"
#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

MeasureSettings settings_for(const Eigen::Matrix3Xd& rest, double diag) {
  MeasureSettings s;
  s.rest = rest;
  s.weight = Eigen::VectorXd::Ones(rest.cols());
  s.diag = diag;
  return s;
}

}  // namespace

TEST_CASE("Figures of a hand-made clip") {
  // two vertices, diag 10; frame 0 at rest, in frame 1 the first moves by 1 and is reproduced with an error
  // of 0.25
  Eigen::Matrix3Xd rest(3, 2), moved, actual;
  rest << 0, 2, 0, 0, 0, 0;
  moved = rest;
  moved(1, 0) = 1;
  actual = moved;
  actual(1, 0) = 0.75;
  Measure measure(settings_for(rest, 10), 2);
  measure.add(0, rest, rest);
  measure.add(1, moved, actual);
  const Figures f = measure.figures();
  CHECK(*f.quality == Approx(75));
  CHECK(f.mean == Approx(100 * 0.025 / 4));
  CHECK(f.rms == Approx(100 * std::sqrt(0.025 * 0.025 / 4)));
  CHECK(f.worst == Approx(2.5));
  CHECK(f.p95 == Approx(2.5 * 0.85));  // errors 0 0 0 2.5: 0.95 * 3 = 2.85 of the way
  CHECK(f.displacement == Approx(2.5));
  CHECK(f.erms == Approx(1000 * 0.025 / std::sqrt(12.0)));
  CHECK(f.worst_place.frame == 1);
  CHECK(f.worst_place.vertex == 0);
  CHECK(f.frames[0].mean == 0);
  CHECK(f.frames[1].mean == Approx(1.25));
  CHECK(f.frames[1].displacement == Approx(5));
}

TEST_CASE("Walking across the room buys no quality in place") {
  Random random;
  Eigen::Matrix3Xd rest(3, 50);
  for (int i = 0; i < 50; ++i) rest.col(i) = random.vector();
  Eigen::Matrix3Xd bent = rest;
  for (int i = 0; i < 25; ++i) bent.col(i) += Eigen::Vector3d(0, 0.1 * rest(0, i) * rest(0, i), 0);
  const auto figures = [&](double walk) {
    const Motion far{
        (Eigen::Matrix<double, 3, 4>() << rotation_of({0, 0.3, 0}), Eigen::Vector3d(walk, 0, 0)).finished()};
    const Eigen::Matrix3Xd target = (far.leftCols<3>() * bent).colwise() + far.col(3);
    Eigen::Matrix3Xd actual = target;
    actual.row(1).array() += 0.01;
    Measure measure(settings_for(rest, 2), 1);
    measure.add(0, target, actual);
    return measure.figures();
  };
  CHECK(*figures(100).quality > *figures(1).quality);
  CHECK(*figures(100).quality_in_place == Approx(*figures(1).quality_in_place).epsilon(1e-9));
}

TEST_CASE("A clip that does not move has no quality") {
  const Eigen::Matrix3Xd rest = Eigen::Matrix3Xd::Identity(3, 3);
  Measure measure(settings_for(rest, 1), 1);
  measure.add(0, rest, rest);
  CHECK_FALSE(measure.figures().quality);
  CHECK_FALSE(measure.figures().quality_in_place);
}

TEST_CASE("Weights decide which vertices count") {
  Eigen::Matrix3Xd rest = Eigen::Matrix3Xd::Zero(3, 3), target = rest, actual = rest;
  target.row(0).setConstant(1);
  actual.row(0) << 1, 0, -99;
  MeasureSettings s = settings_for(rest, 1);
  s.weight << 3, 1, 0;
  Measure measure(s, 1);
  measure.add(0, target, actual);
  CHECK(*measure.figures().quality == Approx(75));
  CHECK(measure.figures().mean == Approx(25));
}

TEST_CASE("A vertex that stands for several counts as they would") {
  Random random;
  const Eigen::Matrix3Xd rest = Eigen::Matrix3Xd::Zero(3, 7);
  const std::vector<int> copies = {1, 3, 2, 1, 5, 1, 4};
  std::vector<int> vertex_of;
  for (int v = 0; v < 7; ++v) vertex_of.insert(vertex_of.end(), copies[v], v);
  MeasureSettings few = settings_for(rest, 2), all = settings_for(rest(Eigen::all, vertex_of), 2);
  few.weight = few.copies = Eigen::Map<const Eigen::VectorXi>(copies.data(), 7).cast<double>();
  few.weight(2) = few.copies(2) = 0;
  for (int k = 0; k < static_cast<int>(vertex_of.size()); ++k)
    if (vertex_of[k] == 2) all.weight(k) = 0;
  Measure of_few(few, 3), of_all(all, 3);
  for (int f = 0; f < 3; ++f) {
    Eigen::Matrix3Xd target(3, 7), actual(3, 7);
    for (int v = 0; v < 7; ++v) target.col(v) = random.vector(), actual.col(v) = random.vector();
    of_few.add(f, target, actual);
    of_all.add(f, target(Eigen::all, vertex_of), actual(Eigen::all, vertex_of));
  }
  const Figures a = of_few.figures(), b = of_all.figures();
  CHECK(*a.quality == Approx(*b.quality));
  CHECK(*a.quality_in_place == Approx(*b.quality_in_place));
  CHECK(a.rms == Approx(b.rms));
  CHECK(a.erms == Approx(b.erms));
  CHECK(a.p95 == Approx(b.p95));
  CHECK(a.p99 == Approx(b.p99));
  CHECK(a.worst == b.worst);
}

TEST_CASE("A mean distance weighs the vertices that count") {
  Eigen::Matrix3Xd a = Eigen::Matrix3Xd::Zero(3, 6), b = a;
  b.row(1) << 1, 2, 3, 4, 5, 6;
  b(0, 2) = std::nan("");
  MeasureSettings settings = settings_for(a, 10);
  settings.weight << 1, 1, 0, 1, 2, 1;
  const Measure measure(settings, 1);
  CHECK(measure.mean_distance(a, b) == Approx((1 + 2 + 4 + 2 * 5 + 6) / 6.0 / 10));
  CHECK(measure.mean_distance(b, b) == 0);
}

TEST_CASE("Errors go to the joints that hold the vertex") {
  Eigen::Matrix3Xd rest = Eigen::Matrix3Xd::Zero(3, 2), target = rest;
  target(0, 0) = 0.5;
  MeasureSettings s = settings_for(rest, 1);
  s.first_influence = {0, 2, 3};
  s.joint = {0, 1, 1};
  s.influence_weight = {0.75, 0.25, 1};
  s.joints = 3;
  Measure measure(s, 1);
  measure.add(0, target, rest);
  const Figures f = measure.figures();
  CHECK(f.joint_mean[0] == Approx(50));
  CHECK(f.joint_mean[1] == Approx(50 * 0.25 / 1.25));
  CHECK(f.joint_mean[2] == 0);
  CHECK(f.joint_share[0] == Approx(0.375));
  CHECK(f.joint_share[1] == Approx(0.625));
  CHECK(f.joint_share[2] == 0);
  CHECK(f.worst_place.joint == 0);
}

TEST_CASE("Copies of other vertices than those that are weighed are refused") {
  MeasureSettings s = settings_for(Eigen::Matrix3Xd::Zero(3, 2), 1);
  s.copies = Eigen::VectorXd::Ones(3);
  CHECK_THROWS_AS(Measure(s, 1), InvalidInput);
}

TEST_CASE("A measure of nothing is refused") {
  MeasureSettings s = settings_for(Eigen::Matrix3Xd::Zero(3, 2), 1);
  s.weight.setZero();
  CHECK_THROWS_AS(Measure(s, 1), InvalidInput);
  CHECK_THROWS_AS(Measure(settings_for(Eigen::Matrix3Xd::Zero(3, 2), 0), 1), InvalidInput);
}
