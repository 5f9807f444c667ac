#include "io/document_of_rig.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <map>

#include "io/gltf_reader.h"
#include "io/io_error.h"
#include "io/open_document.h"
#include "io/pose.h"
#include "tests/fixtures.h"
#include "tests/temp_folder.h"

using namespace pelt;
using namespace pelt::test;
namespace fs = std::filesystem;

namespace {

const std::string kMesh =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 7 7 7\nv 0 1 0.5\n"
    "vt 0 0\nvt 1 0.25\nvn 0 0 2\n"
    "f 1/1/1 2/1/1 3/1/1 5/1/1\n";

const std::string kRig =
    "joints root 0.1 0.2 0.3\njoints arm 0.4 0.4 0.4\njoints hand 0.9 1 0.1\n"
    "root root\nhier root arm\nhier arm hand\n"
    "skin 0 root 1.0\nskin 1 root 0.6 arm 0.9 hand 0.0\nskin 2 hand 1\nskin 4 arm 0.2 hand 0.2 root 0.6\n";

Document document(const std::string& rig, const std::string& mesh) {
  return document_of_rig(parse_text_rig(rig, "w.txt"), parse_obj(mesh, "w.obj"), {"w.txt", "w.obj"});
}

std::string refusal(const std::string& rig, const std::string& mesh) {
  try {
    document(rig, mesh);
  } catch (const ReadError& error) {
    return error.what();
  }
  return "";
}

void put(const fs::path& path, const std::string& text) { write_bytes(path, {text.begin(), text.end()}); }

/// Weight by joint name at a vertex, none where 0.
std::map<std::string, double> weights_at(const Scene& scene, int vertex) {
  std::map<std::string, double> weights;
  const Part& part = scene.parts[0];
  for (int slot = 0; slot < part.influences; ++slot)
    if (part.weights(slot, vertex) > 0)
      weights[scene.nodes[scene.skins[part.skin].joints[part.joints(slot, vertex)]].name] +=
          part.weights(slot, vertex);
  return weights;
}

void check_weights(std::map<std::string, double> ours, std::map<std::string, double> theirs,
                   double tolerance) {
  for (const auto& [name, weight] : ours) theirs[name] -= weight;
  for (const auto& [name, difference] : theirs) CHECK(std::abs(difference) <= tolerance);
}

}  // namespace

TEST_CASE("A text rig and its mesh become a skinned glTF mesh") {
  const Scene scene = read_scene(document(kRig, kMesh));
  REQUIRE(scene.parts.size() == 1);
  Eigen::Matrix3Xd positions(3, 4);  // the vertex without a face is left out
  positions << 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0.5;
  CHECK(scene.parts[0].positions == positions);
  Eigen::Matrix3Xi triangles(3, 2);
  triangles << 0, 0, 1, 2, 2, 3;
  CHECK(scene.triangles == triangles);
  check_weights(weights_at(scene, 0), {{"root", 1}}, 0);
  check_weights(weights_at(scene, 1), {{"root", 0.4}, {"arm", 0.6}}, 1e-7);
  check_weights(weights_at(scene, 2), {{"hand", 1}}, 0);
  check_weights(weights_at(scene, 3), {{"root", 0.6}, {"arm", 0.2}, {"hand", 0.2}}, 1e-7);
  REQUIRE(scene.warnings.size() == 1);
  CHECK(scene.warnings[0] == "the weights of 1 of 4 vertices do not sum to 1 (worst sum 1.5), normalised");
}

TEST_CASE("Joints of a text rig stand at their places, and rest is bind") {
  const Scene scene = read_scene(document(kRig, kMesh));
  const ScenePose rest = rest_pose(scene);
  const Skin& skin = scene.skins[0];
  REQUIRE(skin.joints.size() == 3);
  const std::vector<Eigen::Vector3d> places{{0.1, 0.2, 0.3}, {0.4, 0.4, 0.4}, {0.9, 1, 0.1}};
  for (std::size_t j = 0; j < places.size(); ++j) {
    Eigen::Matrix4d expected = Eigen::Matrix4d::Identity();
    expected.topRightCorner<3, 1>() = places[j];
    CHECK((rest.model_from_node[skin.joints[j]] - expected).norm() < 1e-7);
    CHECK((rest.model_from_node[skin.joints[j]] * skin.joint_from_bind[j] - Eigen::Matrix4d::Identity())
              .norm() < 1e-7);
  }
  CHECK(scene.nodes[skin.joints[1]].parent == skin.joints[0]);
  CHECK(scene.nodes[skin.joints[2]].parent == skin.joints[1]);
  CHECK(largest_distance(rest_surface(scene).positions, scene.parts[0].positions) < 1e-7);
}

