#include <catch2/catch.hpp>

#include "io/pose.h"
#include "reading.h"

namespace pelt {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;

/// The two-joint strip with other weights: columns are vertices.
GltfBuilder strip_with_weights(const Eigen::Matrix4d& weights, const Storage& storage = {}) {
  GltfBuilder b = two_joint_strip();
  const int accessor = b.add_accessor(weights, storage);
  b.primitive(0)["attributes"]["WEIGHTS_0"] = accessor;
  return b;
}

}  // namespace

TEST_CASE("inverse bind matrices may be absent or too many but not too few") {
  GltfBuilder b = two_joint_strip();
  const Eigen::Matrix4d one = Eigen::Matrix4d::Identity();
  SECTION(
      "KhronosGroup/glTF-Blender-IO #251, assimp/assimp #3465, syoyo/tinygltf PR #492, bevyengine/bevy PR "
      "#18419, Moguri/panda3d-gltf #111: absent") {
    b.json["skins"][0].erase("inverseBindMatrices");
    CHECK(read(b).skins[0].joint_from_bind == std::vector<Eigen::Matrix4d>{one, one});
  }
  SECTION("too many") {
    b.add_skin({0, 1}, {one, one, one * 2});
    CHECK(read(b).skins[1].joint_from_bind.size() == 2);
  }
  SECTION("KhronosGroup/glTF-Blender-IO #1538: too few") {
    b.add_skin({0, 1}, {one});
    CHECK(refusal(b) == "test.glb: skins[1].inverseBindMatrices: 1 matrices for 2 joints");
  }
  SECTION("projective") {
    Eigen::Matrix4d projective = one;
    projective(3, 1) = 0.25;
    b.add_skin({0, 1}, {one, projective});
    CHECK(refusal(b).find("skins[1].inverseBindMatrices[1]: its last row is 0 0.25 0 1") !=
          std::string::npos);
  }
  SECTION("not finite") {
    Eigen::Matrix4d broken = one;
    broken(0, 0) = std::nan("");
    b.add_skin({0}, {broken});
    CHECK(refusal(b).find("skins[1].inverseBindMatrices[0]") != std::string::npos);
  }
}

TEST_CASE("joints must be there once and may be outside the scene") {
  GltfBuilder b = two_joint_strip();
  SECTION("twice") {
    b.json["skins"][0]["joints"] = {1, 1};
    CHECK(refusal(b) == "test.glb: skins[0].joints: nodes[1] is named twice");
  }
  SECTION("none") {
    b.json["skins"][0]["joints"] = Json::array();
    CHECK_FALSE(refusal(b).empty());
  }
  SECTION("KhronosGroup/glTF #1511, #1383: outside, where they pose the skin all the same") {
    const Scene inside = read(b);
    b.json["scenes"][0]["nodes"] = {2};
    const Scene scene = read(b);
    CHECK(surface_at(scene, pose_at(scene, scene.clips[0], 1)) ==
          surface_at(inside, pose_at(inside, inside.clips[0], 1)));
    CHECK(scene.warnings == std::vector<std::string>{"skins[0]: 2 of its 2 joints are outside the scene"});
  }
}

TEST_CASE("bad weights are refused by mesh and primitive and vertex") {
  Eigen::Matrix4d weights = Eigen::Matrix4d::Zero();
  weights.row(0).setOnes();
  std::string reason;
  SECTION("negative") {
    weights.col(2) << 1.5, -0.5, 0, 0;
    reason = "a weight of -0.5";
  }
  SECTION("zero") {
    weights.col(2).setZero();
    reason = "all weights are zero";
  }
  SECTION("not a number") {
    weights(1, 2) = std::nan("");
    reason = "a weight that is not finite";
  }
  SECTION("infinite") {
    weights(1, 2) = std::numeric_limits<double>::infinity();
    reason = "a weight that is not finite";
  }
  GltfBuilder b = strip_with_weights(weights);
  CHECK(refusal(b) == "test.glb: meshes[0].primitives[0], vertex 2: " + reason);
  b.primitive(0)["indices"] = b.add_accessor(Eigen::RowVector3d(0, 1, 3), {.component = Component::u8});
  const Scene scene = read(b);
  CHECK(scene.parts[0].weights.col(2).isZero(0));
  CHECK(scene.warnings.empty());
}

