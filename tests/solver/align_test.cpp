#include "solver/align.h"

#include <omp.h>

#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <string>

#include "shapes.h"
#include "solver/error.h"
#include "tests/fixtures.h"

using namespace pelt;
using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;

namespace {

Surface moved(const Surface& surface, const Matrix4d& similarity) {
  return {(similarity.topRows<3>() * surface.positions.colwise().homogeneous()).eval(), surface.triangles};
}

Surface box(const Vector3d& size, const Vector3d& centre) {
  Surface s = shapes::split_box(size);
  s.positions.colwise() += centre;
  return s;
}

/// A four-legged thing that faces +z, its own mirror image in x.
Surface animal() {
  Surface s = box({0.5, 0.6, 1.6}, {0, 1, 0});
  s = shapes::join(s, box({0.3, 0.3, 0.4}, {0, 1.5, 0.9}));
  for (const double x : {-0.2, 0.2})
    for (const double z : {-0.7, 0.7}) s = shapes::join(s, box({0.12, 0.8, 0.12}, {x, 0.4, z}));
  return s;
}

/// The same with one ear.
Surface lopsided() { return shapes::join(animal(), box({0.1, 0.3, 0.1}, {0.1, 1.75, 0.9})); }

Matrix4d similarity(const Matrix3d& turn, double scale, const Vector3d& shift) {
  Matrix4d m = Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = scale * turn;
  m.topRightCorner<3, 1>() = shift;
  return m;
}

/// Largest distance by which vertices of the rig miss those of the artist, fraction of the diagonal.
double misses(const Surface& artist, const Surface& rig, const Alignment& found) {
  return (moved(rig, found.artist_from_rig).positions - artist.positions).colwise().norm().maxCoeff() /
         bounding_diagonal(artist);
}

/// The rig is the artist's surface moved so; is the way back found?
void check_found(const Surface& artist, const Matrix4d& rig_from_artist, bool mirrored = false) {
  const Surface rig = moved(artist, rig_from_artist);
  const Alignment found = align(artist, rig, {.samples = 500, .few = 100});
  CHECK(misses(artist, rig, found) < 1e-9);
  CHECK(found.mirrored == mirrored);
  CHECK(scale_of(found.artist_from_rig) * scale_of(rig_from_artist) == Approx(1).epsilon(1e-9));
}

}  // namespace

TEST_CASE("align: surfaces that lie on each other stay as they are to the bit", "[align]") {
  const Alignment found = align(animal(), shapes::subdivided(animal()));
  CHECK(found.artist_from_rig == Matrix4d(Matrix4d::Identity()));
  CHECK_FALSE(found.mirrored);
  CHECK(found.gap < 1e-12);
}

TEST_CASE("align: any rotation, scale and place is found", "[align]") {
  test::Random random;
  for (int n = 0; n < 20; ++n) {
    const Matrix3d turn = rotation_of(random.vector(3));
    INFO(n);
    check_found(lopsided(), similarity(turn, std::pow(10, random.uniform(-3, 3)), random.vector(50)));
  }
}

TEST_CASE("align: every axis turn is found, mirrored or not", "[align]") {
  int turns = 0;
  for (int code = 0; code < 48 * 3; ++code) {
    const int x = code % 3, y = code / 3 % 3, z = 3 - x - y;
    if (x == y || z == x || z == y) continue;
    const int signs = code / 9;
    if (signs >= 8) continue;
    Matrix3d turn = Matrix3d::Zero();
    turn(x, 0) = signs & 1 ? -1 : 1, turn(y, 1) = signs & 2 ? -1 : 1, turn(z, 2) = signs & 4 ? -1 : 1;
    INFO(turn);
    check_found(lopsided(), similarity(turn, 1, {1, 2, 3}), turn.determinant() < 0);
    ++turns;
  }
  CHECK(turns == 48);
}

TEST_CASE("align: a thousandth and a thousandfold are found", "[align]") {
  for (const double scale : {1e-3, 1e3})
    check_found(lopsided(), similarity(Matrix3d::Identity(), scale, {0, 0, 0}));
}