TEST_CASE("A vertex whose corners differ in uv is split, uvs are turned over and normals made unit") {
  const Document made = document(kRig, kMesh + "f 1/2/1 2/1/1 3/1/1\n");
  const auto& attributes = made.json["meshes"][0]["primitives"][0]["attributes"];
  CHECK(read_scene(made).parts[0].vertices == 5);
  const auto floats = [&](const char* name) {
    const auto& accessor = made.json["accessors"][attributes[name].get<std::size_t>()];
    const auto& view = made.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    std::vector<float> values(view["byteLength"].get<std::size_t>() / 4);
    std::memcpy(values.data(), made.bin.data() + view["byteOffset"].get<std::size_t>(), 4 * values.size());
    return values;
  };
  CHECK(floats("TEXCOORD_0") == std::vector<float>{0, 1, 1, 0.75f, 0, 1, 0, 1, 0, 1});
  CHECK(floats("NORMAL") == std::vector<float>{0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
}

TEST_CASE("Normals and uvs that not every corner has are left out") {
  const Document made = document(kRig, kMesh + "f 1 2 3\n");
  const auto& attributes = made.json["meshes"][0]["primitives"][0]["attributes"];
  CHECK_FALSE(attributes.contains("NORMAL"));
  CHECK_FALSE(attributes.contains("TEXCOORD_0"));
}

TEST_CASE("Many joints and many influences of a text rig are all kept") {
  std::string rig = "root j0\nskin 0 j0 1\nskin 1 j0 1\nskin 2", expected;
  std::map<std::string, double> weights;
  for (int j = 0; j < 300; ++j) {
    const std::string name = "j" + std::to_string(j);
    if (j >= 290) rig += " " + name + " 0.1", weights[name] = 0.1;
    expected += "joints " + name + " " + std::to_string(j) + " 0 0\n";
    if (j > 0) expected += "hier j" + std::to_string(j - 1) + " " + name + "\n";
  }
  const Scene scene = read_scene(document(rig + "\n" + expected, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
  CHECK(scene.parts[0].influences == 12);
  check_weights(weights_at(scene, 2), weights, 1e-7);
  CHECK(rest_pose(scene).model_from_node[scene.skins[0].joints[299]](0, 3) == 299);
}

TEST_CASE("A text rig that does not fit its mesh is refused with the numbers") {
  CHECK(refusal(kRig + "skin 5 root 1\n", kMesh) == "w.txt: line 11: vertex 5, but w.obj has 5");
  CHECK(refusal(kRig, kMesh + "f 1 2 4\n") == "w.txt: no weights for vertex 3, which a face of w.obj uses");
  CHECK(refusal(kRig + "skin 3 root 0\n", kMesh + "f 1 2 4\n") ==
        "w.txt: no weights for vertex 3, which a face of w.obj uses");
  CHECK(refusal(kRig, "v 0 0 0\n") == "w.obj: no face in it");
  CHECK(refusal(kRig, "v 0 0 1e300\n" + kMesh) == "w.obj: a coordinate beyond the range of floats");
}

TEST_CASE("A text rig finds the mesh beside it") {
  const TempFolder folder;
  put(folder / "wolf_rig.txt", kRig);
  CHECK_THROWS_WITH(open_document(folder / "wolf_rig.txt"),
                    (folder / "wolf_rig.txt").string() + ": a text rig without its mesh: no " +
                        (folder / "wolf.obj").string() + "; --mesh names another");
  put(folder / "wolf.obj", kMesh);
  CHECK(read_scene(open_document(folder / "wolf_rig.txt")).vertices() == 4);
  put(folder / "wolf_rig.obj", kMesh + "f 1 3 5\n");
  CHECK(read_scene(open_document(folder / "wolf_rig.txt")).vertices() == 7);
  CHECK(read_scene(open_document(folder / "wolf_rig.txt", folder / "wolf.obj")).vertices() == 4);
}

TEST_CASE("A mesh for what is no text rig is a usage error") {
  const TempFolder folder;
  put(folder / "it.gltf", "{\"asset\": {\"version\": \"2.0\"}}");
  CHECK(open_document(folder / "it.gltf").json.contains("asset"));
  CHECK_THROWS_AS(open_document(folder / "it.gltf", folder / "it.obj"), UsageError);
}

TEST_CASE("Puppeteer's text rigs equal the .glb files made from them") {
  const char* given = std::getenv("PELT_CORPORA");
  const fs::path folder = fs::path(given ? given : PELT_SOURCE_DIR "/../shared/corpora") / "puppeteer";
  if (!fs::is_directory(folder)) {
    std::cout << "skipped: 2 corpus checks (no corpora folder)\n";
    return;
  }
  for (const std::string name : {"crocodile", "fish"}) {
    INFO(name);
    const Scene ours = read_scene(open_document(folder / (name + "_rig.txt")));
    const Scene theirs = read_scene(read_document(folder / (name + ".glb")));
    CHECK(ours.warnings == std::vector<std::string>{});
    REQUIRE(ours.vertices() == theirs.vertices());
    const Surface rest = rest_surface(ours), expected = rest_surface(theirs);
    const double diag = bounding_diagonal(expected);
    CHECK(largest_distance(rest.positions, expected.positions) < 3e-7 * diag);
    CHECK(rest.triangles == expected.triangles);
    for (int v = 0; v < ours.vertices(); ++v) check_weights(weights_at(ours, v), weights_at(theirs, v), 1e-6);
  }
}
