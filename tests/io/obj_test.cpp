#include "io/obj.h"

#include <catch2/catch.hpp>
#include <clocale>
#include <string>

#include "io/io_error.h"

using namespace pelt;

namespace {

ObjMesh parse(const std::string& text) { return parse_obj(text, "test.obj"); }

const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const ReadError& error) {
    return error.what();
  }
  return "";
}

Eigen::Matrix3Xi triangles(std::initializer_list<std::initializer_list<int>> list) {
  Eigen::Matrix3Xi columns(3, static_cast<Eigen::Index>(list.size()));
  Eigen::Index t = 0;
  for (const auto& corners : list) {
    columns.col(t++) = Eigen::Vector3i(corners.begin()[0], corners.begin()[1], corners.begin()[2]);
  }
  return columns;
}

}  // namespace

TEST_CASE("An OBJ polygon becomes a fan with the uv and normal of each corner") {
  const ObjMesh mesh = parse(kSquare + "vt 0.25 0.5\nvt 0.75\nvn 0 0 1\nf 1/1/1 2//1 3/2 4\n");
  CHECK(mesh.positions.col(2) == Eigen::Vector3d(1, 1, 0));
  CHECK(mesh.uvs.col(0) == Eigen::Vector2d(0.25, 0.5));
  CHECK(mesh.uvs.col(1) == Eigen::Vector2d(0.75, 0));
  CHECK(mesh.normals.col(0) == Eigen::Vector3d(0, 0, 1));
  CHECK(mesh.triangles == triangles({{0, 1, 2}, {0, 2, 3}}));
  CHECK(mesh.triangle_uvs == triangles({{0, -1, 1}, {0, 1, -1}}));
  CHECK(mesh.triangle_normals == triangles({{0, 0, -1}, {0, -1, -1}}));
}

TEST_CASE("Negative OBJ indices count back from the latest line and positive ones may look ahead") {
  const ObjMesh mesh = parse("f 1 2 3\n" + kSquare + "f -4 -3 -1\nv 5 5 5\nf -1 -2 -3\n");
  CHECK(mesh.triangles == triangles({{0, 1, 2}, {0, 1, 3}, {4, 3, 2}}));
}

TEST_CASE("OBJ files of other systems and exporters are read") {
  const Eigen::Vector3d point(-1.5, 2e-3, 0.1);
  for (const std::string vertex :
       {"v -1.5 2e-3 0.1", "  v\t-1.5  +2E-3\t0.1  ", "v -1.5 .002 0.1 1.0", "v -1.5 0.002 0.1 0.9 0.8 0.7",
        "v -1.5 \\\n 0.002 \\\r\n0.1", "v -1.5 0.002 0.1 # a corner\\", "v -1.5 0.002 0.1\r"}) {
    INFO(vertex);
    const ObjMesh mesh =
        parse("# made by hand\\\nmtllib a.mtl\no Cube\ng a b\ns off\n" + vertex +
              "\nv 1 0 0\nv 0 1 0\nvp 0.3 nan\nl 1 2\nusemtl red#2\nf 1 2 3\r\n\r\nf 3/ 2// 1");
    CHECK(mesh.positions.col(0) == point);
    CHECK(mesh.triangles == triangles({{0, 1, 2}, {2, 1, 0}}));
  }
}

TEST_CASE("OBJ numbers are read to the last digit whatever the locale") {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  const ObjMesh mesh = parse("v 0.30000000000000004 0.12345678901234567 1.7976931348623157e308\n");
  std::setlocale(LC_NUMERIC, before.c_str());
  CHECK(mesh.positions.col(0) ==
        Eigen::Vector3d(0.30000000000000004, 0.12345678901234567, 1.7976931348623157e308));
  CHECK(mesh.triangles.cols() == 0);
}

TEST_CASE("Faults in an OBJ file are told with their line") {
  const auto check = [](const std::string& text, const std::string& message) {
    CHECK(refusal(text) == "test.obj: " + message);
  };
  check("", "no OBJ mesh: no vertex ('v' line)");
  check("glTF\x02\nf \n", "line 2: a face of 0 corners");
  check("v 0 0 0\n\nv 1 nan 0\n", "line 3: 'nan' is not a finite number");
  check("v 1 2\\\n\\\n\n\nv 0 -inf 0\n", "line 1: a number is missing");
  check("v 1 \\\n 2 3\nv 0 -inf 0\n", "line 3: '-inf' is not a finite number");
  check("v 1 2 1e400\n", "line 1: '1e400' is not a finite number");
  check("v 1,5 2 3\n", "line 1: '1,5' is not a finite number");
  check("v 1 2 +-3\n", "line 1: '+-3' is not a finite number");
  check(kSquare + "f 1 2\n", "line 5: a face of 2 corners");
  check(kSquare + "f 1 2 0\n", "line 5: '0' is not an index of one of the 4 'v' lines so far");
  check(kSquare + "f 1 2 -5\nv 0 0 0\n", "line 5: '-5' is not an index of one of the 4 'v' lines so far");
  check(kSquare + "f 1 2 3\nf 1 2 5\nf 1 2 4\n", "line 6: index 5, but there are 4 'v' lines");
  check(kSquare + "f 1/1 2/1 3/1\n", "line 5: index 1, but there are 0 'vt' lines");
  check(kSquare + "f 1//1 2 3\n", "line 5: index 1, but there are 0 'vn' lines");
  check(kSquare + "f 1 2 99999999999999999999\n",
        "line 5: '99999999999999999999' is not an index of one of the 4 'v' lines so far");
  check(kSquare + "f 1 2 4294967299\n",
        "line 5: '4294967299' is not an index of one of the 4 'v' lines so far");
  check(kSquare + "f 1 2 3x\n", "line 5: '3x' is not an index of one of the 4 'v' lines so far");
  check(kSquare + "f 1 2 /1\n", "line 5: '' is not an index of one of the 4 'v' lines so far");
  check(kSquare + "vt 0\nvn 0 0 1\nf 1 2 3/1/1/1\n", "line 7: a corner has more than three indices");
}
