#include "io/clip_writer.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "chain_rig.h"
#include "io/gltf_reader.h"
#include "io/io_error.h"
#include "tests/json_diff.h"

using namespace pelt;
using namespace pelt::test;
using Json = nlohmann::ordered_json;

namespace {

constexpr double pi = 3.14159265358979323846;

}  // namespace

TEST_CASE("a written clip plays the surface that was solved") {
  const Json turned = {{"rotation", {0.5, 0.5, -0.5, 0.5}}, {"translation", {3, -2, 1}}};
  std::vector<std::pair<std::string, ChainOptions>> cases = {
      {"plain", {}},
      {"scale 100 above", {.armature = {{"scale", {100, 100, 100}}, {"rotation", {0.6, 0, 0, 0.8}}}}},
      {"scale 0.01 above", {.armature = {{"scale", {0.01, 0.01, 0.01}}}}},
      {"turned", {.armature = turned}},
      {"mirrored above", {.armature = {{"scale", {-1, 1, 1}}, {"rotation", {0, 0.6, 0, 0.8}}}}},
      {"point mirrored above", {.armature = {{"scale", {-2, -2, -2}}}}},
      {"nodes between", {.between = turned}},
      {"scaled between", {.between = {{"scale", {7, 7, 7}}}}},
      {"matrix joints", {.matrices = true}},
      {"non-uniform scale at the tip", {.tip = {{"scale", {2, 0.5, -3}}}}},
      {"forty joints", {.joints = 40}},
  };
  std::mt19937 random{12345};
  for (const auto& [name, options] : cases) {
    INFO(name);
    std::vector<SolvedClip> clips;
    const Written w = write(chain(options, random), [&](const SceneRig& rig, double size) {
      clips = {random_clip("Walk", rig.rig, size, random), random_clip("Run", rig.rig, size, random)};
      return clips;
    });
    CHECK(w.outcome.warnings == std::vector<std::string>{});
    CHECK(w.outcome.names == std::vector<std::string>{"Walk", "Run"});
    for (int c = 0; c < 2; ++c) CHECK(written_error(w.scene, w.rig, clips[c], c) < 3e-7);
    CHECK(forbidden_edits(w.before, w.after) == std::vector<std::string>{});
    CHECK(w.scene.warnings == read_scene(w.before).warnings);
    for (const Json& animation : w.after.json["animations"])
      for (const int node : w.rig.node_of_joint)
        CHECK(paths_of(animation, node) == std::set<std::string>{"rotation", "translation"});
  }
}

TEST_CASE("rounding errors do not pile up along a chain") {
  std::mt19937 random{12345};
  std::normal_distribution<double> normal;
  for (const bool about_joints : {false, true}) {  // joints that only turn need no translation tracks
    SolvedClip clip{"Curl", true, {0, 1}, {}};
    const Written w = write(chain({.joints = 250}, random), [&](const SceneRig& rig, double size) {
      for (int k = 0; k < 2; ++k) {
        Pose pose = random_pose(rig.rig, size, random);
        for (int j = 0; j < rig.rig.joints() && about_joints; ++j) {
          const Eigen::Vector3d pivot = rig.rig.model_from_joint[j].topRightCorner<3, 1>();
          const Motion& parent = pose[std::max(j - 1, 0)];
          pose[j].col(3) = (j > 0 ? parent * pivot.homogeneous() : pivot) - pose[j].leftCols<3>() * pivot;
        }
        clip.poses.push_back(pose);
      }
      return std::vector<SolvedClip>{clip};
    });
    CHECK(written_error(w.scene, w.rig, clip, 0) < (about_joints ? 2.5e-8 : 1.2e-7));
  }
}

TEST_CASE(
    "bdero/flutter_scene PR #275, playcanvas/engine PR #1975: a joint that turns far takes the short way and "
    "rotation keys never change their sign") {
  std::mt19937 random{12345};
  const Written w = write(chain({}, random), [](const SceneRig& rig, double) {
    SolvedClip clip{"Spin", true, {}, {}};
    for (int k = 0; k <= 36; ++k) {  // 340 degrees a step is 20 back
      clip.times.push_back(static_cast<float>(k) / 24);
      Pose pose = rest_pose(rig.rig);
      for (Motion& motion : pose)
        motion.leftCols<3>() =
            Eigen::AngleAxisd(k * 340 * pi / 180, Eigen::Vector3d::UnitX()).toRotationMatrix();
      clip.poses.push_back(pose);
    }
    return std::vector<SolvedClip>{clip};
  });
  int rotations = 0;
  for (const Track& track : w.scene.clips.at(0).tracks) {
    if (track.path != TrackPath::rotation) continue;
    ++rotations;
    for (Eigen::Index k = 0; k < track.values.cols(); ++k)
      CHECK(track.values.col(k).norm() == Approx(1).epsilon(1e-7));
    for (Eigen::Index k = 1; k < track.values.cols(); ++k)
      CHECK(track.values.col(k - 1).dot(track.values.col(k)) ==
            Approx(std::cos(10 * pi / 180)).epsilon(1e-6));
  }
  CHECK(rotations == 1);  // the others stand still under the root
}