TEST_CASE(
    "mrdoob/three.js #15319, KhronosGroup/glTF-Sample-Models #215, zhan-xu/RigNet #83: weights off one are "
    "normalised and told once") {
  Eigen::Matrix4d weights = Eigen::Matrix4d::Zero();
  weights.row(0) << 1, 0.9, 1, 0.5;
  weights.row(1) << 0, 0.3, 0, 0.25;
  const Scene scene = read(strip_with_weights(weights));
  CHECK(scene.parts[0].weights(0, 1) == Approx(0.75));
  CHECK(scene.parts[0].weights.colwise().sum().isOnes(1e-15));
  CHECK(scene.warnings ==
        std::vector<std::string>{
            "meshes[0].primitives[0]: the weights of 2 of 4 vertices do not sum to 1 (worst sum "
            "0.75), normalised"});
}

TEST_CASE(
    "donmccurdy/glTF-Transform #1404, PR #1439, #370, #684, StereoKit/StereoKit PR #835, "
    "KhronosGroup/glTF-Validator "
    "#132: the rounding of quantised weights is no fault and is normalised away") {
  Eigen::Matrix4d weights;
  const int off = GENERATE(0, 1, 2, 3);
  weights.colwise() = Eigen::Vector4d(64 - off, 64, 64, 63) / 255.0;
  const Scene scene = read(strip_with_weights(weights, {.component = Component::u8, .normalized = true}));
  CHECK(scene.warnings.empty() == (off <= 2));  // four slots, half a step each
  CHECK(scene.parts[0].weights.colwise().sum().isOnes(1e-15));
}

TEST_CASE("KhronosGroup/glTF #1530: joints count only where there is weight") {
  GltfBuilder b = two_joint_strip();
  Eigen::Matrix4d joints = Eigen::Matrix4d::Zero();
  joints(2, 1) = 200;
  SECTION("padding may point anywhere") {
    b.primitive(0)["attributes"]["JOINTS_0"] = b.add_accessor(joints, {.component = Component::u8});
    CHECK(read(b).parts[0].joints.isZero());
  }
  SECTION("weight may not") {
    joints(0, 1) = 2;
    b.primitive(0)["attributes"]["JOINTS_0"] =
        b.add_accessor(joints, {.component = Component::u16, .stride = 12});
    CHECK(refusal(b) == "test.glb: meshes[0].primitives[0], vertex 1: joint 2 of a skin of 2");
  }
}

TEST_CASE(
    "godotengine/godot #56705, PR #61912, Siccity/GLTFUtility #1, BabylonJS/Exporters #816, assimp/assimp "
    "#6874: all "
    "sets of influences are read") {
  GltfBuilder b = two_joint_strip();
  const int sets = GENERATE(1, 2, 3, 4);
  for (int n = 0; n < sets; ++n) {
    Eigen::Matrix4d weights = Eigen::Matrix4d::Zero(), joints = weights;
    weights.row(n).setConstant(1.0 / sets);
    joints.row(n).setConstant(n % 2);
    const int weights_accessor = b.add_accessor(weights);
    const int joints_accessor = b.add_accessor(joints, {.component = Component::u16});
    b.primitive(0)["attributes"]["WEIGHTS_" + std::to_string(n)] = weights_accessor;
    b.primitive(0)["attributes"]["JOINTS_" + std::to_string(n)] = joints_accessor;
  }
  const Scene scene = read(b);
  const Part& part = scene.parts[0];
  CHECK(scene.warnings.empty());
  REQUIRE(part.influences == 4 * sets);
  for (int slot = 0; slot < 4 * sets; ++slot) {
    CHECK(part.weights(slot, 3) == Approx(slot % 5 == 0 ? 1.0 / sets : 0).margin(1e-15));
    CHECK(part.joints(slot, 3) == (slot % 5 == 0 ? slot / 5 % 2 : 0));
  }
}

