#include "solver/correspond.h"

#include <omp.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <tuple>

#include "shapes.h"
#include "solver/closest_point.h"
#include "solver/error.h"

using namespace pelt;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

namespace {

double worst(const Matrix3Xd& a, const Matrix3Xd& b) { return (a - b).colwise().norm().maxCoeff(); }

Eigen::Isometry3d some_motion() {
  return Eigen::Translation3d(3, -2, 7) * Eigen::AngleAxisd(2.1, Vector3d(1, 2, -1).normalized());
}

/// Slow twin of correspond's choice, whatever the neighbours': every triangle in turn, ranked as the header
/// says.
SurfacePoint best_place(const Surface& artist, const Surface& rig, int vertex,
                        const CorrespondSettings& settings) {
  const Vector3d p = rig.positions.col(vertex);
  const Vector3d normal = vertex_normals(rig).col(vertex);
  const Matrix3Xd face = face_normals(artist);
  const double coincidence = settings.coincidence * bounding_diagonal(artist);
  const auto here = [&](int i) { return (artist.positions.col(i) - p).norm() <= coincidence; };
  std::vector<SurfacePoint> points;
  std::vector<char> around(static_cast<std::size_t>(artist.triangles.cols()), 0);
  double least = std::numeric_limits<double>::infinity();
  for (int t = 0; t < artist.triangles.cols(); ++t) {
    const Eigen::Vector3i corner = artist.triangles.col(t);
    points.push_back(closest_on_triangle(p, {artist.positions.col(corner[0]), artist.positions.col(corner[1]),
                                             artist.positions.col(corner[2])}));
    points.back().triangle = t;
    around[t] = std::any_of(corner.begin(), corner.end(), here);
    least = std::min(least, std::sqrt(points.back().sq_dist));
  }
  const bool any_around = std::find(around.begin(), around.end(), 1) != around.end();
  const auto rank = [&](const SurfacePoint& point) {
    const bool candidate =
        any_around ? around[point.triangle] != 0 : std::sqrt(point.sq_dist) <= least + coincidence;
    const bool twin = vertex < artist.positions.cols() && here(vertex) &&
                      (artist.triangles.col(point.triangle).array() == vertex).any();
    const double steps = std::nearbyint(face.col(point.triangle).dot(normal) / settings.facing);
    return std::tuple(!candidate, -steps, point.sq_dist, !twin, point.triangle);
  };
  return *std::min_element(points.begin(), points.end(),
                           [&](const SurfacePoint& a, const SurfacePoint& b) { return rank(a) < rank(b); });
}

void check_against_twin(const Surface& artist, const Surface& rig) {
  const CorrespondSettings settings{.reach = 0};
  const Correspondence found = correspond(artist, rig, settings);
  for (int i = 0; i < rig.positions.cols(); ++i) {
    const SurfacePoint expected = best_place(artist, rig, i, settings);
    CHECK(found.corner.col(i) == artist.triangles.col(expected.triangle));
    CHECK(found.barycentric.col(i) == expected.barycentric);
    CHECK(found.gap[i] == Approx(std::sqrt(expected.sq_dist)).margin(1e-14));
  }
}

/// `s` with its vertices in reverse order.
Surface reversed(const Surface& s) {
  Surface r;
  r.positions = s.positions.rowwise().reverse();
  r.triangles = (static_cast<int>(s.positions.cols()) - 1 - s.triangles.array()).matrix();
  return r;
}

}  // namespace

TEST_CASE("correspond: two sheets back to back are told apart by their normals", "[correspond]") {
  const Surface front = shapes::rectangle(1, 1);
  Surface back = front;
  back.triangles.row(1).swap(back.triangles.row(2));
  const Surface artist = shapes::join(front, back);
  const Surface rig = shapes::join(back, front);  // the other order: an index would mislead
  const Correspondence found = correspond(artist, rig);
  Matrix3Xd apart = artist.positions;
  apart.row(2).head<4>().setConstant(0.5);
  apart.row(2).tail<4>().setConstant(-0.5);
  const Matrix3Xd targets = follow(found, apart);
  CHECK((targets.row(2).head<4>().array() == -0.5).all());
  CHECK((targets.row(2).tail<4>().array() == 0.5).all());
  CHECK(std::count(found.kind.begin(), found.kind.end(), MatchKind::coincident) == 8);
}

