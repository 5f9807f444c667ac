// Which nodes and matrices move a skinned vertex: cases that tools got wrong in public, by hand calculation.
#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include "io/pose.h"
#include "io/rig_of_scene.h"
#include "reading.h"

namespace pelt {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;
using Eigen::Matrix3Xd;
using Eigen::Matrix4d;
using Eigen::Vector3d;

Matrix4d shift(double x, double y, double z) {
  return Eigen::Affine3d(Eigen::Translation3d(x, y, z)).matrix();
}

Matrix3Xd at_rest(const GltfBuilder& b) { return rest_surface(read(b)).positions; }

/// The surface at the end of the first clip.
Matrix3Xd at_end(const GltfBuilder& b) {
  const Scene scene = read(b);
  return surface_at(scene, pose_at(scene, scene.clips.at(0), scene.clips[0].end));
}

/// The strip's corners where only the upper two, held by the tip, are not those of the square.
Matrix3Xd strip(const Vector3d& upper_right, const Vector3d& upper_left) {
  Matrix3Xd corners = square();
  corners.col(2) = upper_right, corners.col(3) = upper_left;
  return corners;
}

/// What two_joint_strip() is at the end of its clip: the tip at (0, 1) has turned by 90 degrees.
Matrix3Xd bent() { return strip({0, 2, 0}, {0, 1, 0}); }

bool same(const Matrix3Xd& a, const Matrix3Xd& b) {
  return a.cols() == b.cols() && (a - b).cwiseAbs().maxCoeff() < 1e-6;
}

void set_matrices(GltfBuilder& b, const std::vector<Matrix4d>& joint_from_bind) {
  b.json["nodes"][2]["skin"] = b.add_skin({0, 1}, joint_from_bind);
}

/// Puts the skeleton of the strip below a new node.
int add_above(GltfBuilder& b, const Json& properties) {
  const int above = b.add_node("above", -1, properties);
  b.json["nodes"][above]["children"] = {0};
  b.json["scenes"][0]["nodes"] = {above, 2};
  return above;
}

/// Puts a new node between root and tip.
int add_between(GltfBuilder& b, const Json& properties) {
  const int between = b.add_node("between", -1, properties);
  b.json["nodes"][between]["children"] = {1};
  b.json["nodes"][0]["children"] = {between};
  b.json["scenes"][0]["nodes"] = {0, 2};
  return between;
}

const Eigen::MatrixXd quarter_turn =
    (Eigen::MatrixXd(4, 1) << 0, 0, std::sqrt(0.5), std::sqrt(0.5)).finished();

}  // namespace

TEST_CASE("KhronosGroup/glTF #1617, #1504: inverse bind matrices are the file's own") {
  GltfBuilder b = two_joint_strip();
  set_matrices(b, {shift(5, 0, 0), shift(0, 0, 7)});  // nothing that could be computed from the nodes
  Matrix3Xd expected = square();
  expected.leftCols(2).row(0).array() += 5;
  expected.rightCols(2).colwise() += Vector3d(0, 1, 7);
  CHECK(same(at_rest(b), expected));
}

TEST_CASE(
    "KhronosGroup/glTF-Blender-IO #360, KhronosGroup/glTF-Blender-Exporter #69, #158: nodes stored in a "
    "frame "
    "of a clip play it alike") {
  GltfBuilder b = two_joint_strip();
  b.json["nodes"][1]["rotation"] = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};
  CHECK(same(at_rest(b), bent()));
  CHECK(same(at_end(b), bent()));
}

TEST_CASE("KhronosGroup/glTF-Blender-IO #783, #828, #2040: any affine inverse bind matrix counts as it is") {
  GltfBuilder b = two_joint_strip();
  Matrix4d sheared = shift(0, -1, 0);
  sheared(0, 1) = 0.5, sheared(0, 3) = -0.25, sheared(1, 1) = 3, sheared(2, 0) = -1;
  set_matrices(b, {Matrix4d::Identity(), sheared});
  // (1, 1, 0) goes to (1 + 0.5 - 0.25, 3 - 1, -1) and on by the tip's (0, 1, 0)
  CHECK(same(at_rest(b), strip({1.25, 3, -1}, {0.25, 3, 0})));
}

