#include "io/clip_writer.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <set>

#include "io/gltf_reader.h"
#include "io/io_error.h"
#include "io/pose.h"
#include "tests/gltf_builder.h"
#include "tests/json_diff.h"

using namespace pelt;
using namespace pelt::test;
using Eigen::Matrix3Xd;
using Eigen::Matrix4d;
using Json = nlohmann::ordered_json;

namespace {

constexpr double pi = 3.14159265358979323846;

/// What stands above, between and at the joints of a chain.
struct ChainOptions {
  Json armature = Json::object();
  Json between = Json::object();
  Json tip = Json::object();
  bool matrices = false;  ///< joints as matrix instead of TRS
  int joints = 6;
};

std::vector<double> numbers(const Matrix4d& m) { return {m.data(), m.data() + 16}; }

/// A chain of joints, each 0.3 above the one before and turned, a plain node below the second; every joint
/// moves a triangle, in part shared with its parent.
GltfBuilder chain(const ChainOptions& options, std::mt19937& random) {
  std::normal_distribution<double> normal;
  GltfBuilder b;
  int above = b.add_node("armature", -1, options.armature);
  std::vector<int> joints;
  for (int j = 0; j < options.joints; ++j) {
    if (j == 2) above = b.add_node("between", above, options.between);
    const Eigen::Vector4d q = Eigen::Vector4d(normal(random), normal(random), normal(random), 2).normalized();
    Json node = {{"translation", {0.05 * j, 0.3, 0}}, {"rotation", {q[0], q[1], q[2], q[3]}}};
    if (j + 1 == options.joints && options.tip.is_object()) node.update(options.tip);
    if (options.matrices) {
      Trs trs{{0.05 * j, 0.3, 0}, Eigen::Quaterniond(q), Eigen::Vector3d(1, 1, j == 1 ? -1 : 1)};
      node = {{"extras", {{"mark", j}}}, {"matrix", numbers(matrix_of(trs))}, {"kept", j}};
    }
    above = b.add_node("joint" + std::to_string(j), above, node);
    joints.push_back(above);
  }

  const ScenePose rest = rest_pose(read_scene(b.document()));
  std::vector<Matrix4d> joint_from_bind;
  const int count = 3 * options.joints;
  Matrix3Xd points(3, count);
  Eigen::MatrixXd slots = Eigen::MatrixXd::Zero(4, count), weights = slots;
  std::vector<int> triangles;
  for (int j = 0; j < options.joints; ++j) {
    const Matrix4d& model_from_joint = rest.model_from_node[joints[j]];
    joint_from_bind.push_back(model_from_joint.inverse());
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d corner = 0.2 * Eigen::Vector3d::Unit(k) + Eigen::Vector3d(0, 0.1, 0);
      points.col(3 * j + k) = (model_from_joint * corner.homogeneous()).head<3>();
      slots.col(3 * j + k).head<2>() << j, std::max(j - 1, 0);
      weights.col(3 * j + k).head<2>() << 0.75, 0.25;
      triangles.push_back(3 * j + k);
    }
  }
  const int skin = b.add_skin(joints, joint_from_bind);
  b.add_node(
      "body", -1,
      {{"mesh", b.add_mesh(skinned_attributes(b, points, slots, weights), triangles)}, {"skin", skin}});
  return b;
}

/// Rigid motions about points near the surface, one a joint.
Pose random_pose(const Rig& rig, double size, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Pose pose = rest_pose(rig);
  for (int j = 0; j < rig.joints(); ++j) {
    const Eigen::Vector3d pivot = rig.model_from_joint[j].topRightCorner<3, 1>();
    pose[j].leftCols<3>() = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
                                .normalized()
                                .matrix();
    pose[j].col(3) = pivot - pose[j].leftCols<3>() * pivot +
                     0.1 * size * Eigen::Vector3d(normal(random), normal(random), normal(random));
  }
  return pose;
}

SolvedClip random_clip(const std::string& name, const Rig& rig, double size, std::mt19937& random) {
  SolvedClip clip{name, true, {0, 0.1f, 0.25f, 1.7f}, {}};
  for (size_t k = 0; k < clip.times.size(); ++k) clip.poses.push_back(random_pose(rig, size, random));
  return clip;
}

SolvedClip rest_clip(const std::string& name, const Rig& rig) {
  return {name, true, {0, 1}, {rest_pose(rig), rest_pose(rig)}};
}