TEST_CASE("correspond: split vertices of a box stay with their face", "[correspond]") {
  const Surface artist = shapes::split_box({2, 3, 5});
  const Matrix3Xd exploded = artist.positions + 0.7 * vertex_normals(artist);
  for (const Surface& rig : {artist, reversed(artist)}) {
    const Matrix3Xd expected = rig.positions + 0.7 * vertex_normals(rig);
    CHECK(worst(follow(correspond(artist, rig), exploded), expected) < 1e-15);
  }
}

TEST_CASE("correspond: equal sheets are told apart by the vertex index", "[correspond]") {
  const Surface sheet = shapes::rectangle(1, 1);
  const Surface artist = shapes::join(sheet, sheet);
  Matrix3Xd apart = artist.positions;
  apart.rightCols<4>().array() += 1;
  CHECK(follow(correspond(artist, artist), apart) == apart);
  // Where positions disagree the index means nothing: vertex i of the rig is not where vertex i of the artist
  // is.
  const Surface rig = reversed(artist);
  const Correspondence found = correspond(artist, rig);
  CHECK(follow(found, artist.positions) == rig.positions);
}

TEST_CASE("correspond: a vertex goes before a sheet that only passes through", "[correspond]") {
  // A patch lies flat on a bigger sheet; nothing but its vertices tells it from the sheet. Vertex 0 is
  // unused.
  const Surface nothing = shapes::surface({Vector3d::Constant(std::numeric_limits<double>::quiet_NaN())}, {});
  const Surface sheet = shapes::rectangle(8, 8);
  const Surface patch = shapes::subdivided(shapes::subdivided(shapes::rectangle(1, 1, 4)));
  const Surface artist = shapes::join(nothing, shapes::join(sheet, patch));
  const Surface rig = shapes::join(patch, sheet);
  Matrix3Xd lifted = artist.positions;
  lifted.rightCols(patch.positions.cols()).row(2).setConstant(3);
  const Matrix3Xd targets = follow(correspond(artist, rig), lifted);
  CHECK((targets.row(2).head(patch.positions.cols()).array() == 3).all());
  CHECK((targets.row(2).tail(sheet.positions.cols()).array() == 0).all());
}

TEST_CASE("correspond: normals that differ by less than a step leave the choice to the distance",
          "[correspond]") {
  // Through the rig vertex at the origin goes a sheet tilted by a thousandth; a level sheet lies just above.
  const Surface tilted = shapes::surface({{-1, -1, -1e-3}, {2, -1, -1e-3}, {-1, 2, 2e-3}}, {{0, 1, 2}});
  const Surface level = shapes::surface({{-1, -1, 1e-6}, {2, -1, 1e-6}, {-1, 2, 1e-6}}, {{0, 1, 2}});
  const Surface rig = shapes::surface({{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}}, {{0, 1, 2}});
  CorrespondSettings settings;
  CHECK(correspond(shapes::join(level, tilted), rig, settings).corner(0, 0) == 3);
  settings.facing = 1e-9;
  CHECK(correspond(shapes::join(level, tilted), rig, settings).corner(0, 0) == 0);
}

TEST_CASE("correspond: a copy follows the artist to the bit", "[correspond]") {
  const Surface artist = shapes::sphere(3, 1);
  Matrix3Xd moved = artist.positions;
  std::mt19937 random{12345};
  for (auto column : moved.colwise()) column += shapes::random_point(random);
  CHECK(follow(correspond(artist, artist), moved) == moved);
  CHECK(follow(correspond(artist, reversed(artist)), moved) == moved.rowwise().reverse());
}

