#include <catch2/catch.hpp>
#include <random>

#include "io/pose.h"
#include "io/trs.h"
#include "reading.h"

namespace pelt {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;

/// The strip with another channel in its clip; returns the file.
GltfBuilder with_channel(const std::string& path, const std::vector<double>& times,
                         const Eigen::MatrixXd& values, const std::string& interpolation = "LINEAR") {
  GltfBuilder b = two_joint_strip();
  b.add_channel(0, 0, path, times, values, interpolation);
  return b;
}

}  // namespace

TEST_CASE("assimp/assimp PR #6543: cubic tracks are split into tangents and values") {
  Eigen::MatrixXd triplets(3, 6);
  for (int k = 0; k < 6; ++k) triplets.col(k).setConstant(k);
  const Track track = read(with_channel("translation", {0.5, 2}, triplets, "CUBICSPLINE")).clips[0].tracks[1];
  CHECK(track.interpolation == Interpolation::cubic);
  CHECK(track.times == std::vector<float>{0.5f, 2.f});
  CHECK(track.in_tangents.row(0) == Eigen::RowVector2d(0, 3));
  CHECK(track.values.row(1) == Eigen::RowVector2d(1, 4));
  CHECK(track.out_tangents.row(2) == Eigen::RowVector2d(2, 5));
}

TEST_CASE("KhronosGroup/glTF #1622: rotations may be normalised integers and are of unit length") {
  GltfBuilder b = two_joint_strip();
  const Component component = GENERATE(Component::i8, Component::u8, Component::i16, Component::u16);
  const bool negative = component == Component::i8 || component == Component::i16;
  const double half_step = component == Component::i8 || component == Component::u8 ? 0.5 / 127 : 0.5 / 32767;
  Eigen::MatrixXd keys(4, 2);
  keys << 0, 0, 0, 0, 0, negative ? -0.6 : 0.6, 1, 0.8;
  const int output = b.add_accessor(keys, {.component = component, .normalized = true});
  b.json["animations"][0]["samplers"][0]["output"] = output;
  const Scene scene = read(b);
  CHECK(scene.warnings.empty());  // rounding alone
  CHECK((scene.clips[0].tracks[0].values - keys).cwiseAbs().maxCoeff() <= 1.5 * half_step);
  CHECK(scene.clips[0].tracks[0].values.colwise().norm().isOnes(1e-15));
}

TEST_CASE(
    "donmccurdy/glTF-Transform #1533, KhronosGroup/glTF-Blender-IO #605: rotations of another length are "
    "told and of none refused") {
  Eigen::MatrixXd keys = Eigen::MatrixXd::Zero(4, 2);
  keys.row(3) << 1, 1.5;
  const Scene scene = read(with_channel("rotation", {0, 1}, keys));
  CHECK(scene.clips[0].tracks[1].values.colwise().norm().isOnes(1e-15));
  CHECK(scene.warnings == std::vector<std::string>{
                              "animations[0].samplers[1].output: a rotation key of length 1.5, normalised"});
  keys(3, 1) = 0;
  CHECK(refusal(with_channel("rotation", {0, 1}, keys)) ==
        "test.glb: animations[0].samplers[1].output, key 1: a quaternion of length zero");
}

TEST_CASE("key times must be finite and rise from zero or later") {
  const auto with_times = [](const std::vector<double>& times) {
    return refusal(with_channel("translation", times, Eigen::MatrixXd::Ones(3, times.size())));
  };
  const std::string place = "test.glb: animations[0].samplers[1].input";
  CHECK(with_times({0.5, 1}).empty());
  CHECK(with_times({0, 1, 1}) == place + ", key 2: at 1 s, not after 1 s");
  CHECK(with_times({0, 2, 1}) == place + ", key 2: at 1 s, not after 2 s");
  CHECK(with_times({-1, 1}) == place + ", key 0: a time of -1 s");
  CHECK(with_times({0, std::nan("")}) == place + ", key 1: a time that is not finite");
}

TEST_CASE("tracks must have a value for each key") {
  CHECK(refusal(with_channel("scale", {0, 1}, Eigen::MatrixXd::Ones(3, 3))) ==
        "test.glb: animations[0].samplers[1].output: 9 numbers for 2 keys of 3");
  CHECK(refusal(with_channel("scale", {0, 1}, Eigen::MatrixXd::Ones(3, 2), "CUBICSPLINE")) ==
        "test.glb: animations[0].samplers[1].output: 6 numbers for 2 keys of 9");
  CHECK_FALSE(refusal(with_channel("scale", {0, 1}, Eigen::MatrixXd::Ones(3, 2), "SPLINE")).empty());
  CHECK_FALSE(refusal(with_channel("scale", {0}, Eigen::Vector3d(1, std::nan(""), 1))).empty());
  GltfBuilder b = with_channel("scale", {0, 1}, Eigen::MatrixXd::Ones(3, 2));
  b.json["accessors"][b.json["animations"][0]["samplers"][1]["input"].get<int>()]["count"] = 0;
  CHECK(refusal(b) == "test.glb: animations[0].samplers[1].input: no keys");
}

