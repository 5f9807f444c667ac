// Exit codes 2 and 3: files that cannot be read or used, and surfaces that are not of one animal.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <limits>

#include "program.h"
#include "tests/gltf_builder.h"

using namespace pelt::test;
using Bytes = std::vector<std::uint8_t>;

namespace {

/// Refused as the artist of a control, as the artist and as the rig of a bake. `as_rig` is false where a rig
/// may be like that.
void check_unreadable(const Desk& desk, const std::string& file, std::vector<std::string> words,
                      bool as_rig = true) {
  const std::string sound = desk.put("sound.glb", two_joint_strip().glb());
  words.push_back(file);
  check_refusal(desk, {"control", file, "-o", desk / "out.glb"}, 2, words);
  check_refusal(desk, {"bake", file, sound, "-o", desk / "out.glb", "--report", desk / "r.json"}, 2, words);
  if (as_rig) check_refusal(desk, {"bake", sound, file, "-o", desk / "out.glb"}, 2, words);
}

std::string broken(const Desk& desk, const std::function<void(GltfBuilder&)>& fault) {
  GltfBuilder b = two_joint_strip();
  fault(b);
  return desk.put("broken.glb", b.glb());
}

/// Overwrites a float of an accessor in place.
void set_float(GltfBuilder& b, int accessor, int index, float value) {
  const std::size_t view = b.json["accessors"][accessor]["bufferView"];
  const std::size_t first = b.json["bufferViews"][view].value("byteOffset", 0);
  std::memcpy(b.bin.data() + first + 4 * static_cast<std::size_t>(index), &value, 4);
}

/// Every length up to 40, the borders of the chunks and of their headers, and others evenly between.
std::vector<std::size_t> lengths_to_cut_at(const Bytes& glb) {
  std::size_t json = 0;
  std::memcpy(&json, glb.data() + 12, 4);
  std::vector<std::size_t> lengths;
  for (std::size_t n = 1; n <= 24; ++n) lengths.push_back(n);
  for (const std::size_t border : {20 + json, 24 + json, 28 + json, glb.size()})
    for (std::size_t n = border - 2; n <= border + 2; ++n)
      if (n < glb.size()) lengths.push_back(n);
  for (std::size_t n = 1; n < 20; ++n) lengths.push_back(n * glb.size() / 20);
  return lengths;
}

}  // namespace

TEST_CASE("What is no glTF file is refused", "[cli]") {
  const Desk desk;
  check_unreadable(desk, desk.put("empty.glb", Bytes()), {"empty"});
  check_unreadable(desk, desk.put("text.glb", std::string("once upon a time")), {"not a glTF"});
  check_unreadable(desk, desk.put("bytes.glb", Bytes(4096, 0xff)), {"not a glTF"});
  check_unreadable(desk, desk.put("broken.gltf", std::string(R"({"asset": {"version": "2.0"}, "nodes": [)")),
                   {"JSON", "byte"});
  check_unreadable(desk, desk.put("list.gltf", std::string("[1, 2]")), {"JSON"});
  check_unreadable(desk, desk / "missing.glb", {"no such file"});
  std::filesystem::create_directory(desk / "folder.glb");
  check_unreadable(desk, desk / "folder.glb", {"not a file"});
  check_unreadable(desk, "/dev/zero", {"not a file"});
  check_refusal(desk, {"inspect", desk / "missing.glb"}, 2, {desk / "missing.glb", "no such file"});
  check_refusal(desk, {"inspect", desk / "text.glb"}, 2, {desk / "text.glb", "not a glTF"});
}