TEST_CASE("correspond: rounding of the file is no offset", "[correspond]") {
  const Surface artist = shapes::sphere(3, 1);
  Surface rig = artist;
  rig.positions = artist.positions.cast<float>().cast<double>();
  const Correspondence found = correspond(artist, rig);
  CHECK(std::count(found.kind.begin(), found.kind.end(), MatchKind::coincident) == artist.positions.cols());
  CHECK(found.offset.isZero(0));
  CHECK(found.gap.maxCoeff() > 0);
  CHECK(found.gap.maxCoeff() < 1e-7);
  const Matrix3Xd moved = some_motion() * artist.positions;
  CHECK(worst(follow(found, moved), moved) < 1e-7);
}

TEST_CASE("correspond: a subdivided rig rides on the artist's triangles", "[correspond]") {
  const Surface artist = shapes::sphere(2, 1);
  const Surface rig = shapes::subdivided(shapes::subdivided(artist));
  const Correspondence found = correspond(artist, rig);
  CHECK(std::count(found.kind.begin(), found.kind.end(), MatchKind::coincident) == artist.positions.cols());
  CHECK(found.kind.back() == MatchKind::surface);
  CHECK(found.gap.maxCoeff() < 1e-15);
  Eigen::Affine3d affine;
  affine.matrix() << 1.5, 0.2, 0, 4, -0.3, 0.7, 0.1, -5, 0.6, 0, -2, 6, 0, 0, 0, 1;
  CHECK(worst(follow(found, affine * artist.positions), affine * rig.positions) < 1e-14);
  // Any motion of the artist: every new vertex stays the same mean of old ones.
  Surface moved = artist;
  std::mt19937 random{12345};
  for (auto column : moved.positions.colwise()) column += 0.3 * shapes::random_point(random);
  CHECK(worst(follow(found, moved.positions), shapes::subdivided(shapes::subdivided(moved)).positions) <
        1e-14);
}