TEST_CASE("a set without its other half is told and left out") {
  GltfBuilder b = two_joint_strip();
  const int weights = b.primitive(0)["attributes"]["WEIGHTS_0"];
  b.primitive(0)["attributes"]["WEIGHTS_1"] = weights;
  const Scene scene = read(b);
  CHECK(scene.parts[0].influences == 4);
  CHECK(scene.warnings ==
        std::vector<std::string>{"meshes[0].primitives[0]: JOINTS_1 and WEIGHTS_1 are not both "
                                 "there and are ignored"});
}

TEST_CASE(
    "SaschaWillems/Vulkan-glTF-PBR #47, NVIDIA-RTX/Donut #20, mrdoob/three.js PR #13609: joints are read in "
    "their component type and stride") {
  GltfBuilder b = two_joint_strip();
  Eigen::Matrix4d joints = Eigen::Matrix4d::Zero();
  joints.row(0) << 1, 0, 1, 0;
  const Component component = GENERATE(Component::u8, Component::u16, Component::f32);
  const int stride = GENERATE(0, 16, 20);
  const int accessor = b.add_accessor(joints, {.component = component, .stride = stride});
  b.primitive(0)["attributes"]["JOINTS_0"] = accessor;
  CHECK(read(b).parts[0].joints.row(0) == Eigen::RowVector4i(1, 0, 1, 0));
}

TEST_CASE("a joint that is no whole number is refused") {
  GltfBuilder b = two_joint_strip();
  const int accessor = b.add_accessor(Eigen::MatrixXd::Constant(4, 4, 0.5));
  b.primitive(0)["attributes"]["JOINTS_0"] = accessor;
  CHECK(refusal(b) == "test.glb: meshes[0].primitives[0], vertex 0: joint 0.5 of a skin of 2");
}

TEST_CASE(
    "BabylonJS/Exporters PR #1137, #811, ScanMountGoat/xc3_lib #68: joints above 127 and 255 are told "
    "apart") {
  GltfBuilder b = two_joint_strip();
  const auto [count, component] =
      GENERATE(table<int, Component>({{200, Component::u8}, {300, Component::u16}, {40000, Component::u16}}));
  std::vector<int> joints;
  for (int j = 0; j < count; ++j) joints.push_back(b.add_node("", 0));
  b.json["nodes"][2]["skin"] = b.add_skin(joints);
  const int last = b.add_accessor(Eigen::Matrix4d::Constant(count - 1), {.component = component});
  b.primitive(0)["attributes"]["JOINTS_0"] = last;
  CHECK(read(b).parts[0].joints.row(0) == Eigen::RowVector4i::Constant(count - 1));
}

TEST_CASE("a skin without influences leaves the part to its node") {
  GltfBuilder b = two_joint_strip();
  b.primitive(0)["attributes"].erase("JOINTS_0");
  b.primitive(0)["attributes"].erase("WEIGHTS_0");
  const Scene scene = read(b);
  CHECK(scene.parts[0].skin == -1);
  CHECK(scene.parts[0].influences == 0);
  CHECK(scene.warnings.size() == 1);
}

TEST_CASE("attributes must have an element for each vertex") {
  GltfBuilder b = two_joint_strip();
  b.primitive(0)["attributes"]["WEIGHTS_0"] = b.add_accessor(Eigen::MatrixXd::Ones(4, 3));
  CHECK(refusal(b) == "test.glb: meshes[0].primitives[0].attributes.WEIGHTS_0: 3 elements for 4 vertices");
}

}  // namespace pelt