TEST_CASE(
    "facebookincubator/FBX2glTF #29, #260, KhronosGroup/glTF-Blender-IO #1228: a unit factor counts once") {
  GltfBuilder b = two_joint_strip();
  add_above(b, {{"scale", {0.01, 0.01, 0.01}}});
  b.json["nodes"][1]["translation"] = {0, 100, 0};
  b.json["nodes"][2]["scale"] = {0.01, 0.01, 0.01};  // on the mesh as well, as such files have it
  Matrix4d hundred = Matrix4d::Identity(), tip = hundred;
  hundred.topLeftCorner<3, 3>() *= 100;
  tip = shift(0, -100, 0) * hundred;
  set_matrices(b, {hundred, tip});
  CHECK(same(at_rest(b), square()));
  CHECK(same(at_end(b), bent()));
}

TEST_CASE(
    "mrdoob/three.js #20434, #14499, BabylonJS/Babylon.js #11424: sizes are those of the skinned surface") {
  GltfBuilder b = two_joint_strip();
  add_above(b, {{"scale", {100, 100, 100}}});
  b.json["nodes"][2]["scale"] = {100, 100, 100};
  Matrix4d hundredth = Matrix4d::Identity();
  hundredth.topLeftCorner<3, 3>() /= 100;
  set_matrices(b, {hundredth, shift(0, -1, 0) * hundredth});
  const Scene scene = read(b);
  CHECK(bounding_diagonal(rest_surface(scene)) == Approx(std::sqrt(2.0)).epsilon(1e-6));
}

TEST_CASE("KhronosGroup/glTF-Blender-IO #1626: a skinned mesh below a joint moves with its joints alone") {
  GltfBuilder b = two_joint_strip();
  b.json["nodes"][1]["children"] = {2};
  b.json["nodes"][2]["translation"] = {3, 4, 5};
  b.json["scenes"][0]["nodes"] = {0};
  CHECK(same(at_rest(b), square()));
  CHECK(same(at_end(b), bent()));
}

TEST_CASE("KhronosGroup/glTF #1784, #1270: skin.skeleton does nothing and every node above a joint counts") {
  GltfBuilder b = two_joint_strip();
  const int above = add_above(b, {{"translation", {0, 0, 2}}});
  const Matrix3Xd expected = bent().colwise() + Vector3d(0, 0, 2);
  CHECK(same(at_end(b), expected));
  for (const int skeleton : {0, 1, 2, above}) {
    b.json["skins"][0]["skeleton"] = skeleton;
    CHECK(same(at_end(b), expected));
  }
}

TEST_CASE("raysan5/raylib PR #5876: a node between joints that is none counts") {
  GltfBuilder b = two_joint_strip();
  add_between(b, {{"translation", {0, 0, 3}}, {"scale", {2, 2, 2}}});
  // the tip is at 2 (0, 1, 0) + (0, 0, 3) and twice as large
  CHECK(same(at_rest(b), strip({2, 2, 3}, {0, 2, 3})));
  CHECK(rig_of_scene(read(b)).rig.parent == std::vector<int>{-1, 0});
}

TEST_CASE("assimp/assimp #1068, #4005, #6114: an animated pivot node between joints counts") {
  GltfBuilder b = two_joint_strip();
  const int pivot = add_between(b, {{"translation", {0, 0, 1}}});
  b.add_channel(0, pivot, "rotation", {0.5}, quarter_turn);
  // the tip, turned by the clip, at (-1, 0, 1) and turned once more
  CHECK(same(at_end(b), strip({-2, 0, 1}, {-1, 0, 1})));
}

TEST_CASE("guillaumeblanc/ozz-animation PR #124: the common root of the joints need not be a joint") {
  GltfBuilder b = two_joint_strip();
  const int above = b.add_node("above", -1, {{"rotation", {0, 0, 1, 0}}});  // half a turn about z
  b.json["nodes"][above]["children"] = {0, 1};
  b.json["nodes"][0].erase("children");
  b.json["scenes"][0]["nodes"] = {above, 2};
  CHECK(same(at_rest(b), -square()));
  CHECK(rig_of_scene(read(b)).rig.parent == std::vector<int>{-1, -1});
}

