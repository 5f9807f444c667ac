#include "solver/closest_point.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "shapes.h"

using namespace pelt;
using Eigen::Vector3d;

namespace {

/// Slow twin of TriangleTree: every triangle in turn.
std::vector<SurfacePoint> all_triangles(const Surface& surface, const Vector3d& p) {
  std::vector<SurfacePoint> points;
  for (int t = 0; t < surface.triangles.cols(); ++t) {
    const Eigen::Matrix3d corners = surface.positions(Eigen::all, surface.triangles.col(t));
    points.push_back(closest_on_triangle(p, {corners.col(0), corners.col(1), corners.col(2)}));
    points.back().triangle = t;
  }
  return points;
}

SurfacePoint closest_of_all(const Surface& surface, const Vector3d& p) {
  SurfacePoint best;
  best.sq_dist = std::numeric_limits<double>::infinity();
  for (const SurfacePoint& point : all_triangles(surface, p)) {
    if (point.sq_dist < best.sq_dist) best = point;
  }
  return best;
}

/// Near the surface, on it (vertices, edges, faces), inside its box and far away.
std::vector<Vector3d> queries(const Surface& surface, int rounds, std::mt19937& random) {
  std::vector<Vector3d> points;
  std::uniform_int_distribution<int> any(0, static_cast<int>(surface.triangles.cols()) - 1);
  const double size = bounding_diagonal(surface);
  for (int k = 0; k < rounds; ++k) {
    const Eigen::Matrix3d corners = surface.positions(Eigen::all, surface.triangles.col(any(random)));
    const Vector3d middle = corners.rowwise().mean();
    points.push_back(corners.col(k % 3));
    points.push_back((corners.col(0) + corners.col(1)) / 2);
    points.push_back(middle);
    points.push_back(middle + 0.01 * size * shapes::random_point(random));
    points.push_back(middle + size * shapes::random_point(random));
    points.push_back(middle + 1e6 * size * shapes::random_point(random));
  }
  return points;
}

void check_against_all(const Surface& surface, const Vector3d& p) {
  const TriangleTree tree(surface);
  const SurfacePoint found = tree.closest(p);
  const SurfacePoint expected = closest_of_all(surface, p);
  CHECK(found.sq_dist == expected.sq_dist);
  CHECK(found.triangle == expected.triangle);
}

}  // namespace

TEST_CASE("closest point: the seven regions of a triangle", "[closest]") {
  const Vector3d a(0, 0, 0), b(4, 0, 0), c(0, 3, 0);
  struct Case {
    Vector3d p, barycentric;
    double sq_dist;
  };
  const std::vector<Case> cases = {
      {{-1, -2, 2}, {1, 0, 0}, 9},                 // corner a
      {{6, -1, 0}, {0, 1, 0}, 5},                  // corner b
      {{-1, 5, 0}, {0, 0, 1}, 5},                  // corner c
      {{1, -2, 0}, {0.75, 0.25, 0}, 4},            // edge ab
      {{-1, 1, 1}, {2.0 / 3, 0, 1.0 / 3}, 2},      // edge ac
      {{2 + 3, 1.5 + 4, 0}, {0, 0.5, 0.5}, 25},    // edge bc, along its normal (3, 4)
      {{1, 1, -7}, {5.0 / 12, 0.25, 1.0 / 3}, 49}  // inside
  };
  for (const Case& k : cases) {
    const SurfacePoint point = closest_on_triangle(k.p, {a, b, c});
    CHECK(point.sq_dist == Approx(k.sq_dist));
    CHECK(point.barycentric.isApprox(k.barycentric, 1e-14));
    // The other orientation is the same set of points.
    CHECK(closest_on_triangle(k.p, {a, c, b}).sq_dist == Approx(k.sq_dist));
  }
}

TEST_CASE("closest point: corners are hit exactly", "[closest]") {
  std::mt19937 random{12345};
  for (int k = 0; k < 300; ++k) {
    const Triangle corner = {shapes::random_point(random), shapes::random_point(random),
                             shapes::random_point(random)};
    const SurfacePoint point = closest_on_triangle(corner[k % 3], corner);
    CHECK(point.sq_dist == 0);
    CHECK(point.barycentric == Vector3d::Unit(k % 3));
  }
}

