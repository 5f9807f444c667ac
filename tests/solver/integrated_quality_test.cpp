#include "solver/integrated_quality.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "shapes.h"

using namespace pelt;
using Eigen::Matrix3Xd;

namespace {

/// The triangle (0,0) (1,0) (0,1), in z = 0.
Surface corner() { return shapes::surface({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}); }

MeasureSettings settings_for(const Surface& surface) {
  MeasureSettings s;
  s.rest = surface.positions;
  s.weight = vertex_areas(surface);
  s.diag = bounding_diagonal(surface);
  return s;
}

Matrix3Xd lifted(const Matrix3Xd& points, double height) {
  return points.colwise() + Eigen::Vector3d(0, 0, height);
}

double quality_of(const Surface& surface, const Matrix3Xd& target, const Matrix3Xd& actual) {
  const MeasureSettings settings = settings_for(surface);
  Measure measure(settings, 1);
  IntegratedQuality integrated(settings, surface.triangles, 1);
  measure.add(0, target, actual);
  integrated.add(0, target, actual);
  return *integrated.value(measure.figures());
}

}  // namespace

TEST_CASE("integrated quality: an error that grows evenly over a triangle", "[integrated]") {
  // the error is x along z: its mean over the triangle is 1/3, the displacement is 2 everywhere
  const Surface s = corner();
  const Matrix3Xd target = lifted(s.positions, 2);
  Matrix3Xd actual = target;
  actual.row(2) += s.positions.row(0);
  CHECK(quality_of(s, target, actual) == Approx(100 * (1 - 1 / 6.0)).epsilon(1e-12));
}

TEST_CASE("integrated quality: an error as long as the distance from a corner", "[integrated]") {
  // in polar coordinates about the corner the mean of r is 2/3 of the integral of 1 / (cos + sin)^3 over a
  // right angle: (2 + sqrt(2) log(1 + sqrt(2))) / 6
  Surface s = corner();
  const double mean = (2 + std::sqrt(2.0) * std::log(1 + std::sqrt(2.0))) / 6;
  for (const double accuracy : {0.15, 0.05, 0.006, 0.0008}) {
    const Matrix3Xd target = lifted(s.positions, 1);
    CHECK(quality_of(s, target, target + s.positions) == Approx(100 * (1 - mean)).margin(accuracy));
    s = shapes::subdivided(s);
  }
}

TEST_CASE("integrated quality: a triangle counts if all its corners do", "[integrated]") {
  Surface s = shapes::join(corner(), corner());
  s.positions.col(5).setConstant(std::numeric_limits<double>::quiet_NaN());
  MeasureSettings settings = settings_for(corner());
  settings.rest = s.positions;
  settings.weight.setOnes(6);
  settings.weight(5) = 0;
  Measure measure(settings, 1);
  IntegratedQuality integrated(settings, s.triangles, 1);
  Matrix3Xd target = lifted(s.positions, 2), actual = lifted(s.positions, 1);
  actual.col(3) = target.col(3);  // the other triangle's
  measure.add(0, target, actual);
  integrated.add(0, target, actual);
  CHECK(*integrated.value(measure.figures()) == Approx(50));
}

TEST_CASE("integrated quality: many triangles are integrated at some frames, the rest by the ratio",
          "[integrated]") {
  // frames alike but for their size: any of them tells the ratio
  const Surface s = shapes::subdivided(corner());
  const MeasureSettings settings = settings_for(s);
  const int frames = 7, all = frames * static_cast<int>(s.triangles.cols());
  Measure measure(settings, frames);
  IntegratedQuality every(settings, s.triangles, frames), some(settings, s.triangles, frames, all / 3);
  for (int f = 0; f < frames; ++f) {
    const Matrix3Xd target = lifted(s.positions, 1 + f * f);
    const Matrix3Xd actual = target + 0.1 * (1 + f) * s.positions;
    measure.add(f, target, actual);
    every.add(f, target, actual);
    // what is not looked at may be anything
    some.add(f, target, f % 4 == 0 ? actual : Matrix3Xd(lifted(actual, 100)));
  }
  const Figures figures = measure.figures();
  CHECK(*some.value(figures) == Approx(*every.value(figures)).epsilon(1e-12));
  CHECK(std::abs(*every.value(figures) - *figures.quality) > 0.01);
}

TEST_CASE("integrated quality: none where nothing moves", "[integrated]") {
  const Surface s = corner();
  const MeasureSettings settings = settings_for(s);
  Measure measure(settings, 1);
  IntegratedQuality integrated(settings, s.triangles, 1);
  measure.add(0, s.positions, s.positions);
  integrated.add(0, s.positions, s.positions);
  CHECK_FALSE(integrated.value(measure.figures()));
}
