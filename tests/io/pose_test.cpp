#include "io/pose.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "io/gltf_reader.h"
#include "tests/gltf_builder.h"

using namespace pelt;
using namespace pelt::test;
using Eigen::Matrix3Xd;
using Eigen::Matrix4d;
using Eigen::Vector3d;

namespace {

constexpr double pi = 3.14159265358979323846;

Track scalar_track(Interpolation interpolation, std::vector<float> times, const Eigen::RowVectorXd& values) {
  Track track;
  track.path = TrackPath::weights;
  track.interpolation = interpolation;
  track.times = std::move(times);
  track.values = values;
  return track;
}

Eigen::Vector4d about_z(double degrees) {
  return {0, 0, std::sin(degrees * pi / 360), std::cos(degrees * pi / 360)};
}

double degrees_about_z(const Eigen::VectorXd& q) { return 2 * std::atan2(q[2], q[3]) * 180 / pi; }

Matrix4d translated(double x, double y, double z) {
  Matrix4d m = Matrix4d::Identity();
  m.topRightCorner<3, 1>() << x, y, z;
  return m;
}

Matrix4d turned_about_z(double degrees) {
  Matrix4d m = Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = Eigen::AngleAxisd(degrees * pi / 180, Vector3d::UnitZ()).toRotationMatrix();
  return m;
}

/// One skin over `joints` nodes without parents, one part whose vertices are given.
Scene skinned_points(const Matrix3Xd& points, const std::vector<Matrix4d>& model_from_joint,
                     const std::vector<Matrix4d>& joint_from_bind, const Eigen::MatrixXd& weights) {
  Scene scene;
  Skin skin;
  for (size_t j = 0; j < model_from_joint.size(); ++j) {
    Node node;
    node.matrix = model_from_joint[j];
    scene.nodes.push_back(node);
    scene.parents_first.push_back(static_cast<int>(j));
    skin.joints.push_back(static_cast<int>(j));
  }
  skin.joint_from_bind = joint_from_bind;
  scene.skins = {skin};
  Part part;
  part.node = part.skin = 0;
  part.vertices = static_cast<int>(points.cols());
  part.positions = points;
  part.influences = static_cast<int>(weights.rows());
  part.joints =
      Eigen::VectorXi::LinSpaced(part.influences, 0, part.influences - 1).replicate(1, part.vertices);
  part.weights = weights;
  scene.parts = {part};
  return scene;
}

/// A tube of quads around y, `rings` x 8 vertices, from y = 0 to 1; its last ring is a spike that breaks the
/// symmetry.
Matrix3Xd tube_points(int rings) {
  Matrix3Xd points(3, rings * 8);
  for (int r = 0; r < rings; ++r)
    for (int s = 0; s < 8; ++s)
      points.col(8 * r + s) << std::cos(s * pi / 4) * 0.2, static_cast<double>(r) / (rings - 1),
          std::sin(s * pi / 4) * (s == 1 ? 0.3 : 0.2);
  return points;
}

std::vector<int> tube_triangles(int rings) {
  std::vector<int> indices;
  for (int r = 0; r + 1 < rings; ++r)
    for (int s = 0; s < 8; ++s) {
      const int a = 8 * r + s, b = 8 * r + (s + 1) % 8;
      for (const int corner : {a, a + 8, b, b, a + 8, b + 8}) indices.push_back(corner);
    }
  return indices;
}

Eigen::Matrix4d random_rigid(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Matrix4d m = Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
                                .normalized()
                                .matrix();
  m.topRightCorner<3, 1>() << normal(random), normal(random), normal(random);
  return m;
}

nlohmann::ordered_json matrix_json(const Matrix4d& m) {
  return {{"matrix", std::vector<double>(m.data(), m.data() + 16)}};
}

}  // namespace