TEST_CASE("A file cut off anywhere is refused as artist and as rig", "[cli]") {
  const Desk desk;
  const Bytes glb = two_joint_strip().glb();
  const std::string sound = desk.put("sound.glb", glb), cut = desk / "cut.glb", out = desk / "out.glb";
  const std::vector<std::size_t> lengths = lengths_to_cut_at(glb);
  CHECK(lengths.size() >= 60);
  for (std::size_t n = 0; n < lengths.size(); ++n) {
    INFO(lengths[n] << " of " << glb.size() << " bytes");
    desk.put("cut.glb", Bytes(glb.begin(), glb.begin() + static_cast<std::ptrdiff_t>(lengths[n])));
    const Arguments as_artist{"bake", cut, sound, "-o", out}, as_rig{"bake", sound, cut, "-o", out};
    check_refusal(desk, n % 2 ? as_artist : as_rig, 2, {cut});
  }
}

TEST_CASE("The quadruped cut off at its borders is refused", "[cli]") {
  const Desk desk;
  const Bytes& glb = quadruped("artist");
  const std::size_t size = glb.size();
  for (const std::size_t length : {size - 1, size - 4, size / 2, std::size_t{1000}, std::size_t{20}}) {
    const std::string cut =
        desk.put("cut.glb", Bytes(glb.begin(), glb.begin() + static_cast<std::ptrdiff_t>(length)));
    check_refusal(desk, {"control", cut}, 2,
                  {cut, "truncated", std::to_string(length), std::to_string(size)});
    check_refusal(desk, {"inspect", cut}, 2,
                  {cut, "truncated", std::to_string(length), std::to_string(size)});
  }
}

TEST_CASE("An external buffer that is missing or too short is refused by its place", "[cli]") {
  const Desk desk;
  GltfBuilder b = two_joint_strip();
  b.json["buffers"][0]["uri"] = "data.bin";
  const std::string file = desk.put("it.gltf", b.json.dump());
  check_unreadable(desk, file, {"buffers[0]", "data.bin"});
  desk.put("data.bin", Bytes(b.bin.begin(), b.bin.end() - 4));
  check_unreadable(desk, file,
                   {"buffers[0]", std::to_string(b.bin.size()), std::to_string(b.bin.size() - 4)});
}

TEST_CASE("A file without what the work needs is refused", "[cli]") {
  const Desk desk;
  check_unreadable(desk,
                   broken(desk,
                          [](GltfBuilder& b) {
                            b.json.erase("skins");
                            b.json["nodes"][2].erase("skin");
                          }),
                   {"skin"});
  check_unreadable(desk, broken(desk, [](GltfBuilder& b) { b.json.erase("animations"); }), {"clip"}, false);
  check_unreadable(desk, broken(desk, [](GltfBuilder& b) { b.json["nodes"][2].erase("mesh"); }),
                   {"triangle"});
  check_unreadable(desk, broken(desk, [](GltfBuilder& b) { b.primitive(0)["mode"] = 0; }), {"triangle"});
  check_unreadable(desk, broken(desk, [](GltfBuilder& b) { b.json["scenes"][0]["nodes"] = {0}; }),
                   {"triangle"});
}

TEST_CASE("Numbers that are none are refused by their place", "[cli]") {
  const Desk desk;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  check_unreadable(
      desk,
      broken(desk, [&](GltfBuilder& b) { set_float(b, b.primitive(0)["attributes"]["WEIGHTS_0"], 8, nan); }),
      {"meshes[0].primitives[0]", "vertex 2", "weight"});
  check_unreadable(
      desk,
      broken(desk,
             [&](GltfBuilder& b) { set_float(b, b.primitive(0)["attributes"]["WEIGHTS_0"], 4, -0.25f); }),
      {"meshes[0].primitives[0]", "vertex 1", "-0.25"});
  check_unreadable(
      desk,
      broken(desk, [&](GltfBuilder& b) { set_float(b, b.primitive(0)["attributes"]["POSITION"], 4, nan); }),
      {"meshes[0].primitives[0]", "POSITION"});
  check_unreadable(desk, broken(desk, [](GltfBuilder& b) { b.json["nodes"][0]["children"] = {7}; }),
                   {"nodes[0].children", "7"});
}