TEST_CASE("correspond: an offset turns rigidly with its triangle", "[correspond]") {
  const Surface artist = shapes::surface({{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, {{0, 1, 2}});
  const Surface rig = shapes::surface({{0.5, 0.5, 0.3}, {1, 0.5, 0.3}, {-0.2, -0.1, 0.3}}, {{0, 1, 2}});
  const Correspondence found = correspond(artist, rig);
  CHECK(found.gap[0] == Approx(0.3));
  CHECK(found.gap[2] == Approx(std::sqrt(0.04 + 0.01 + 0.09)));
  CHECK(worst(follow(found, artist.positions), rig.positions) < 1e-15);
  // A quarter turn about x: (x, y, z) goes to (x, -z, y).
  Matrix3Xd turned(3, 3), expected(3, 3);
  turned << 0, 2, 0, 0, 0, 0, 0, 0, 2;
  expected << 0.5, 1, -0.2, -0.3, -0.3, -0.3, 0.5, 0.5, -0.1;
  CHECK(worst(follow(found, turned), expected) < 1e-15);
  // Stretched along its plane: the foot moves, the offset keeps its length.
  Matrix3Xd stretched = artist.positions;
  stretched.row(1) *= 3;
  CHECK((follow(found, stretched).col(0) - Vector3d(0.5, 1.5, 0.3)).norm() < 1e-15);
}

TEST_CASE("correspond: where offsets are left out the closest point itself is followed", "[correspond]") {
  const Surface artist = shapes::surface({{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, {{0, 1, 2}});
  const Surface rig = shapes::surface({{0.5, 0.5, 0.3}, {1, 0.5, 0}, {-0.2, -0.1, 0.3}}, {{0, 1, 2}});
  const Correspondence found = correspond(artist, rig);
  Matrix3Xd moved(3, 3), expected(3, 3);
  moved << 5, 5, 5, 0, 0, 4, 0, 2, 0;  // (x, y) goes to (5, 2 y, x)
  expected << 5, 5, 5, 1, 1, 0, 0.5, 1, 0;
  CHECK(worst(follow(found, moved, Offset::left_out), expected) < 1e-15);
  CHECK(follow(found, moved, Offset::left_out).col(1) == follow(found, moved).col(1));
}

TEST_CASE("correspond: moving everything moves every target", "[correspond]") {
  std::mt19937 random{12345};
  const Surface artist = shapes::sphere(2, 1);
  Surface rig = shapes::sphere(3, 1.05);
  for (auto column : rig.positions.colwise()) column += 0.02 * shapes::random_point(random);
  const Correspondence found = correspond(artist, rig);
  CHECK(worst(follow(found, artist.positions), rig.positions) < 1e-14);
  CHECK(worst(follow(found, some_motion() * artist.positions), some_motion() * rig.positions) < 1e-14);
}

TEST_CASE("correspond: triangles that collapse give no NaN", "[correspond]") {
  const Surface artist = shapes::surface({{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, {{0, 1, 2}});
  const Surface rig = shapes::surface({{0.5, 0.5, 0.3}, {1, 0.5, 0.3}, {0.5, 1, 0.3}}, {{0, 1, 2}});
  const Correspondence found = correspond(artist, rig);
  const Vector3d p(1, 2, 3), q(2, 2, 3);
  const std::vector<std::array<Vector3d, 3>> collapsed = {
      {p, p, p}, {p, p, q}, {p, q, p}, {p, q, q}, {p, q, (p + q) / 2}};
  for (const auto& corners : collapsed) {
    Matrix3Xd positions(3, 3);
    positions << corners[0], corners[1], corners[2];
    const Matrix3Xd targets = follow(found, positions);
    REQUIRE(targets.allFinite());
    const Matrix3Xd feet = positions * found.barycentric;  // all three ride on the one triangle
    CHECK((targets - feet).colwise().norm().isApproxToConstant(0.3, 1e-12));
  }
}

TEST_CASE("correspond: an offset along a segment turns with it", "[correspond]") {
  const Vector3d a(0, 0, 0), b(0, 0, 1);
  const Surface rig = shapes::surface({{0, 0, 1.5}, {0, 0.2, 1.5}, {0.1, 0, 1.5}}, {{0, 1, 2}});
  const Surface far_away = shapes::rectangle(1, 1, 50);
  const std::vector<std::array<Vector3d, 3>> segments = {{a, a, b}, {a, b, a}, {b, a, a}, {a, b, b}};
  for (const auto& s : segments) {
    const Surface artist = shapes::join(shapes::surface({s[0], s[1], s[2]}, {{0, 1, 2}}), far_away);
    const Matrix3Xd moved = some_motion() * artist.positions;
    const Matrix3Xd targets = follow(correspond(artist, rig), moved);
    CHECK((targets.col(0) - some_motion() * rig.positions.col(0)).norm() < 1e-14);
    CHECK((targets.col(1) - some_motion() * b).norm() == Approx(std::hypot(0.2, 0.5)));
  }
}

TEST_CASE("correspond: in the matching pose the target is the rig vertex", "[correspond]") {
  std::mt19937 random{12345};
  const Surface artist = shapes::soup(200, random);  // segments and points too
  const Surface rig = shapes::soup(100, random);
  const Correspondence found = correspond(artist, rig);
  CHECK(worst(follow(found, artist.positions), rig.positions) < 1e-14);
}

TEST_CASE("correspond: same choice as ranking every triangle", "[correspond]") {
  std::mt19937 random{12345};
  for (int round = 0; round < 5; ++round) {
    check_against_twin(shapes::soup(60, random), shapes::soup(60, random));
  }
  check_against_twin(shapes::split_box({1, 2, 3}), shapes::split_box({1, 2, 3}));
  check_against_twin(shapes::split_box({1, 2, 3}),
                     reversed(shapes::subdivided(shapes::split_box({1, 2, 3}))));
  check_against_twin(shapes::sphere(2, 1), shapes::sphere(3, 1));
  const Surface soup = shapes::soup(80, random);
  check_against_twin(soup, soup);  // repeated triangles, points and segments
}

TEST_CASE("correspond: unused vertices take no part", "[correspond]") {
  const double nan_value = std::numeric_limits<double>::quiet_NaN();
  // An unused vertex of the artist lies nearer than its triangle, another is not finite.
  const Surface artist =
      shapes::surface({{0, 0, 0.1}, {0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {nan_value, 0, 0}}, {{1, 2, 3}});
  const Surface rig =
      shapes::surface({{0, 0, 0.1}, {nan_value, nan_value, 0}, {1, 0, 0.1}, {0, 1, 0.1}}, {{0, 2, 3}});
  const Correspondence found = correspond(artist, rig);
  CHECK(found.kind[0] == MatchKind::surface);
  CHECK(found.kind[1] == MatchKind::unused);
  CHECK(found.corner.col(0) == Eigen::Vector3i(1, 2, 3));
  CHECK(found.corner.col(1) == Eigen::Vector3i(-1, -1, -1));
  CHECK(found.gap[1] == 0);
  const Matrix3Xd targets = follow(found, artist.positions);
  CHECK(targets.col(1).array().isNaN().all());
  CHECK((targets.col(2) - rig.positions.col(2)).norm() < 1e-15);
}

TEST_CASE("correspond: refuses what it cannot match", "[correspond]") {
  const Surface good = shapes::rectangle(1, 1);
  for (const double bad_value : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL}) {
    Surface bad = good;
    bad.positions(1, 2) = bad_value;
    CHECK_THROWS_WITH(correspond(bad, good), Catch::Contains("artist") && Catch::Contains("vertex 2"));
    CHECK_THROWS_WITH(correspond(good, bad), Catch::Contains("rig") && Catch::Contains("vertex 2"));
  }
  CHECK_THROWS_AS(correspond(Surface(), good), InvalidInput);
  CHECK_THROWS_AS(correspond(good, Surface()), InvalidInput);
  CorrespondSettings settings;
  settings.coincidence = -1;
  CHECK_THROWS_AS(correspond(good, good, settings), InvalidInput);
  settings = {};
  settings.facing = 0;
  CHECK_THROWS_AS(correspond(good, good, settings), InvalidInput);
  settings = {};
  settings.reach = std::nan("");
  CHECK_THROWS_AS(correspond(good, good, settings), InvalidInput);
}

TEST_CASE("vertices far from the artist's surface have no counterpart") {
  const pelt::Surface artist = shapes::rectangle(1, 1);
  const pelt::Surface rig =
      shapes::join(artist, shapes::rectangle(0.1, 0.1, 0.3, 0.5));  // a saddle, half a unit above
  Correspondence found = correspond(artist, rig);
  CHECK(leave_out_far(found, 0.6) == 0);
  CHECK(leave_out_far(found, 0.4) == 4);
  CHECK(std::count(found.kind.begin(), found.kind.end(), MatchKind::none) == 4);
  CHECK(found.kind[0] == MatchKind::coincident);
}

TEST_CASE("correspond: identical for any number of threads", "[correspond]") {
  std::mt19937 random{12345};
  const Surface artist = shapes::soup(300, random);
  const Surface rig = shapes::join(shapes::soup(300, random), artist);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Correspondence one = correspond(artist, rig);
  const Matrix3Xd one_target = follow(one, artist.positions);
  omp_set_num_threads(3);
  const Correspondence three = correspond(artist, rig);
  const Matrix3Xd three_target = follow(three, artist.positions);
  omp_set_num_threads(before);
  CHECK(one.corner == three.corner);
  CHECK(one.barycentric == three.barycentric);
  CHECK(one.offset == three.offset);
  CHECK(one.kind == three.kind);
  CHECK(one.gap == three.gap);
  CHECK(one_target == three_target);
}
