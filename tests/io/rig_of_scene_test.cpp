#include "io/rig_of_scene.h"

#include <catch2/catch.hpp>
#include <random>

#include "io/gltf_reader.h"
#include "io/pose.h"
#include "tests/gltf_builder.h"

using namespace pelt;
using namespace pelt::test;
using Eigen::Matrix3Xd;
using Eigen::Matrix4d;
using Json = nlohmann::ordered_json;

namespace {

/// A strip with four joints, listed children first, a plain node between two of them, weights all over the
/// joints with duplicates, a vertex that no triangle uses, and a rigid triangle under the plain node.
GltfBuilder odd_rig(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto three = [&]() {
    return nlohmann::ordered_json{uniform(random), uniform(random), uniform(random)};
  };
  GltfBuilder b;
  const int tip = b.add_node("tip", -1, {{"translation", three()}});
  const int mid = b.add_node("mid", -1, {{"translation", three()}, {"scale", {2, -1, 0.5}}});
  const int plain = b.add_node("plain", -1, {{"translation", three()}});
  const int root = b.add_node("root", -1, {{"translation", three()}, {"rotation", {0.6, 0, 0, 0.8}}});
  b.json["scenes"][0]["nodes"] = {root};
  b.json["nodes"][root]["children"] = {plain};
  b.json["nodes"][plain]["children"] = {mid};
  b.json["nodes"][mid]["children"] = {tip};

  std::vector<Matrix4d> joint_from_bind(3, Matrix4d::Identity());
  for (Matrix4d& m : joint_from_bind)
    for (int k = 0; k < 12; ++k) m(k / 4, k % 4) = uniform(random);
  const int skin = b.add_skin({tip, root, mid}, joint_from_bind);
  Matrix3Xd points(3, 5);
  for (double& x : points.reshaped()) x = uniform(random);
  Eigen::MatrixXd joints(4, 5), weights(4, 5);
  joints << 0, 1, 2, 0, 0,  //
      1, 1, 0, 2, 1,        //
      2, 0, 7, 0, 0,        //
      0, 0, 1, 1, 0;
  weights << 0.25, 0.5, 0.5, 0.25, 1,  //
      0.25, 0.25, 0.25, 0.25, 0,       //
      0.5, 0.25, 0, 0.25, 0,           //
      0, 0, 0.25, 0.25, 0;
  b.add_node("body", -1,
             {{"mesh", b.add_mesh(skinned_attributes(b, points, joints, weights), {0, 1, 2, 1, 3, 2})},
              {"skin", skin}});
  const Matrix3Xd triangle = Matrix3Xd::Identity(3, 4);  // the last vertex is not used
  b.add_node("badge", plain, {{"mesh", b.add_mesh({{"POSITION", b.add_accessor(triangle)}}, {0, 1, 2})}});
  return b;
}

Motion random_motion(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Motion motion;
  motion.leftCols<3>() = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
                             .normalized()
                             .matrix();
  motion.col(3) << normal(random), normal(random), normal(random);
  return motion;
}

}  // namespace

TEST_CASE("joints come parents first and look through nodes that are none") {
  std::mt19937 random{12345};
  const Scene scene = read_scene(odd_rig(random).document());
  const SceneRig rig = rig_of_scene(scene);
  CHECK(rig.node_of_joint == std::vector<int>{3, 1, 0});  // root, mid, tip
  CHECK(rig.rig.parent == std::vector<int>{-1, 0, 1});
  CHECK(rig.joint_of_node == std::vector<int>{2, 1, -1, 0, -1, -1});
}

TEST_CASE("influences lose their empty slots and duplicates") {
  std::mt19937 random{12345};
  const SceneRig rig = rig_of_scene(read_scene(odd_rig(random).document()));
  // Vertices: three joints; joint 1 of the skin twice; slot of weight 0 dropped; joint 0 twice; unused; the
  // badge under root.
  CHECK(rig.rig.first_influence == std::vector<int>{0, 3, 5, 8, 11, 11, 12, 13, 14, 14});
  CHECK(rig.rig.weight[3] == Approx(0.75));
  CHECK(rig.rig.joint[13] == 0);
}

