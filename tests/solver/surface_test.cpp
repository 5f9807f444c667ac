#include "solver/surface.h"

#include <catch2/catch.hpp>
#include <limits>

#include "shapes.h"
#include "solver/error.h"

using namespace pelt;
using Catch::Matchers::Contains;

namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

/// Two triangles at right angles along the y axis: area 1 facing +z, area 3 facing +x. Vertex 4 is unused and
/// not finite.
Surface hinge() {
  return shapes::surface({{0, 0, 0}, {0, 2, 0}, {-1, 0, 0}, {0, 0, -3}, {nan_value, 0, 0}},
                         {{0, 1, 2}, {0, 3, 1}});
}

}  // namespace

TEST_CASE("surface: validate names what is wrong", "[surface]") {
  CHECK_NOTHROW(validate(hinge(), "artist"));
  Surface s = hinge();
  s.triangles(1, 1) = 5;
  CHECK_THROWS_WITH(validate(s, "artist"),
                    Contains("artist") && Contains("triangle 1") && Contains("vertex 5"));
  s.triangles(1, 1) = -1;
  CHECK_THROWS_AS(validate(s, "artist"), InvalidInput);
  s.triangles(1, 1) = 4;
  CHECK_THROWS_WITH(validate(s, "rig"), Contains("rig") && Contains("vertex 4"));
  s.triangles.resize(3, 0);
  CHECK_THROWS_AS(validate(s, "rig"), InvalidInput);
}

TEST_CASE("surface: used vertices and the diagonal leave unused ones out", "[surface]") {
  CHECK(used_vertices(hinge()) == std::vector<char>{1, 1, 1, 1, 0});
  CHECK(bounding_diagonal(hinge()) == Approx(std::sqrt(1.0 + 4 + 9)));
  const Surface s = shapes::surface({{1, 1, 1}, {4, 5, 13}, {99, 0, 0}, {2, 2, 2}}, {{0, 1, 3}});
  CHECK(bounding_diagonal(s) == 13);
  CHECK(bounding_diagonal(Surface()) == 0);
}

TEST_CASE("surface: vertex areas are thirds and add up to the area", "[surface]") {
  const Eigen::VectorXd areas = vertex_areas(hinge());
  REQUIRE(areas.size() == 5);
  CHECK(areas[0] == Approx(4.0 / 3));
  CHECK(areas[1] == Approx(4.0 / 3));
  CHECK(areas[2] == Approx(1.0 / 3));
  CHECK(areas[3] == Approx(1.0));
  CHECK(areas[4] == 0);
  CHECK(vertex_areas(shapes::split_box({2, 3, 5})).sum() == Approx(62));
}

TEST_CASE("surface: normals are unit and weighted by area", "[surface]") {
  const Surface s = hinge();
  CHECK(face_normals(s).col(0).isApprox(Eigen::Vector3d::UnitZ()));
  CHECK(face_normals(s).col(1).isApprox(Eigen::Vector3d::UnitX()));
  const Eigen::Matrix3Xd normals = vertex_normals(s);
  CHECK(normals.col(0).isApprox(Eigen::Vector3d(3, 0, 1).normalized()));
  CHECK(normals.col(2).isApprox(Eigen::Vector3d::UnitZ()));
  CHECK(normals.col(4).isZero(0));
  const Surface ball = shapes::octahedron(2);
  CHECK(vertex_normals(ball).isApprox(ball.positions / 2));
}

TEST_CASE("surface: normals of triangles without area are zero", "[surface]") {
  const Surface s = shapes::surface({{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}, {{0, 1, 2}});
  CHECK(face_normals(s).isZero(0));
  CHECK(vertex_normals(s).isZero(0));
  CHECK(vertex_areas(s).isZero(0));
}

TEST_CASE("surface: samples follow the area", "[surface]") {
  const Surface box = shapes::split_box({2, 3, 5});
  const int count = 6200;  // a hundred per unit of area
  const Eigen::Matrix3Xd samples = sample_by_area(box, count);
  const Eigen::Vector3d half(1, 1.5, 2.5);
  const Eigen::Vector3d expected(1500, 1000, 600);  // a face across each axis
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {-1, 1}) {
      const auto on_face = (samples.row(axis).array() - side * half[axis]).abs() < 1e-12;
      CHECK(on_face.count() == Approx(expected[axis]).margin(1));
    }
  }
  CHECK((samples.array().abs() <= half.replicate(1, count).array() + 1e-12).all());
  CHECK((sample_by_area(box, count).array() == samples.array()).all());
}

TEST_CASE("surface: samples are more even than random ones", "[surface]") {
  const Eigen::Matrix3Xd samples = sample_by_area(shapes::rectangle(1, 1), 6400);
  Eigen::MatrixXi cell = Eigen::MatrixXi::Zero(8, 8);
  for (Eigen::Index k = 0; k < samples.cols(); ++k) {
    const Eigen::Vector3i at = (8 * samples.col(k)).cast<int>().cwiseMin(7);
    ++cell(at[0], at[1]);
  }
  // A hundred a cell: the standard deviation of random samples would be 10.
  const double variance = (cell.array().cast<double>() - 100).square().mean();
  CHECK(variance < 5 * 5);
  CHECK((samples.rowwise().mean() - Eigen::Vector3d(0.5, 0.5, 0)).norm() < 1e-3);
}

TEST_CASE("surface: samples never fall on triangles without area", "[surface]") {
  const Surface point = shapes::surface({{9, 9, 9}, {9, 9, 9}, {9, 9, 9}}, {{0, 1, 2}});
  const Surface s = shapes::join(shapes::join(point, shapes::rectangle(1, 1)), point);
  CHECK(sample_by_area(s, 1000).maxCoeff() <= 1);
  CHECK_THROWS_AS(sample_by_area(point, 10), InvalidInput);
  CHECK_THROWS_AS(sample_by_area(Surface(), 10), InvalidInput);
}