TEST_CASE("channels that do not shape the surface are left out with a warning") {
  GltfBuilder b = two_joint_strip();
  Json& channels = b.json["animations"][0]["channels"];
  std::string reason;
  SECTION("a pointer") {
    const Json pointer = {{"KHR_animation_pointer", {{"pointer", "/nodes/1/rotation"}}}};
    channels.push_back({{"sampler", 0}, {"target", {{"path", "pointer"}, {"extensions", pointer}}}});
    reason = "KHR_animation_pointer is not played";
  }
  SECTION("an unknown path") {
    channels.push_back({{"sampler", 0}, {"target", {{"node", 1}, {"path", "colour"}}}});
    reason = "what they animate does not shape the surface or is unknown";
  }
  SECTION("no node") {
    channels.push_back({{"sampler", 0}, {"target", {{"path", "rotation"}}}});
    reason = "no target node";
  }
  SECTION("a property twice") {
    channels.push_back({{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}});
    reason = "their property has a channel already";
  }
  SECTION("weights without morph targets") {
    channels.push_back({{"sampler", 0}, {"target", {{"node", 2}, {"path", "weights"}}}});
    reason = "the mesh of their node has no morph targets in the scene";
  }
  const Scene scene = read(b);
  CHECK(scene.clips[0].tracks.size() == 1);
  CHECK(scene.warnings == std::vector<std::string>{"animations[0]: 1 channels left out: " + reason});
}

TEST_CASE("a clip ends with its last key and may be nameless") {
  GltfBuilder b = with_channel("scale", {1, 3.5}, Eigen::MatrixXd::Ones(3, 2), "STEP");
  b.json["animations"][0].erase("name");
  const Clip clip = read(b).clips[0];
  CHECK(clip.end == 3.5);
  CHECK_FALSE(clip.has_name);
  CHECK(clip.tracks[1].interpolation == Interpolation::step);
}

TEST_CASE(
    "KhronosGroup/glTF-Blender-IO #1541, #2430: a track of one key or of STEP keys holds another pose than "
    "rest") {
  const std::string interpolation = GENERATE("STEP", "LINEAR");
  GltfBuilder b = with_channel("translation", {0.5}, Eigen::Vector3d(0, 0, 4), interpolation);
  b.add_channel(0, 0, "scale", {0, 1}, Eigen::MatrixXd::Constant(3, 2, 2), "STEP");
  const Scene scene = read(b);
  for (const double time : {0.0, 0.5, 0.75, 3.0}) {
    const Eigen::Matrix4d root = pose_at(scene, scene.clips[0], time).model_from_node[0];
    CHECK(root.diagonal() == Eigen::Vector4d(2, 2, 2, 1));
    CHECK(root.col(3) == Eigen::Vector4d(0, 0, 4, 1));
  }
}

TEST_CASE(
    "mrdoob/three.js #15087, PR #16639, donmccurdy/three-gltf-viewer #86, bdero/flutter_scene #122, "
    "KhronosGroup/glTF-Blender-IO #668: channels find their node by index, whatever the names") {
  GltfBuilder b = two_joint_strip();
  const std::string name = GENERATE("", "bone");
  for (Json& node : b.json["nodes"])
    if (name.empty())
      node.erase("name");
    else
      node["name"] = name;
  const Scene scene = read(b);
  CHECK(scene.clips[0].tracks[0].node == 1);
  const ScenePose pose = pose_at(scene, scene.clips[0], 1);
  CHECK(pose.model_from_node[0].isIdentity());
  CHECK(pose.model_from_node[1](1, 0) == Approx(1));
}

TEST_CASE("an animation without channels is a clip without tracks") {
  GltfBuilder b = two_joint_strip();
  b.add_animation("Empty");
  const Clip clip = read(b).clips.at(1);
  CHECK(clip.name == "Empty");
  CHECK(clip.tracks.empty());
  CHECK(clip.end == 0);
}

TEST_CASE("samplers of a clip have keys and rates of their own") {
  GltfBuilder b = with_channel("translation", {0.1, 0.2, 0.7}, Eigen::MatrixXd::Ones(3, 3));
  b.add_channel(0, 0, "scale", {0, 4}, Eigen::MatrixXd::Ones(3, 2), "STEP");
  const Clip clip = read(b).clips[0];
  REQUIRE(clip.tracks.size() == 3);
  CHECK(clip.tracks[0].times == std::vector<float>{0, 1});
  CHECK(clip.tracks[1].times == std::vector<float>{0.1f, 0.2f, 0.7f});
  CHECK(clip.tracks[2].times == std::vector<float>{0, 4});
  CHECK(clip.end == 4);
}

TEST_CASE(
    "assimp/assimp #3784, playcanvas/engine PR #8329: a mirrored matrix is split into a proper rotation and "
    "one "
    "negative scale") {
  std::mt19937 random{12345};
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 100; ++trial) {
    const Eigen::Matrix3d rotation =
        Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
            .normalized()
            .matrix();
    Eigen::Vector3d scale(0.5 + std::abs(normal(random)), 0.3, 2);
    scale[trial % 3] *= -1;
    if (trial % 2) scale = -scale.cwiseAbs();  // on all three axes, which is a mirror too
    Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
    m.topLeftCorner<3, 3>() = rotation * scale.asDiagonal();
    const Trs trs = nearest_trs(m);
    CHECK((matrix_of(trs) - m).norm() < 1e-14 * m.norm());
    CHECK((trs.scale.array() < 0).count() == 1);
    CHECK(trs.scale.x() < 0);
    CHECK(trs.rotation.norm() == Approx(1).epsilon(1e-14));
  }
}

TEST_CASE("the matrix of an animated node is split") {
  GltfBuilder b = two_joint_strip();
  b.json["nodes"][1].erase("translation");
  b.json["nodes"][1]["matrix"] = {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1};
  const Scene scene = read(b);
  CHECK_FALSE(scene.nodes[1].matrix.has_value());
  CHECK(scene.nodes[1].trs.translation.isApprox(Eigen::Vector3d(5, 6, 7)));
  CHECK(scene.nodes[1].trs.scale.isApprox(Eigen::Vector3d(2, 2, 2)));
  CHECK(std::abs(scene.nodes[1].trs.rotation.z()) == Approx(std::sqrt(0.5)));
  CHECK(scene.warnings.size() == 1);
}

}  // namespace pelt