TEST_CASE(
    "KhronosGroup/glTF-Blender-IO #257, #1305: uniform scale in a motion becomes a scale track with the "
    "signs of the rest scale") {
  std::mt19937 random{12345};
  SolvedClip grow;
  const Written w =
      write(chain({.tip = {{"scale", {2, 0.5, -3}}}}, random), [&](const SceneRig& rig, double size) {
        grow = random_clip("Grow", rig.rig, size, random);
        for (Pose& pose : grow.poses)
          for (size_t j = 0; j < pose.size(); ++j)
            pose[j].leftCols<3>() *= 0.8 + 0.1 * static_cast<double>(j);
        return std::vector<SolvedClip>{grow};
      });
  CHECK(w.outcome.warnings == std::vector<std::string>{});
  CHECK(written_error(w.scene, w.rig, grow, 0) < 5e-7);
}

TEST_CASE(
    "google/filament #3969, #3707, godotengine/godot #49010: shear is told once with its joint and the "
    "number") {
  std::mt19937 random{12345};
  GltfBuilder b = chain({}, random);
  b.json["nodes"][2]["scale"] = {1, 2, 1};  // joint1, not the tip: its children shear when they turn
  SolvedClip clip;
  const Written w = write(b, [&](const SceneRig& rig, double size) {
    clip = random_clip("Walk", rig.rig, size, random);
    return std::vector<SolvedClip>{clip};
  });
  REQUIRE(w.outcome.warnings.size() == 1);
  CHECK_THAT(w.outcome.warnings[0], Catch::Contains("shear") && Catch::Contains("joint"));
  CHECK(written_error(w.scene, w.rig, clip, 0) > 1e-3);
}

TEST_CASE("a matrix that no TRS equals is replaced by the nearest and told") {
  std::mt19937 random{12345};
  GltfBuilder b = two_joint_strip();
  b.json.erase("animations");
  b.json["nodes"][1] = {{"name", "tip"}, {"matrix", {1, 0, 0, 0, 0.2, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1}}};
  const Written w = write(b, [&](const SceneRig& rig, double size) {
    return std::vector<SolvedClip>{random_clip("Walk", rig.rig, size, random)};
  });
  CHECK_FALSE(w.outcome.warnings.empty());
  CHECK_FALSE(w.after.json["nodes"][1].contains("matrix"));
  CHECK(forbidden_edits(w.before, w.after) == std::vector<std::string>{});
}

TEST_CASE("under a parent of no scale a joint keeps its rest transform") {
  std::mt19937 random{12345};
  GltfBuilder b = chain({}, random);
  b.json["nodes"][2]["scale"] = {0, 0, 0};
  const Written w = write(b, [&](const SceneRig& rig, double) {
    return std::vector<SolvedClip>{random_clip("Walk", rig.rig, 1, random)};
  });
  for (const Track& track : w.scene.clips.at(0).tracks) CHECK(track.values.allFinite());
}

TEST_CASE("clips that cannot be written are refused") {
  std::mt19937 random{12345};
  const GltfBuilder b = chain({}, random);
  const auto broken = [&](const std::function<void(SolvedClip&)>& edit) {
    write(b, [&](const SceneRig& rig, double) {
      std::vector<SolvedClip> clips = {rest_clip("Walk", rig.rig)};
      edit(clips[0]);
      return clips;
    });
  };
  broken([](SolvedClip&) {});
  CHECK_THROWS_AS(broken([](SolvedClip& c) { c.poses[1][2](0, 3) = NAN; }), WriteError);
  CHECK_THROWS_AS(broken([](SolvedClip& c) { c.poses[1][2](0, 3) = 1e300; }), WriteError);
  CHECK_THROWS_AS(broken([](SolvedClip& c) { c.times[1] = 0; }), WriteError);
  CHECK_THROWS_AS(broken([](SolvedClip& c) { c.times[1] = INFINITY; }), WriteError);
  CHECK_THROWS_AS(broken([](SolvedClip& c) { c.times[0] = -1; }), WriteError);
  CHECK_THROWS_AS(broken([](SolvedClip& c) { c.times.clear(), c.poses.clear(); }), WriteError);
  CHECK_THROWS_AS(broken([](SolvedClip& c) { c.poses.pop_back(); }), WriteError);
  CHECK_THROWS_AS(broken([](SolvedClip& c) { c.poses[0].pop_back(); }), WriteError);
}