TEST_CASE(
    "KhronosGroup/glTF #1408, #1327, warrenm/GLTFKit2 #74: a track is clamped outside its keys and exact on "
    "them") {
  for (const auto interpolation : {Interpolation::step, Interpolation::linear}) {
    const Track track = scalar_track(interpolation, {0.5f, 0.7f, 1.1f}, Eigen::RowVector3d(3, 5, 11));
    CHECK(sample(track, -1)[0] == 3);
    CHECK(sample(track, 0)[0] == 3);
    CHECK(sample(track, double{0.5f})[0] == 3);
    CHECK(sample(track, double{0.7f})[0] == 5);
    CHECK(sample(track, double{1.1f})[0] == 11);
    CHECK(sample(track, 9)[0] == 11);
  }
}

TEST_CASE("STEP holds its key and LINEAR goes straight") {
  const Eigen::RowVector2d values(2, 10);
  CHECK(sample(scalar_track(Interpolation::step, {0, 4}, values), 3.999)[0] == 2);
  CHECK(sample(scalar_track(Interpolation::linear, {0, 4}, values), 1)[0] == Approx(4).margin(1e-15));
}

TEST_CASE(
    "SaschaWillems/Vulkan-glTF-PBR #25: CUBICSPLINE reproduces a cubic polynomial from its values and "
    "slopes") {
  const auto f = [](double t) { return 2 * t * t * t - t * t + 3 * t - 7; };
  const auto slope = [](double t) { return 6 * t * t - 2 * t + 3; };
  Track track = scalar_track(Interpolation::cubic, {1, 3}, Eigen::RowVector2d(f(1), f(3)));
  track.in_tangents = Eigen::RowVector2d(99, slope(3));
  track.out_tangents = Eigen::RowVector2d(slope(1), -99);
  for (const double t : {1.0, 1.25, 2.0, 2.9, 3.0}) CHECK(sample(track, t)[0] == Approx(f(t)).epsilon(1e-14));
}

TEST_CASE("KhronosGroup/glTF-Blender-IO #361: tangents are taken as they are, equal to the values too") {
  Track track = scalar_track(Interpolation::cubic, {0, 1}, Eigen::RowVector2d(1, 1));
  track.in_tangents = track.out_tangents = track.values;
  // 1 + 2 s^3 - 3 s^2 + s
  CHECK(sample(track, 0.25)[0] == Approx(1.09375).epsilon(1e-15));
}

TEST_CASE(
    "KhronosGroup/glTF #1395, #2073, playcanvas/engine #1964, spnda/fastgltf #108: rotations go the short "
    "way whatever the sign of their keys") {
  Track track;
  track.path = TrackPath::rotation;
  track.times = {0, 1};
  track.values.resize(4, 2);
  for (const double sign : {1.0, -1.0}) {
    track.values << about_z(10), sign * about_z(350);
    CHECK(degrees_about_z(sample(track, 0.5)) == Approx(0).margin(1e-12));
    CHECK(degrees_about_z(sample(track, 0.25)) == Approx(5).margin(1e-12));
    track.values << about_z(0), sign * about_z(170);
    CHECK(degrees_about_z(sample(track, 0.5)) == Approx(85).epsilon(1e-13));
    CHECK(degrees_about_z(sample(track, 0.1)) == Approx(17).epsilon(1e-13));
  }
}

TEST_CASE("a rotation key is returned as it is stored") {
  std::mt19937 random{12345};
  std::normal_distribution<double> normal;
  Track track;
  track.path = TrackPath::rotation;
  track.times = {0, 0.1f, 0.3f};
  track.values.resize(4, 3);
  for (int trial = 0; trial < 100; ++trial) {
    for (double& x : track.values.reshaped()) x = normal(random);
    track.values.colwise().normalize();
    for (int k = 0; k < 3; ++k) CHECK(sample(track, double{track.times[k]}) == track.values.col(k));
  }
}

TEST_CASE("a CUBICSPLINE rotation is of unit length") {
  Track track;
  track.path = TrackPath::rotation;
  track.interpolation = Interpolation::cubic;
  track.times = {0, 2};
  track.values.resize(4, 2);
  track.values << about_z(0), about_z(120);
  track.in_tangents = track.out_tangents = Eigen::MatrixXd::Zero(4, 2);
  const Eigen::VectorXd q = sample(track, 1);
  CHECK(q.norm() == Approx(1).epsilon(1e-15));
  CHECK(degrees_about_z(q) == Approx(60).epsilon(1e-14));
}