TEST_CASE("BabylonJS/Exporters #207: a skin may have several root joints") {
  GltfBuilder b = two_joint_strip();
  b.json["nodes"][0].erase("children");
  b.json["nodes"][0]["translation"] = {9, 0, 0};  // the other root stays
  b.json["scenes"][0]["nodes"] = {0, 1, 2};
  Matrix3Xd expected = bent();
  expected.leftCols(2).row(0).array() += 9;
  CHECK(same(at_end(b), expected));
}

TEST_CASE("KhronosGroup/glTF-Asset-Generator #449: two animated joints of one parent both move") {
  GltfBuilder b = two_joint_strip();
  const int other = b.add_node("other", 0, {{"translation", {0, 0, 0}}});
  const int top = b.add_node("top", -1);
  b.json["nodes"][top]["children"] = {0};
  b.json["scenes"][0]["nodes"] = {top, 2};
  b.json["nodes"][2]["skin"] = b.add_skin({other, 1}, {Matrix4d::Identity(), shift(0, -1, 0)});
  b.add_channel(0, other, "translation", {0, 1}, (Eigen::MatrixXd(3, 2) << 0, 0, 0, 0, 0, 6).finished());
  Matrix3Xd expected = bent();
  expected.leftCols(2).row(2).setConstant(6);
  CHECK(same(at_end(b), expected));
}

TEST_CASE(
    "VAST-AI-Research/UniRig #44, #10: nodes above a mesh that is not skinned and above a skeleton count") {
  GltfBuilder b = square_file();
  const int empty = b.add_node("Empty", -1, {{"rotation", {0, 0, 1, 0}}, {"scale", {3, 3, 3}}});
  b.json["nodes"][empty]["children"] = {0};
  b.json["nodes"][0]["translation"] = {1, 0, 0};
  b.json["scenes"][0]["nodes"] = {empty};
  CHECK(same(at_rest(b), -3 * (square().colwise() + Vector3d(1, 0, 0))));

  GltfBuilder skinned = two_joint_strip();
  add_above(skinned, {{"rotation", {0, 0, 1, 0}}, {"scale", {3, 3, 3}}});
  CHECK(same(at_end(skinned), -3 * bent()));
}

TEST_CASE("KhronosGroup/glTF-Blender-IO #257, #1305: a joint keeps the sign of its scale") {
  GltfBuilder b = two_joint_strip();
  b.json["nodes"][1]["scale"] = {-1, 1, 1};
  CHECK(same(at_rest(b), strip({-1, 1, 0}, {0, 1, 0})));
}

TEST_CASE(
    "google/filament #3969, #3707, godotengine/godot #49010: a joint turned under non-uniform scale shears") {
  GltfBuilder b = two_joint_strip();
  b.json["nodes"][0]["scale"] = {2, 1, 1};
  b.json["nodes"][1]["rotation"] = {0, 0, std::sin(M_PI / 8), std::cos(M_PI / 8)};
  // (1, 0) turned by 45 degrees is (h, h), stretched along x it is (2 h, h)
  const double h = std::sqrt(0.5);
  Matrix3Xd expected = strip({2 * h, 1 + h, 0}, {0, 1, 0});
  expected.leftCols(2).row(0) *= 2;
  CHECK(same(at_rest(b), expected));
}

TEST_CASE("bdero/flutter_scene PR #414: short weight sums do not pull a distant mesh towards the origin") {
  GltfBuilder b = two_joint_strip();
  add_above(b, {{"translation", {24, 0, 0}}});
  Matrix4d weights = Matrix4d::Zero();
  weights.row(0).setConstant(0.9803);
  b.primitive(0)["attributes"]["WEIGHTS_0"] = b.add_accessor(weights);
  CHECK(same(at_rest(b), square().colwise() + Vector3d(24, 0, 0)));
}

TEST_CASE("a matrix of all zeros but its corner and a joint of no scale gather their vertices in a point") {
  GltfBuilder b = two_joint_strip();
  b.json["nodes"][1]["scale"] = {0, 0, 0};
  CHECK(same(at_end(b), strip({0, 1, 0}, {0, 1, 0})));
  b.json["nodes"][1] = {{"name", "tip"}, {"matrix", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1}}};
  b.json.erase("animations");
  CHECK(same(at_rest(b), strip({0, 1, 0}, {0, 1, 0})));
}

}  // namespace pelt