TEST_CASE("closest point: a projection onto a convex set", "[closest]") {
  // x is the point of a convex set closest to p if and only if (p - x) . (y - x) <= 0 for all of its points
  // y.
  std::mt19937 random{12345};
  for (const double scale : {1e-30, 1e-6, 1.0, 1e6, 1e30}) {
    for (int k = 0; k < 400; ++k) {
      const Vector3d origin = k % 2 == 0 ? Vector3d::Zero().eval() : (scale * Vector3d(100, -200, 50)).eval();
      Eigen::Matrix3d corners;
      for (int i = 0; i < 3; ++i) corners.col(i) = origin + scale * shapes::random_point(random);
      const double reach = k % 3 == 0 ? 1e5 : 2;  // of the query, in sizes of the triangle
      const Vector3d p = origin + reach * scale * shapes::random_point(random);
      const SurfacePoint point = closest_on_triangle(p, {corners.col(0), corners.col(1), corners.col(2)});
      const Vector3d x = corners * point.barycentric;
      CHECK(point.barycentric.minCoeff() >= 0);
      CHECK(point.barycentric.sum() == Approx(1).epsilon(1e-14));
      const double rounding = 1e-11 * scale * scale * reach;
      CHECK(std::abs((p - x).squaredNorm() - point.sq_dist) <= rounding * reach);
      CHECK(((corners.colwise() - x).transpose() * (p - x)).maxCoeff() <= rounding);
    }
  }
}

TEST_CASE("closest point: triangles that are segments or points", "[closest]") {
  const Vector3d a(0, 0, 0), b(4, 0, 0), between(1, 0, 0);
  const std::vector<Triangle> segments = {{a, b, between}, {a, between, b}, {between, a, b},
                                          {a, a, b},       {a, b, a},       {a, b, b}};
  for (const auto& s : segments) {
    for (const double x : {-3.0, 0.5, 2.5, 9.0}) {
      const SurfacePoint point = closest_on_triangle({x, 3, 4}, s);
      const Vector3d at =
          point.barycentric[0] * s[0] + point.barycentric[1] * s[1] + point.barycentric[2] * s[2];
      const double expected = std::clamp(x, 0.0, 4.0);
      CHECK(point.sq_dist == Approx(25 + (x - expected) * (x - expected)));
      CHECK(at.isApprox(Vector3d(expected, 0, 0), 1e-14));
    }
  }
  const SurfacePoint point = closest_on_triangle({4, 3, 4}, {b, b, b});
  CHECK(point.sq_dist == 25);
  CHECK(point.barycentric.sum() == 1);
}

TEST_CASE("closest point: a sliver is as near as its longest edge", "[closest]") {
  std::mt19937 random{12345};
  for (int k = 0; k < 4000; ++k) {
    const double width = std::pow(10, -3 - 14 * std::abs(shapes::random_point(random)[0]));
    const Vector3d a = shapes::random_point(random);
    const Vector3d b = shapes::random_point(random);
    const Vector3d c = a + 0.7 * (b - a) + width * shapes::random_point(random);
    const Vector3d p = shapes::random_point(random);
    const double sq_edge = closest_on_triangle(p, {a, b, b}).sq_dist;
    const SurfacePoint point = closest_on_triangle(p, {a, b, c});
    CHECK(std::sqrt(point.sq_dist) == Approx(std::sqrt(sq_edge)).margin(2 * width + 1e-15));
    const Vector3d at = point.barycentric[0] * a + point.barycentric[1] * b + point.barycentric[2] * c;
    CHECK((p - at).squaredNorm() == Approx(point.sq_dist).margin(1e-15));
  }
}

TEST_CASE("triangle tree: same answer as every triangle in turn", "[closest]") {
  std::mt19937 random{12345};
  for (const int size : {1, 2, 4, 5, 9, 100, 700}) {
    const Surface surface = shapes::soup(size, random);
    const TriangleTree tree(surface);
    for (const Vector3d& p : queries(surface, 40, random)) {
      const SurfacePoint found = tree.closest(p);
      const SurfacePoint expected = closest_of_all(surface, p);
      CHECK(found.sq_dist == expected.sq_dist);
      CHECK(found.triangle == expected.triangle);
    }
  }
}

TEST_CASE("triangle tree: huge and tiny and far from the origin", "[closest]") {
  std::mt19937 random{12345};
  const Surface unit = shapes::soup(200, random);
  for (const double scale : {1e-30, 1e-6, 1e6, 1e30}) {
    for (const double shift : {0.0, 1e3 * scale, 1e9 * scale}) {
      Surface surface = unit;
      surface.positions = (scale * unit.positions.array() + shift).matrix();
      const TriangleTree tree(surface);
      for (const Vector3d& p : queries(surface, 10, random)) {
        const SurfacePoint found = tree.closest(p);
        const SurfacePoint expected = closest_of_all(surface, p);
        CHECK(found.sq_dist == expected.sq_dist);
        CHECK(found.triangle == expected.triangle);
      }
    }
  }
}