Document reread(const Document& document) { return parse_document(serialise(document), document.path); }

/// Largest distance, over keys and vertices that have influences, between the written clip and the rig's
/// skin; of the diagonal.
double written_error(const Scene& written, const SceneRig& rig, const SolvedClip& clip, int index) {
  const double diagonal = bounding_diagonal(rest_surface(written));
  double worst = 0;
  for (size_t k = 0; k < clip.times.size(); ++k) {
    const Matrix3Xd surface =
        surface_at(written, pose_at(written, written.clips.at(index), double{clip.times[k]}));
    const Matrix3Xd expected = skin(rig.rig, clip.poses[k]);
    for (int v = 0; v < rig.rig.vertices(); ++v)
      if (rig.rig.first_influence[v] < rig.rig.first_influence[v + 1])
        worst = std::max(worst, (surface.col(v) - expected.col(v)).norm());
  }
  return worst / diagonal;
}

struct Written {
  Document before, after;
  Scene scene;  ///< of `after`
  SceneRig rig;
  WriteOutcome outcome;
};

Written write(const GltfBuilder& builder,
              const std::function<std::vector<SolvedClip>(const SceneRig&, double)>& clips,
              const WriteSettings& settings = {}) {
  Written w;
  w.before = builder.document();
  const Scene scene = read_scene(w.before);
  w.rig = rig_of_scene(scene);
  const double size = bounding_diagonal(rest_surface(scene));
  w.after = reread(with_clips(w.before, scene, w.rig, clips(w.rig, size), settings, w.outcome));
  w.scene = read_scene(w.after);
  return w;
}

std::set<std::string> paths_of(const Json& animation, int node) {
  std::set<std::string> paths;
  for (const Json& channel : animation["channels"])
    if (channel["target"]["node"] == node) paths.insert(channel["target"]["path"].get<std::string>());
  return paths;
}

std::vector<std::string> animation_names(const Document& document) {
  std::vector<std::string> names;
  for (const Json& animation : document.json["animations"])
    names.push_back(animation.value("name", "(none)"));
  return names;
}

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
    CHECK(written_error(w.scene, w.rig, clip, 0) < 1.2e-7);
  }
}