TEST_CASE("An extension that is required and unknown is refused by its name", "[cli]") {
  const Desk desk;
  const auto require = [](GltfBuilder& b) {
    b.json["extensionsUsed"] = {"ACME_bones"};
    b.json["extensionsRequired"] = {"ACME_bones"};
  };
  check_unreadable(desk, broken(desk, require), {"extensionsRequired", "ACME_bones"});
}

TEST_CASE("Names with line breaks keep a message on its line", "[cli]") {
  const Desk desk;
  GltfBuilder b = two_joint_strip();
  b.json["animations"][0]["name"] = "Be\nnd\x1b[31m";
  const std::string file = desk.put("odd.glb", b.glb());
  check_refusal(desk, {"control", file, "--clip", "Walk"}, 1, {"Be?nd?[31m"});
  const Outcome table = check_success(desk, {"control", file}, {});
  CHECK_THAT(table.out, Catch::Contains("Be?nd?[31m"));
}

TEST_CASE("Warnings are one line each and errors under strict", "[cli]") {
  const Desk desk;
  const std::string file = broken(desk, [](GltfBuilder& b) {
    b.json["nodes"][1]["rotation"] = {0, 0, 0, 1.5};
    set_float(b, b.primitive(0)["attributes"]["WEIGHTS_0"], 8, 0.9f);
  });
  const Outcome run = check_success(desk, {"control", file}, {});
  CHECK(lines_of(run.err).size() == 2);
  for (const std::string& line : lines_of(run.err)) CHECK(line.starts_with("pelt: warning: " + file + ": "));
  CHECK_THAT(run.err, Catch::Contains("0.9"));
  check_refusal(desk, {"control", file, "--strict", "-o", desk / "out.glb"}, 2, {file, "--strict"});
  CHECK(run_pelt({"control", file, "--quiet"}).err.empty());
}

TEST_CASE("Another animal is refused with the figures and baked with a warning when forced", "[cli]") {
  const Desk desk;
  GltfBuilder large = two_joint_strip();
  large.json.erase("animations");
  for (const int vertex : {3, 6})
    set_float(large, large.primitive(0)["attributes"]["POSITION"], vertex, 2.5f);
  const std::string artist = desk.put("artist.glb", two_joint_strip().glb());
  const std::string rig = desk.put("rig.glb", large.glb()), out = desk / "out.glb";
  check_refusal(desk, {"bake", artist, rig, "-o", out, "--report", desk / "r.json"}, 3,
                {rig, "mean", "p99", "0.5 %", "2.0 %", "--force"});
  const Outcome forced = check_success(desk, {"bake", artist, rig, "-o", out, "--force"}, {"out.glb"});
  REQUIRE(lines_of(forced.err).size() == 1);
  CHECK(forced.err.starts_with("pelt: warning: " + rig + ": "));
  CHECK_THAT(forced.err, Catch::Contains("p99"));
}

TEST_CASE("A quadruped with a longer neck is another animal", "[cli]") {
  const Desk desk;
  Bytes glb = quadruped("straight-legs");
  std::size_t json_length = 0;
  std::memcpy(&json_length, glb.data() + 12, 4);
  const auto json =
      nlohmann::json::parse(glb.begin() + 20, glb.begin() + 20 + static_cast<std::ptrdiff_t>(json_length));
  const auto& accessor =
      json["accessors"][json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].get<int>()];
  const auto& view = json["bufferViews"][accessor["bufferView"].get<int>()];
  std::uint8_t* position = glb.data() + 28 + json_length + view.value("byteOffset", 0);
  for (std::size_t n = 0; n < accessor["count"].get<std::size_t>(); ++n, position += 12) {
    float xyz[3];
    std::memcpy(xyz, position, sizeof xyz);
    xyz[1] = std::max(xyz[1], 1.5f * xyz[1] - 0.4f);
    std::memcpy(position, xyz, sizeof xyz);
  }
  const std::string artist = desk.put("artist.glb", quadruped("artist")), rig = desk.put("rig.glb", glb);
  check_refusal(desk, {"bake", artist, rig, "-o", desk / "out.glb"}, 3, {rig, "mean", "p99"});
}