TEST_CASE(
    "KhronosGroup/glTF-Blender-IO #368, BabylonJS/Babylon.js #3846, KhronosGroup/glTF-Sample-Assets #263: "
    "the "
    "mesh node of a skin and what is above it play no part") {
  GltfBuilder b = two_joint_strip();
  const Scene still = read_scene(b.document());
  b.json["nodes"][2]["translation"] = {5, 6, 7};
  const int above = b.add_node("above", -1, {{"scale", {3, 3, 3}}});
  b.json["nodes"][above]["children"] = {2};
  b.json["scenes"][0]["nodes"] = {0, above};
  b.add_channel(0, above, "translation", {0, 1}, Eigen::MatrixXd::Constant(3, 2, 9));
  b.add_channel(0, 2, "translation", {0, 1}, Eigen::MatrixXd::Constant(3, 2, 9));
  const Scene scene = read_scene(b.document());
  CHECK(rest_surface(scene).positions == rest_surface(still).positions);

  const Matrix3Xd bent = surface_at(scene, pose_at(scene, scene.clips[0], 1));
  Matrix3Xd expected(3, 4);  // the tip at (0, 1) turned by 90 degrees: (1, 1) goes to (0, 2)
  expected << 0, 1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0;
  CHECK((bent - expected).norm() < 1e-6);  // keys are floats
}

TEST_CASE("nodes between and above joints count") {
  GltfBuilder b;
  const int top = b.add_node("top", -1, {{"scale", {2, 2, 2}}});
  const int root = b.add_node("root", top, {{"translation", {1, 0, 0}}});
  const int between = b.add_node("between", root, {{"translation", {0, 3, 0}}});
  const int tip = b.add_node("tip", between, {{"translation", {0, 0, 4}}});
  const Scene scene = read_scene(b.document());
  const Matrix4d m = rest_pose(scene).model_from_node[tip];
  CHECK(m.topRightCorner<3, 1>().isApprox(Vector3d(2, 6, 8)));
  CHECK(m(0, 0) == 2);
}

TEST_CASE("morph targets are added before the skin at the weights of the pose") {
  Scene scene = skinned_points(Vector3d(1, 0, 0), {turned_about_z(90)}, {Matrix4d::Identity()},
                               Eigen::MatrixXd::Ones(1, 1));
  scene.parts[0].morphs = {Vector3d(1, 0, 0), Vector3d(0, 5, 0)};
  scene.parts[0].morph_weights = Eigen::Vector2d(0.5, 0);
  CHECK(surface_at(scene, rest_pose(scene)).col(0).isApprox(Vector3d(0, 1.5, 0), 1e-14));
  Clip clip;
  clip.tracks = {scalar_track(Interpolation::linear, {0, 1}, Eigen::RowVector2d(0, 0))};
  clip.tracks[0].node = 0;
  clip.tracks[0].values.resize(2, 2);
  clip.tracks[0].values << 0, 2, 0, 1;
  scene.parts.push_back(scene.parts[0]);
  scene.parts[1].node = 1;
  scene.parts[1].first_vertex = 1;
  const Matrix3Xd morphs = surface_at(scene, pose_at(scene, clip, 0.5));
  CHECK(morphs.col(0).isApprox(Vector3d(-2.5, 2, 0), 1e-14));
  CHECK(morphs.col(1).isApprox(Vector3d(0, 1.5, 0), 1e-14));  // another node's: at rest
}

