// Text rigs through the whole program, against the .glb rig that they are made from.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "io/gltf_reader.h"
#include "program.h"
#include "tests/data/glb_contents.h"

using namespace pelt::test;
using nlohmann::json;

namespace {

std::string digits(double value) { return json(value).dump(); }

std::string obj_of(const GlbContents& glb) {
  std::string text;
  for (const auto& p : glb.positions.colwise())
    text += "v " + digits(p.x()) + " " + digits(p.y()) + " " + digits(p.z()) + "\n";
  for (const auto& t : glb.triangles.colwise())
    text += "f " + std::to_string(t(0) + 1) + " " + std::to_string(t(1) + 1) + " " +
            std::to_string(t(2) + 1) + "\n";
  return text;
}

/// Joints at the origins of their bind transforms.
std::string rig_of(const GlbContents& glb) {
  std::string text;
  std::map<int, std::string> name_of_node;
  for (std::size_t slot = 0; slot < glb.joint_nodes.size(); ++slot) {
    const std::string name = joint_name(glb, static_cast<int>(slot));
    name_of_node[glb.joint_nodes[slot]] = name;
    const Eigen::Vector3d p = glb.joint_from_bind[slot].inverse().topRightCorner<3, 1>();
    text += "joints " + name + " " + digits(p.x()) + " " + digits(p.y()) + " " + digits(p.z()) + "\n";
  }
  std::map<std::string, std::string> parents;
  for (const auto& [node, name] : name_of_node)
    for (const int child : glb.json["nodes"][node].value("children", std::vector<int>()))
      parents[name_of_node.at(child)] = name;
  for (const auto& [node, name] : name_of_node)
    text += parents.contains(name) ? "hier " + parents[name] + " " + name + "\n" : "root " + name + "\n";
  for (Eigen::Index v = 0; v < glb.slots.cols(); ++v) {
    text += "skin " + std::to_string(v);
    for (int k = 0; k < 4; ++k)
      if (glb.weights(k, v) > 0)
        text += " " + joint_name(glb, glb.slots(k, v)) + " " + digits(glb.weights(k, v));
    text += "\n";
  }
  return text;
}

std::map<std::string, double> qualities(const std::string& report) {
  const auto bytes = read_bytes(report);
  const json parsed = json::parse(bytes.begin(), bytes.end());
  std::map<std::string, double> by_clip;
  for (const json& clip : parsed["clips"]) by_clip[clip["name"]] = clip["quality"];
  return by_clip;
}

}  // namespace

TEST_CASE("A text rig is baked as well as the .glb with its joints and weights", "[cli]") {
  const Desk desk;
  const GlbContents glb = contents_of(quadruped("straight-legs"));
  const std::string artist = desk.put("artist.glb", quadruped("artist"));
  const std::string rig = desk.put("rig.glb", quadruped("straight-legs"));
  const std::string text = desk.put("legs_rig.txt", rig_of(glb));
  desk.put("legs.obj", obj_of(glb));
  check_success(desk, {"bake", artist, rig, "-o", desk / "a.glb", "--report", desk / "a.json"},
                {"a.glb", "a.json"});
  const Outcome run = check_success(
      desk, {"bake", artist, text, "-o", desk / "b.glb", "--report", desk / "b.json"}, {"b.glb", "b.json"});
  CHECK(run.err.empty());
  const auto expected = qualities(desk / "a.json"), found = qualities(desk / "b.json");
  REQUIRE(found.size() == 2);
  for (const auto& [clip, quality] : expected) CHECK(found.at(clip) == Approx(quality).margin(0.01));
  const pelt::Scene written = pelt::read_scene(pelt::read_document(desk / "b.glb"));
  CHECK(written.vertices() == glb.positions.cols());
  CHECK(written.clips.size() == 2);
}

TEST_CASE("A text rig can be inspected and baked into a .gltf", "[cli]") {
  const Desk desk;
  const GlbContents glb = contents_of(quadruped("artist"));
  const std::string artist = desk.put("artist.glb", quadruped("artist"));
  const std::string text = desk.put("rig.txt", rig_of(glb)), mesh = desk.put("m/legs.obj", obj_of(glb));
  check_success(desk, {"bake", artist, text, "--mesh", mesh, "--clip", "Walk", "-o", desk / "out.gltf"},
                {"out.gltf", "out.pelt.bin"});
  CHECK(pelt::read_scene(pelt::read_document(desk / "out.gltf")).clips.size() == 1);
  desk.put("rig.obj", obj_of(glb));
  const Outcome page = check_success(desk, {"inspect", text}, {});
  CHECK_THAT(page.out, Catch::Contains("joints"));
  CHECK_THAT(page.out, !Catch::Contains("unreadable"));
}

TEST_CASE("What is wrong with a text rig is told by file and line", "[cli]") {
  const Desk desk;
  const std::string artist = desk.put("artist.glb", quadruped("artist")), out = desk / "out.glb";
  const std::string text = desk.put("rig.txt", std::string("joints a 0 0 0\nroot b\n"));
  check_refusal(desk, {"bake", artist, text, "-o", out}, 2, {text, "mesh", desk / "rig.obj"});
  check_refusal(desk, {"bake", artist, text, "--mesh", desk / "none.obj", "-o", out}, 2, {text, "line 2"});
  check_refusal(desk, {"inspect", text}, 2, {text, "rig.obj"});
  check_refusal(desk, {"bake", artist, text, "--mesh", out, "-o", out}, 1, {out, "input"});
  check_refusal(desk, {"bake", artist, artist, "--mesh", text, "-o", out}, 1, {artist, "--mesh"});
  desk.put("good.txt", std::string("joints a 0 0 0\nroot a\n"));
  check_refusal(desk, {"bake", artist, desk / "good.txt", "--mesh", desk / "none.obj", "-o", out}, 2,
                {desk / "none.obj", "no such file"});
}

TEST_CASE("FBX and Blender files are refused with the command that converts them", "[cli]") {
  const Desk desk;
  const std::string artist = desk.put("artist.glb", quadruped("artist"));
  const std::string fbx = desk.put("wolf.fbx", std::string("Kaydara FBX Binary  "));
  const std::string blend = desk.put("wolf.blend", std::string("BLENDER-v304"));
  for (const std::string& file : {fbx, blend}) {
    const std::string command = "scripts/fbx2glb " + file + " " + desk / "wolf.glb";
    check_refusal(desk, {"bake", file, artist, "-o", desk / "out.glb"}, 2, {file, command});
    check_refusal(desk, {"bake", artist, file, "-o", desk / "out.glb"}, 2, {file, command});
    check_refusal(desk, {"control", file}, 2, {file, command});
    check_refusal(desk, {"inspect", file}, 2, {file, command});
  }
}