TEST_CASE("triangle tree: ties go to the lowest index", "[closest]") {
  Surface fan = shapes::octahedron(1);
  for (int turn = 0; turn < 8; ++turn) {
    for (int vertex = 0; vertex < 6; ++vertex) check_against_all(fan, 2 * fan.positions.col(vertex));
    check_against_all(fan, Vector3d::Zero());  // all eight faces
    const Eigen::Vector3i first = fan.triangles.col(0);
    fan.triangles.leftCols<7>() = fan.triangles.rightCols<7>().eval();
    fan.triangles.col(7) = first;
  }
  const Surface ball = shapes::sphere(3, 1);
  const TriangleTree tree(ball);
  for (const Vector3d p : ball.positions.colwise()) {
    CHECK(tree.closest(p).triangle == closest_of_all(ball, p).triangle);
    CHECK(tree.closest(2 * p).triangle == closest_of_all(ball, 2 * p).triangle);
  }
  Surface copies = shapes::rectangle(1, 1);
  for (int k = 0; k < 10; ++k) copies = shapes::join(copies, copies);
  CHECK(TriangleTree(copies).closest({0.7, 0.2, 5}).triangle == 0);
  CHECK(TriangleTree(copies).closest({0.2, 0.7, 5}).triangle == 1);
}

TEST_CASE("triangle tree: nothing beyond the bound", "[closest]") {
  const TriangleTree tree(shapes::rectangle(1, 1));
  const Vector3d p(0.75, 0.25, 2);
  CHECK(tree.closest(p, 4).triangle == 0);
  CHECK(tree.closest(p, 4).sq_dist == 4);
  const SurfacePoint none = tree.closest(p, 3.999);
  CHECK(none.triangle == -1);
  CHECK(none.sq_dist == 3.999);
}

TEST_CASE("triangle tree: within is a filter over all triangles", "[closest]") {
  std::mt19937 random{12345};
  const Surface surface = shapes::soup(300, random);
  const TriangleTree tree(surface);
  const auto even = [](int triangle) { return triangle % 2 == 0; };
  for (const double radius : {0.0, 0.01, 0.3, 10.0}) {
    for (const Vector3d& p : queries(surface, 20, random)) {
      std::vector<SurfacePoint> expected;
      for (const SurfacePoint& point : all_triangles(surface, p)) {
        if (point.sq_dist <= radius * radius) expected.push_back(point);
      }
      const std::vector<SurfacePoint> found = tree.within(p, radius);
      REQUIRE(found.size() == expected.size());
      for (std::size_t k = 0; k < found.size(); ++k) {
        CHECK(found[k].triangle == expected[k].triangle);
        CHECK(found[k].sq_dist == expected[k].sq_dist);
        CHECK(found[k].barycentric == expected[k].barycentric);
      }
      std::erase_if(expected, [&](const SurfacePoint& point) { return !even(point.triangle); });
      const std::vector<SurfacePoint> wanted = tree.within(p, radius, even);
      REQUIRE(wanted.size() == expected.size());
      for (std::size_t k = 0; k < wanted.size(); ++k) CHECK(wanted[k].triangle == expected[k].triangle);
    }
  }
}

TEST_CASE("triangle tree: the closest few are a filter over all triangles", "[closest]") {
  std::mt19937 random{12345};
  Surface surface = shapes::soup(300, random);
  surface = shapes::join(surface, shapes::rectangle(1, 1));  // all ties
  surface = shapes::join(surface, shapes::rectangle(1, 1));
  const TriangleTree tree(surface);
  std::vector<SurfacePoint> found(7);
  for (const double slack : {0.0, 1e-6, 0.05, 1.0}) {
    for (const Vector3d& p : queries(surface, 20, random)) {
      const std::vector<SurfacePoint> all = all_triangles(surface, p);
      const double limit = std::sqrt(closest_of_all(surface, p).sq_dist) + slack;
      tree.closest_few(p, slack, found);
      std::vector<int> triangles;
      for (const SurfacePoint& point : found) {
        triangles.push_back(point.triangle);
        CHECK(point.sq_dist == all[static_cast<std::size_t>(point.triangle)].sq_dist);
        CHECK(point.barycentric == all[static_cast<std::size_t>(point.triangle)].barycentric);
        CHECK(point.sq_dist <= limit * limit * (1 + 1e-15));
      }
      std::sort(triangles.begin(), triangles.end());
      CHECK(std::adjacent_find(triangles.begin(), triangles.end()) == triangles.end());
      CHECK(std::count_if(all.begin(), all.end(), [&](const SurfacePoint& point) {
              return point.sq_dist <= limit * limit * (1 - 1e-15);
            }) <= static_cast<long>(triangles.size()));
    }
  }
}