namespace {

/// A tube of 5 rings, two joints (the upper bends the top two rings) and a triangle that hangs rigidly from
/// the upper joint; `armature` above the skeleton, the upper joint turned away from bind at rest.
GltfBuilder posed_tube(const Matrix4d& armature, double bend_degrees) {
  GltfBuilder b;
  const int top = b.add_node("armature", -1, matrix_json(armature));
  const int root = b.add_node("root", top);
  const Matrix4d posed = translated(0, 0.6, 0) * turned_about_z(bend_degrees);
  const int upper = b.add_node("upper", root, matrix_json(posed));
  const int skin = b.add_skin({root, upper}, {Matrix4d::Identity(), translated(0, -0.6, 0)});
  const Matrix3Xd points = tube_points(5);
  Eigen::MatrixXd joints = Eigen::MatrixXd::Zero(4, 40), weights = Eigen::MatrixXd::Zero(4, 40);
  joints.row(0).tail(16).setOnes();
  weights.row(0).setOnes();
  b.add_node("body", -1,
             {{"mesh", b.add_mesh(skinned_attributes(b, points, joints, weights), tube_triangles(5))},
              {"skin", skin}});
  Matrix3Xd horn(3, 3);
  horn << 0, 0.1, 0, 0.4, 0.5, 0.6, 0, 0, 0.1;
  b.add_node("horn", upper, {{"mesh", b.add_mesh({{"POSITION", b.add_accessor(horn)}}, {0, 1, 2})}});
  return b;
}

void check_bind(const Matrix4d& armature, double tolerance) {
  const Scene straight = read_scene(posed_tube(armature, 0).document());
  const Scene bent = read_scene(posed_tube(armature, 40).document());
  Surface bind;
  REQUIRE(bind_surface(bent, bind));
  const Matrix3Xd expected = rest_surface(straight).positions;
  CHECK((bind.positions - expected).norm() < tolerance * expected.norm());
  const double size = (expected.rowwise().maxCoeff() - expected.rowwise().minCoeff()).norm();
  CHECK((rest_surface(bent).positions - expected).colwise().norm().maxCoeff() > 0.1 * size);
  CHECK(bind.triangles == bent.triangles);
}

}  // namespace

TEST_CASE("assimp/assimp #5526: the bind surface undoes a posed rest under any similarity") {
  std::mt19937 random{12345};
  for (const double scale : {1.0, 100.0, 0.01}) {
    Matrix4d armature = random_rigid(random);
    armature.topLeftCorner<3, 3>() *= scale;
    check_bind(armature, 1e-6);
    armature.col(0) = -armature.col(0);  // a mirrored skeleton
    check_bind(armature, 1e-6);
  }
}

TEST_CASE("the bind surface of a mirrored skeleton in which every joint is posed is mirrored too") {
  Matrix4d armature = turned_about_z(2);
  armature.col(0) = -armature.col(0);
  GltfBuilder b = posed_tube(armature, 0);
  const Matrix3Xd straight = rest_surface(read_scene(b.document())).positions;
  Matrix4d nudge = turned_about_z(3);
  nudge(0, 1) += 0.01;  // no similarity: only the fit is left
  b.json["nodes"][1].update(matrix_json(nudge));
  b.json["nodes"][2].update(matrix_json(translated(0, 0.6, 0) * nudge));
  Surface bind;
  REQUIRE(bind_surface(read_scene(b.document()), bind));
  CHECK((bind.positions - straight).colwise().norm().maxCoeff() < 0.15);
}

TEST_CASE("the bind surface of a file at rest in bind is its rest surface") {
  std::mt19937 random{12345};
  const Scene scene = read_scene(posed_tube(random_rigid(random), 0).document());
  Surface bind;
  REQUIRE(bind_surface(scene, bind));
  CHECK((bind.positions - rest_surface(scene).positions).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("there is no bind surface without a skin or with a singular inverse bind matrix") {
  GltfBuilder b = posed_tube(Matrix4d::Identity(), 0);
  Scene scene = read_scene(b.document());
  Surface bind;
  bind.positions = Matrix3Xd::Constant(3, 1, 42);
  scene.skins[0].joint_from_bind[1].col(1).setZero();
  CHECK_FALSE(bind_surface(scene, bind));
  scene = read_scene(b.document());
  scene.parts[0].skin = -1;
  CHECK_FALSE(bind_surface(scene, bind));
  CHECK(bind.positions == Matrix3Xd::Constant(3, 1, 42));
}
