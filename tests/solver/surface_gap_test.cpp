#include "solver/surface_gap.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>
#include <cmath>

#include "shapes.h"
#include "solver/error.h"

using namespace pelt;

namespace {

void check_equal(const GapFigures& a, const GapFigures& b) {
  CHECK(a.mean == b.mean);
  CHECK(a.median == b.median);
  CHECK(a.p99 == b.p99);
  CHECK(a.max == b.max);
}

}  // namespace

TEST_CASE("surface gap: none between equal surfaces", "[gap]") {
  const SurfaceGap gap = surface_gap(shapes::sphere(3, 2), shapes::sphere(3, 2));
  CHECK(gap.artist_from_rig.max < 1e-14);
  CHECK(gap.rig_from_artist.max < 1e-14);
}

TEST_CASE("surface gap: parallel squares are one distance apart", "[gap]") {
  const SurfaceGap gap = surface_gap(shapes::rectangle(1, 1), shapes::rectangle(1, 1, 0, 0.25));
  for (const GapFigures& side : {gap.artist_from_rig, gap.rig_from_artist}) {
    for (const double figure : {side.mean, side.median, side.p99, side.max}) CHECK(figure == Approx(0.25));
  }
  CHECK(gap.two_sided_mean == Approx(0.25));
  CHECK(gap.two_sided_p99 == Approx(0.25));
}

TEST_CASE("surface gap: concentric spheres are apart by the difference of their radii", "[gap]") {
  // A facet whose circumscribed circle has radius c sags c^2 / (2 r) below the sphere.
  const int levels = 5;
  const double facet = M_PI / 2 / std::pow(2.0, levels);
  const double sag = 1.1 * facet * facet / 2;
  const SurfaceGap gap = surface_gap(shapes::sphere(levels, 1), shapes::sphere(levels, 1.1));
  for (const GapFigures& side : {gap.artist_from_rig, gap.rig_from_artist}) {
    for (const double figure : {side.mean, side.median, side.p99, side.max}) {
      CHECK(figure == Approx(0.1).margin(sag));
    }
  }
}

TEST_CASE("surface gap: a small surface inside a big one is seen from the big one", "[gap]") {
  // Half of the artist's strip [0, 2] x [0, 1] is covered; on the other half the distance is even over (0,
  // 1).
  const SurfaceGap half = surface_gap(shapes::rectangle(2, 1), shapes::rectangle(1, 1));
  CHECK(half.artist_from_rig.max < 1e-15);
  CHECK(half.rig_from_artist.mean == Approx(0.25).margin(2e-3));
  CHECK(half.rig_from_artist.median == Approx(0).margin(5e-3));
  CHECK(half.rig_from_artist.p99 == Approx(0.98).margin(5e-3));
  CHECK(half.rig_from_artist.max == Approx(1).margin(2e-2));
  CHECK(half.two_sided_mean == half.rig_from_artist.mean / 2);
  CHECK(half.two_sided_p99 == half.rig_from_artist.p99);
  CHECK(share_beyond(half.rig_from_artist, 0.25) == Approx(0.75 / 2).margin(2e-3));
  CHECK(share_beyond(half.artist_from_rig, 0.25) == 0);

  // Square of side 3 about a square of side 1: four edge strips of mean 1/2, four corner squares of mean
  // (sqrt 2 + asinh 1) / 3 (the mean distance from a corner of the unit square), over an area of 9.
  Surface big = shapes::rectangle(3, 3, -1);
  big.positions.row(1).array() -= 1;
  const double corner = (std::sqrt(2.0) + std::asinh(1.0)) / 3;
  CHECK(surface_gap(big, shapes::rectangle(1, 1)).rig_from_artist.mean ==
        Approx((4 * 0.5 + 4 * corner) / 9).margin(2e-3));
}

TEST_CASE("surface gap: swapped surfaces swap the figures", "[gap]") {
  const Surface a = shapes::sphere(2, 1);
  const Surface b = shapes::split_box({1, 2, 3});
  const SurfaceGap gap = surface_gap(a, b, 500);
  const SurfaceGap swapped = surface_gap(b, a, 500);
  check_equal(gap.artist_from_rig, swapped.rig_from_artist);
  check_equal(gap.rig_from_artist, swapped.artist_from_rig);
  CHECK(gap.two_sided_mean == swapped.two_sided_mean);
  CHECK(gap.two_sided_p99 == swapped.two_sided_p99);
}

TEST_CASE("surface gap: a rig of another space is measured in the artist's unit", "[gap]") {
  const Surface artist = shapes::sphere(3, 1), rig = shapes::split_box({1, 1.5, 1.7});
  const Eigen::Affine3d to_artist = Eigen::Translation3d(3, -2, 7) *
                                    Eigen::AngleAxisd(2.1, Eigen::Vector3d(1, 2, -1).normalized()) *
                                    Eigen::Scaling(-100.0);
  Surface away = rig;
  away.positions = to_artist.inverse() * rig.positions;
  const SurfaceGap here = surface_gap(artist, rig),
                   there = surface_gap(IndexedSurface(artist, "artist"), IndexedSurface(away, "rig"),
                                       to_artist.matrix());
  CHECK(there.artist_from_rig.mean == Approx(here.artist_from_rig.mean));
  CHECK(there.rig_from_artist.mean == Approx(here.rig_from_artist.mean));
  CHECK(there.two_sided_p99 == Approx(here.two_sided_p99));
  CHECK(there.rig_from_artist.max == Approx(here.rig_from_artist.max));
}

TEST_CASE("surface gap: refuses what it cannot measure", "[gap]") {
  const Surface good = shapes::rectangle(1, 1);
  Surface bad = good;
  bad.positions(2, 3) = std::nan("");
  CHECK_THROWS_AS(surface_gap(bad, good), InvalidInput);
  CHECK_THROWS_AS(surface_gap(good, bad), InvalidInput);
  CHECK_THROWS_AS(surface_gap(good, Surface()), InvalidInput);
  CHECK_THROWS_AS(surface_gap(good, shapes::rectangle(1, 0)), InvalidInput);
  CHECK_THROWS_AS(surface_gap(good, good, 0), InvalidInput);
}
