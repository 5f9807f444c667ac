// What a written file changes of the one it came from, and which tracks and names it adds (DESIGN section 5).
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>

#include "chain_rig.h"
#include "data/quadruped_files.h"
#include "io/gltf_reader.h"
#include "io/io_error.h"
#include "io/pose.h"
#include "reading.h"
#include "tests/json_diff.h"

using namespace pelt;
using namespace pelt::test;
using Eigen::Matrix3Xd;
using Json = nlohmann::ordered_json;

TEST_CASE("KhronosGroup/glTF-Blender-IO #1541: a clip that holds another pose than rest keeps its tracks") {
  std::mt19937 random{12345};
  SolvedClip held;
  const Written w = write(chain({}, random), [&](const SceneRig& rig, double size) {
    const Pose pose = random_pose(rig.rig, size, random);
    held = {"Held", true, {0, 1}, {pose, pose}};
    return std::vector<SolvedClip>{held};
  });
  for (const int node : w.rig.node_of_joint)
    CHECK(paths_of(w.after.json["animations"][0], node) == std::set<std::string>{"rotation", "translation"});
  CHECK(written_error(w.scene, w.rig, held, 0) < 3e-7);
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
  SECTION("several buffers: BIN grows and the others stay") {
    Document before = b.document();
    const Json embedded = Json::parse(b.gltf())["buffers"][0];
    before.json["buffers"].push_back(embedded);
    before.json["bufferViews"][0]["buffer"] = 1u;
    const Document after = written(before);
    CHECK(after.json["buffers"].size() == 2);
    CHECK(after.json["buffers"][1] == embedded);
    CHECK(after.json["bufferViews"].back()["buffer"] == 0);
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

TEST_CASE("a quantised rig stays quantised") {
  std::mt19937 random{12345};
  GltfBuilder b = two_joint_strip();
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  const int position =
      b.add_accessor(square(), {.component = Component::i16, .normalized = true, .stride = 8});
  Eigen::Matrix4d weights;
  weights.colwise() = Eigen::Vector4d(0.5, 0.25, 0.25, 0);
  const int weight = b.add_accessor(weights, {.component = Component::u8, .normalized = true});
  Eigen::Matrix4d slots = Eigen::Matrix4d::Zero();
  slots.row(1).setOnes();
  const int joint = b.add_accessor(slots, {.component = Component::u8});
  b.primitive(0)["attributes"] = {{"POSITION", position}, {"JOINTS_0", joint}, {"WEIGHTS_0", weight}};
  SolvedClip walk;
  const Written w = write(b, [&](const SceneRig& rig, double size) {
    walk = random_clip("Walk", rig.rig, size, random);
    return std::vector<SolvedClip>{walk};
  });
  CHECK(forbidden_edits(w.before, w.after) == std::vector<std::string>{});
  CHECK(w.after.json["accessors"][position]["componentType"] == 5122);
  CHECK(w.after.json["extensionsRequired"] == w.before.json["extensionsRequired"]);
  CHECK(written_error(w.scene, w.rig, walk, 1) < 3e-7);
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

TEST_CASE("BabylonJS/Exporters #737: a clip appended to every file of the quadruped is all that changes") {
  for (const QuadrupedFile& file : make_quadruped_files()) {
    INFO(file.name);
    const Document before = parse_document(file.bytes, file.name);
    const Scene scene = read_scene(before);
    const SceneRig rig = rig_of_scene(scene);
    WriteOutcome outcome;
    const SolvedClip clip = rest_clip("rest of pelt's own test", rig.rig);
    const Document after = with_clips(before, scene, rig, {clip}, {}, outcome);
    CHECK(forbidden_edits(before, after) == std::vector<std::string>{});
    CHECK(written_error(read_scene(reread(after)), rig, clip, static_cast<int>(scene.clips.size())) < 3e-7);
  }
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