TEST_CASE("align: a symmetric animal is never mirrored, and its head tells front from back", "[align]") {
  const Matrix3d half_turn = Vector3d(-1, 1, -1).asDiagonal();
  check_found(animal(), similarity(half_turn, 100, {0, 0, 0}));
  const Surface mirror = moved(animal(), similarity(Vector3d(-1, 1, 1).asDiagonal(), 0.01, {3, 0, 0}));
  const Alignment found = align(animal(), mirror);
  CHECK_FALSE(found.mirrored);
  CHECK(found.gap < 1e-9);
  CHECK(found.artist_from_rig(2, 2) == Approx(100));  // front stays front
}

TEST_CASE("align: a part that one side lacks does not move the rest", "[align]") {
  const Surface whole = lopsided();
  const Surface saddle = box({0.5, 0.2, 0.7}, {0, 1.4, 0});
  const double share = vertex_areas(saddle).sum() / vertex_areas(whole).sum();
  REQUIRE(share > 0.15);
  const Matrix4d there = similarity(rotation_of({0.3, -1, 2}), 0.01, {4, 5, -6});
  const Surface rig = moved(shapes::join(whole, saddle), there);
  const Matrix4d added = align(whole, rig).artist_from_rig, taken = align(rig, whole).artist_from_rig;
  CHECK((moved(moved(whole, there), added).positions - whole.positions).cwiseAbs().maxCoeff() < 1e-8);
  CHECK((moved(whole, taken).positions - moved(whole, there).positions).cwiseAbs().maxCoeff() < 1e-10);
}

TEST_CASE("align: a mesh that is denser at one end lies where it lay", "[align]") {
  const Surface artist = lopsided();
  Surface dense = box({0.5, 0.6, 1.6}, {0, 1, 0}), head = box({0.3, 0.3, 0.4}, {0, 1.5, 0.9});
  for (int level = 0; level < 4; ++level) head = shapes::subdivided(head);
  dense = shapes::join(dense, head);
  for (const double x : {-0.2, 0.2})
    for (const double z : {-0.7, 0.7}) dense = shapes::join(dense, box({0.12, 0.8, 0.12}, {x, 0.4, z}));
  dense = shapes::join(dense, box({0.1, 0.3, 0.1}, {0.1, 1.75, 0.9}));
  REQUIRE(head.positions.cols() > 3 * (dense.positions.cols() - head.positions.cols()));
  const Matrix4d there = similarity(rotation_of({-2, 0.5, 1}), 30, {7, -8, 9});
  const Alignment found = align(artist, moved(dense, there));
  CHECK((found.artist_from_rig * there - Matrix4d::Identity()).cwiseAbs().maxCoeff() < 1e-8);
}

TEST_CASE("align: a small animal does not hide in a big one of another kind", "[align]") {
  const Surface artist = lopsided();
  const Alignment found = align(artist, shapes::sphere(3, 1));
  CHECK(found.gap > 0.01 * bounding_diagonal(artist));
  CHECK(scale_of(found.artist_from_rig) > 0.3);
}

TEST_CASE("align: the same bits for any number of threads", "[align]") {
  const Surface artist = lopsided(),
                rig = moved(lopsided(), similarity(rotation_of({1, 2, 3}), 7, {1, 1, 1}));
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Alignment one = align(artist, rig);
  for (const int threads : {2, 4}) {
    omp_set_num_threads(threads);
    const Alignment more = align(artist, rig);
    CHECK(more.artist_from_rig == one.artist_from_rig);
    CHECK(more.gap == one.gap);
  }
  omp_set_num_threads(before);
}

TEST_CASE("align: a mirrored rig faces outwards in the artist's space, whichever way its file winds it",
          "[align]") {
  const Surface artist = lopsided();
  const Matrix4d mirror = similarity(Vector3d(-1, 1, 1).asDiagonal(), 1, {0, 0, 0});
  Surface rig = moved(artist, mirror);
  for (int n = 0; n < 2; ++n) {
    const Alignment found = align(artist, rig);
    REQUIRE(found.mirrored);
    CHECK((face_normals(in_artist_space(artist, rig, found)) - face_normals(artist)).cwiseAbs().maxCoeff() <
          1e-6);
    rig.triangles = rig.triangles.colwise().reverse().eval();
  }
}

TEST_CASE("align: refuses what has no surface", "[align]") {
  CHECK_THROWS_AS(align(animal(), Surface()), InvalidInput);
  CHECK_THROWS_AS(align(shapes::rectangle(1, 0), animal()), InvalidInput);
}