TEST_CASE("the rig skins as the scene does in any pose") {
  std::mt19937 random{12345};
  const Scene scene = read_scene(odd_rig(random).document());
  const SceneRig rig = rig_of_scene(scene);
  const ScenePose rest = rest_pose(scene);
  for (int trial = 0; trial < 20; ++trial) {
    Pose pose = rest_pose(rig.rig);
    ScenePose moved = rest;
    for (int j = 0; j < rig.rig.joints() && trial > 0; ++j) {
      pose[j] = random_motion(random);
      moved.model_from_node[rig.node_of_joint[j]].topRows<3>() =
          pose[j] * rest.model_from_node[rig.node_of_joint[j]];
    }
    const Matrix3Xd direct = surface_at(scene, moved), skinned = skin(rig.rig, pose);
    CHECK((direct.leftCols(4) - skinned.leftCols(4)).norm() < 1e-13 * direct.norm());
    CHECK(skinned.col(4).array().isNaN().all());
    const Matrix3Xd badge = (pose[0] * surface_at(scene, rest).middleCols(5, 3).colwise().homogeneous());
    CHECK((skinned.middleCols(5, 3) - badge).norm() < 1e-13 * badge.norm());
  }
}

TEST_CASE("a joint that a skin lists twice moves each vertex as its two slots do") {
  std::mt19937 random{12345};
  Scene scene = read_scene(odd_rig(random).document());
  scene.skins[0].joints[2] = scene.skins[0].joints[0];  // with another inverse bind matrix
  const SceneRig rig = rig_of_scene(scene);
  Pose pose = rest_pose(rig.rig);
  ScenePose moved = rest_pose(scene);
  for (int j = 0; j < rig.rig.joints(); ++j) {
    pose[j] = random_motion(random);
    Matrix4d& model_from_joint = moved.model_from_node[rig.node_of_joint[j]];
    model_from_joint.topRows<3>() = (pose[j] * model_from_joint).eval();
  }
  const Matrix3Xd direct = surface_at(scene, moved), skinned = skin(rig.rig, pose);
  CHECK((direct.leftCols(4) - skinned.leftCols(4)).norm() < 1e-13 * direct.norm());
}

TEST_CASE(
    "godotengine/godot PR #91036, KhronosGroup/glTF #1454, #1665, KhronosGroup/glTF-Blender-IO #331, #566, "
    "facebookincubator/FBX2glTF #272: a joint of several skins is one joint with the rest points of each") {
  GltfBuilder b = two_joint_strip();
  Matrix4d other = Matrix4d::Identity();
  other(0, 3) = 4;
  const int skin = b.add_skin({1}, {other});
  Eigen::MatrixXd joints = Eigen::MatrixXd::Zero(4, 3), weights = joints;
  weights.row(0).setOnes();
  const int mesh = b.add_mesh(skinned_attributes(b, Matrix3Xd::Identity(3, 3), joints, weights), {0, 1, 2});
  b.add_node("coat", -1, {{"mesh", mesh}, {"skin", skin}});
  b.json["skins"].push_back(Json(b.json["skins"][0]));  // a duplicate, as exporters write them
  const Scene scene = read_scene(b.document());
  const SceneRig rig = rig_of_scene(scene);
  CHECK(rig.rig.joints() == 2);
  CHECK(rig.rig.joint[4] == 1);
  CHECK(rig.rig.rest_point.col(4).isApprox(
      Eigen::Vector3d(5, 1, 0)));  // tip at y = 1, point (1, 0, 0) shifted by 4
}

TEST_CASE("a rigid mesh follows the nearest animated node and a still one has no influence") {
  GltfBuilder b;
  const Matrix3Xd triangle = Matrix3Xd::Identity(3, 3);
  const int mesh = b.add_mesh({{"POSITION", b.add_accessor(triangle)}}, {0, 1, 2});
  const int door = b.add_node("door");
  b.add_node("handle", door, {{"mesh", mesh}});
  b.add_node("wall", -1, {{"mesh", mesh}});
  b.add_channel(b.add_animation("Open"), door, "translation", {0, 1}, Eigen::MatrixXd::Zero(3, 2));
  const SceneRig rig = rig_of_scene(read_scene(b.document()));
  CHECK(rig.node_of_joint == std::vector<int>{0});
  CHECK(rig.rig.first_influence == std::vector<int>{0, 1, 2, 3, 3, 3, 3});
}

TEST_CASE("weights are normalised in double") {
  GltfBuilder b = two_joint_strip();
  Scene scene = read_scene(b.document());
  scene.parts[0].weights *= 0.9;
  const SceneRig rig = rig_of_scene(scene);
  for (const double weight : rig.rig.weight) CHECK(weight == 1);
}
