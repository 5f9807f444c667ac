#include <catch2/catch.hpp>

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

TEST_CASE("cubic tracks are split into tangents and values") {
  Eigen::MatrixXd triplets(3, 6);
  for (int k = 0; k < 6; ++k) triplets.col(k).setConstant(k);
  const Track track = read(with_channel("translation", {0.5, 2}, triplets, "CUBICSPLINE")).clips[0].tracks[1];
  CHECK(track.interpolation == Interpolation::cubic);
  CHECK(track.times == std::vector<float>{0.5f, 2.f});
  CHECK(track.in_tangents.row(0) == Eigen::RowVector2d(0, 3));
  CHECK(track.values.row(1) == Eigen::RowVector2d(1, 4));
  CHECK(track.out_tangents.row(2) == Eigen::RowVector2d(2, 5));
}

TEST_CASE("rotations may be normalised integers and are of unit length") {
  GltfBuilder b = two_joint_strip();
  const int output = b.add_accessor((Eigen::MatrixXd(4, 2) << 0, 0, 0, 0, 0, -0.6, 1, 0.8).finished(),
                                    {.component = Component::i16, .normalized = true});
  b.json["animations"][0]["samplers"][0]["output"] = output;
  const Scene scene = read(b);
  CHECK(scene.clips[0].tracks[0].values(2, 1) == Approx(-0.6).margin(1e-4));
  CHECK(scene.clips[0].tracks[0].values.colwise().norm().isOnes(1e-15));
  CHECK(scene.warnings.empty());
}

TEST_CASE("rotations of another length are told and of none refused") {
  Eigen::MatrixXd keys = Eigen::MatrixXd::Zero(4, 2);
  keys.row(3) << 1, 1.5;
  const Scene scene = read(with_channel("rotation", {0, 1}, keys));
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
    channels.push_back({{"sampler", 0}, {"target", {{"path", "pointer"}, {"extensions", Json::object()}}}});
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