TEST_CASE("a joint that turns far takes the short way and rotation keys never change their sign") {
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

TEST_CASE("a clip at rest writes no more than one track and keeps its length") {
  std::mt19937 random{12345};
  for (const bool matrices : {false, true}) {
    const Written w = write(chain({.matrices = matrices}, random), [](const SceneRig& rig, double) {
      return std::vector<SolvedClip>{rest_clip("Rest", rig.rig)};
    });
    CHECK(w.after.json["animations"][0]["channels"].size() == 1);
    CHECK(w.scene.clips[0].end == 1);
    CHECK(written_error(w.scene, w.rig, rest_clip("Rest", w.rig.rig), 0) < 1e-7);
  }
}

TEST_CASE("a clip without a name stays without") {
  std::mt19937 random{12345};
  const Written w = write(chain({}, random), [](const SceneRig& rig, double) {
    SolvedClip clip = rest_clip("", rig.rig);
    clip.has_name = false;
    return std::vector<SolvedClip>{clip, clip, rest_clip("", rig.rig)};
  });
  CHECK(w.outcome.warnings.empty());
  CHECK_FALSE(w.after.json["animations"][0].contains("name"));
  CHECK_FALSE(w.after.json["animations"][1].contains("name"));
  CHECK(w.after.json["animations"][2]["name"] == "");
}

TEST_CASE("names: suffixes and replacement") {
  const auto named = [](std::vector<std::string> names) {
    return [names](const SceneRig& rig, double) {
      std::vector<SolvedClip> clips;
      for (const std::string& name : names) clips.push_back(rest_clip(name, rig.rig));
      return clips;
    };
  };
  GltfBuilder b = two_joint_strip();  // has "Bend"
  b.json["animations"].push_back(b.json["animations"][0]);
  b.json["animations"][1]["name"] = "Armature|Bend \xC3\xA9";
  using Names = std::vector<std::string>;
  const std::string odd = "Armature|Bend \xC3\xA9";

  Written w = write(b, named({"Bend", "Bend", "Bend (pelt)", "New"}));
  CHECK(w.outcome.names == Names{"Bend (pelt 2)", "Bend (pelt 3)", "Bend (pelt)", "New"});
  CHECK(w.outcome.warnings.size() == 2);
  CHECK(animation_names(w.after) ==
        Names{"Bend", odd, "Bend (pelt 2)", "Bend (pelt 3)", "Bend (pelt)", "New"});
  CHECK(forbidden_edits(w.before, w.after) == Names{});

  w = write(b, named({"New", "Bend", "Bend"}), {.replace = true});
  CHECK(w.outcome.names == Names{"New", "Bend", "Bend (pelt)"});
  CHECK(animation_names(w.after) == Names{"Bend", odd, "New", "Bend (pelt)"});
  CHECK(w.after.json["animations"][1] == w.before.json["animations"][1]);
  CHECK(w.after.json["animations"][0] != w.before.json["animations"][0]);

  w = write(b, named({odd, "Bend"}), {.drop_existing_clips = true});
  CHECK(animation_names(w.after) == Names{odd, "Bend"});
  CHECK(w.outcome.warnings.empty());
}

TEST_CASE("what a staying clip moves is held at rest") {
  GltfBuilder b = two_joint_strip();  // "Bend" turns node 1
  const int camera = b.add_node("camera");
  const int armature = b.add_node("armature");
  b.json["scenes"][0]["nodes"] = {armature, 2, camera};
  b.json["nodes"][armature]["children"] = {0};
  b.add_channel(0, 1, "scale", {0, 1}, Eigen::MatrixXd::Constant(3, 2, 2));
  b.add_channel(0, armature, "translation", {0, 1}, Eigen::MatrixXd::Constant(3, 2, 2));
  b.add_channel(0, camera, "translation", {0, 1}, Eigen::MatrixXd::Constant(3, 2, 2));
  const auto rest = [](const SceneRig& rig, double) {
    return std::vector<SolvedClip>{rest_clip("Rest", rig.rig)};
  };

  const Written w = write(b, rest);
  const Json& animation = w.after.json["animations"][1];
  using Paths = std::set<std::string>;
  CHECK(paths_of(animation, 1) == Paths{"rotation", "scale"});
  CHECK(paths_of(animation, armature) == Paths{"translation"});
  CHECK(animation["channels"].size() == 3);
  const Matrix3Xd played = surface_at(w.scene, pose_at(w.scene, w.scene.clips[1], 0.5));
  CHECK(played.isApprox(rest_surface(w.scene).positions, 1e-7));

  CHECK(write(b, rest, {.drop_existing_clips = true}).after.json["animations"][0]["channels"].size() == 1);
}

TEST_CASE("morph weights that a staying clip moves are held at rest") {
  GltfBuilder b = two_joint_strip();
  Json& primitive = b.primitive(0);
  const int bulge = b.add_accessor(Matrix3Xd::Constant(3, 4, 1));
  primitive["targets"] = Json::array({Json{{"POSITION", bulge}}, Json{{"POSITION", bulge}}});
  b.json["meshes"][0]["weights"] = {0.25, 0};
  b.add_channel(0, 2, "weights", {0, 1}, Eigen::MatrixXd::Constant(2, 2, 0.5));
  const Written w = write(
      b, [](const SceneRig& rig, double) { return std::vector<SolvedClip>{rest_clip("Rest", rig.rig)}; });
  CHECK(paths_of(w.after.json["animations"][1], 2) == std::set<std::string>{"weights"});
  const ScenePose pose = pose_at(w.scene, w.scene.clips[1], 0.5);
  CHECK(pose.morph_weights[0] == Eigen::Vector2d(0.25, 0));
}

TEST_CASE("a clip that one joint moves in makes the other new clips hold that joint") {
  std::mt19937 random{12345};
  const Written w = write(chain({}, random), [&](const SceneRig& rig, double) {
    SolvedClip nod = rest_clip("Nod", rig.rig);
    const int tip = rig.rig.joints() - 1;
    const Eigen::Vector3d pivot = rig.rig.model_from_joint[tip].topRightCorner<3, 1>();
    nod.poses[1][tip].leftCols<3>() = Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitX()).toRotationMatrix();
    nod.poses[1][tip].col(3) = pivot - nod.poses[1][tip].leftCols<3>() * pivot;
    return std::vector<SolvedClip>{nod, rest_clip("Rest", rig.rig)};
  });
  for (const Json& animation : w.after.json["animations"]) {
    CHECK(animation["channels"].size() == 1);  // turning about the joint needs no translation
    CHECK(paths_of(animation, w.rig.node_of_joint.back()) == std::set<std::string>{"rotation"});
  }
}

TEST_CASE("uniform scale in a motion becomes a scale track with the signs of the rest scale") {
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

TEST_CASE("shear is told once with its joint and the number") {
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

TEST_CASE("data go where the file keeps its own") {
  std::mt19937 random{12345};
  const auto clips = [&](const SceneRig& rig, double size) {
    return std::vector<SolvedClip>{random_clip("Walk", rig.rig, size, random)};
  };
  GltfBuilder b = chain({}, random);
  const auto written = [&](Document before) {
    const Scene scene = read_scene(before);
    const SceneRig rig = rig_of_scene(scene);
    const std::vector<SolvedClip> walk = clips(rig, bounding_diagonal(rest_surface(scene)));
    WriteOutcome outcome;
    Document after = reread(with_clips(before, scene, rig, walk, {}, outcome));
    CHECK(written_error(read_scene(after), rig, walk[0], 0) < 3e-7);
    CHECK(forbidden_edits(before, after) == std::vector<std::string>{});
    return after;
  };

  SECTION("BIN, padding dropped and unknown chunks kept") {
    Document before = b.document();
    const size_t length = before.bin.size();
    before.json["buffers"][0]["byteLength"] = length + 1;
    before.bin.resize(length + 4, 0xEE);
    before.other_chunks.push_back({0x12345678, {1, 2, 3, 4}});
    const Document after = written(before);
    CHECK(after.json["buffers"].size() == 1);
    CHECK(after.json["bufferViews"].back()["byteOffset"] == length + 4);
    CHECK(after.bin[length] == 0xEE);
    CHECK(after.bin[length + 1] == 0);
  }
  SECTION(".gltf with embedded data") {
    const std::string text = b.gltf();
    const Document after = written(parse_document({text.begin(), text.end()}, "test.gltf"));
    CHECK(after.json["buffers"].size() == 2);
    CHECK_THAT(after.json["buffers"][1]["uri"].get<std::string>(),
               Catch::StartsWith("data:application/octet-stream;base64,"));
  }
  SECTION(".glb whose buffer is not its BIN chunk") {
    Document before = b.document();
    before.json["buffers"][0]["uri"] = Json::parse(b.gltf())["buffers"][0]["uri"];
    before.has_bin = false;
    before.bin.clear();
    const Document after = written(before);
    CHECK_FALSE(after.has_bin);
    CHECK(after.json["buffers"].size() == 2);
  }
}

TEST_CASE("a .glb without buffers gets a BIN chunk") {
  GltfBuilder b;
  const int root = b.add_node("root");
  b.add_skin({root});
  const Written w = write(b, [](const SceneRig& rig, double) {
    SolvedClip clip = rest_clip("Move", rig.rig);
    clip.poses[1][0](0, 3) = 5;
    return std::vector<SolvedClip>{clip};
  });
  CHECK(w.after.has_bin);
  CHECK(w.after.json["buffers"].size() == 1);
  CHECK(w.scene.clips.at(0).tracks.at(0).values.col(1) == Eigen::Vector3d(5, 0, 0));
}

TEST_CASE("a clip appended to every file of the corpora is all that changes") {
  const char* given = std::getenv("PELT_CORPORA");
  const std::filesystem::path folder = given ? given : PELT_SOURCE_DIR "/../shared/corpora";
  if (!std::filesystem::is_directory(folder)) {
    std::cout << "skipped: 1 corpus checks (no corpora folder)\n";
    return;
  }
  int checked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".glb" && entry.path().extension() != ".gltf") continue;
    INFO(entry.path().string());
    Document before;
    Scene scene;
    try {
      before = read_document(entry.path());
      scene = read_scene(before);
    } catch (const ReadError&) {
      continue;
    }
    const SceneRig rig = rig_of_scene(scene);
    if (rig.rig.joints() == 0) continue;
    WriteOutcome outcome;
    const SolvedClip clip = rest_clip("rest of pelt's own test", rig.rig);
    const Document after = with_clips(before, scene, rig, {clip}, {}, outcome);
    CHECK(forbidden_edits(before, after) == std::vector<std::string>{});
    CHECK(outcome.warnings == std::vector<std::string>{});
    if (after.new_buffers.empty()) {
      const Scene written = read_scene(reread(after));
      CHECK(written_error(written, rig, clip, static_cast<int>(scene.clips.size())) < 3e-7);
    }
    ++checked;
  }
  CHECK(checked > 100);
}
