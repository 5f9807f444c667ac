// The page, its JSON, and vertex positions, as users get them.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.h"
#include "tests/gltf_builder.h"

using namespace pelt::test;

namespace {

/// The numbers of a .npy file, checked to be little-endian doubles of this shape.
std::vector<double> numbers_of(const std::string& path, const std::string& shape) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  const std::string text(bytes.begin(), bytes.end());
  REQUIRE(text.starts_with(std::string("\x93NUMPY\x01\x00", 8)));
  const std::size_t first = 10 + bytes[8] + 256u * bytes[9];
  CHECK(first % 64 == 0);
  CHECK_THAT(text.substr(10, first - 10), Catch::Contains("'<f8'") && Catch::Contains("False") &&
                                              Catch::Contains("(" + shape + ")") && Catch::EndsWith("\n"));
  std::vector<double> numbers((bytes.size() - first) / 8);
  std::memcpy(numbers.data(), bytes.data() + first, 8 * numbers.size());
  return numbers;
}

void check_numbers(const std::vector<double>& numbers, const std::vector<double>& expected) {
  REQUIRE(numbers.size() == expected.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    INFO(i);
    CHECK(std::abs(numbers[i] - expected[i]) < 1e-7);  // the file's rotation is a float
  }
}

const std::vector<double> strip_at_rest{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

/// The strip's tip turned by an angle about (0, 1, 0).
std::vector<double> strip_turned(double degrees) {
  const double angle = degrees * std::acos(-1.0) / 180;
  return {0, 0, 0, 1, 0, 0, std::cos(angle), 1 + std::sin(angle), 0, 0, 1, 0};
}

}  // namespace

TEST_CASE("Inspect writes vertex positions at rest and at times of a clip", "[cli]") {
  const Desk desk;
  GltfBuilder b = two_joint_strip();
  b.json["animations"][0]["name"] = "Rig|Bend@home";
  const std::string file = desk.put("it.glb", b.glb());
  const Outcome run =
      check_success(desk,
                    {"inspect", file, "--positions", "rest", desk / "rest.npy", "--positions",
                     "Bend@home@0.5,1,7", desk / "bend.npy", "--positions", "#0@0", desk / "0.npy"},
                    {"rest.npy", "bend.npy", "0.npy"});
  CHECK(run.out.empty());
  check_numbers(numbers_of(desk / "rest.npy", "1, 4, 3"), strip_at_rest);
  check_numbers(numbers_of(desk / "0.npy", "1, 4, 3"), strip_at_rest);
  std::vector<double> expected = strip_turned(45);
  for (int twice = 0; twice < 2; ++twice)  // behind its end a clip stands still
    for (const double number : strip_turned(90)) expected.push_back(number);
  check_numbers(numbers_of(desk / "bend.npy", "3, 4, 3"), expected);
}

TEST_CASE("Inspect writes an OBJ with triangles", "[cli]") {
  const Desk desk;
  const std::string file = desk.put("it.glb", two_joint_strip().glb());
  check_success(desk, {"inspect", file, "--positions", "Bend@1", desk / "it.obj"}, {"it.obj"});
  const std::vector<std::uint8_t> bytes = read_bytes(desk / "it.obj");
  const std::vector<std::string> lines = lines_of({bytes.begin(), bytes.end()});
  REQUIRE(lines.size() == 6);
  std::vector<double> numbers;
  for (int v = 0; v < 4; ++v) {
    std::istringstream line(lines[v]);
    std::string letter;
    double x = 0, y = 0, z = 0;
    REQUIRE(line >> letter >> x >> y >> z);
    CHECK(letter == "v");
    numbers.insert(numbers.end(), {x, y, z});
  }
  check_numbers(numbers, strip_turned(90));
  CHECK(lines[4] == "f 1 2 3");
  CHECK(lines[5] == "f 1 3 4");
}

TEST_CASE("Vertices come by node, then by primitive", "[cli]") {
  const Desk desk;
  GltfBuilder b;
  const auto triangle = [&](double x) {
    Eigen::Matrix3Xd points = Eigen::Matrix3Xd::Zero(3, 3);
    points.row(0).setConstant(x);
    return b.add_accessor(points);
  };
  const int first = b.add_mesh({{"POSITION", triangle(1)}}), second = b.add_mesh({{"POSITION", triangle(2)}});
  nlohmann::ordered_json more = b.primitive(second);
  more["attributes"]["POSITION"] = triangle(3);
  b.json["meshes"][second]["primitives"].push_back(more);
  const int parent = b.add_node("late", -1, {{"mesh", second}});
  b.add_node("early", parent, {{"mesh", first}});
  b.json["scenes"][0]["nodes"] = {parent};
  const std::string file = desk.put("it.glb", b.glb());
  check_success(desk, {"inspect", file, "--positions", "rest", desk / "it.npy"}, {"it.npy"});
  const std::vector<double> numbers = numbers_of(desk / "it.npy", "1, 9, 3");
  for (int v = 0; v < 9; ++v) CHECK(numbers[3 * v] == (v < 3 ? 2 : v < 6 ? 3 : 1));
}

TEST_CASE("Positions that make no sense are refused and nothing is written", "[cli]") {
  const Desk desk;
  const std::string file = desk.put("it.glb", two_joint_strip().glb()), out = desk / "out.npy";
  const auto refuse = [&](const std::string& what, const std::string& to, int code,
                          const std::vector<std::string>& words) {
    // the sound one before it must not appear either
    check_refusal(desk, {"inspect", file, "--positions", "rest", desk / "sound.npy", "--positions", what, to},
                  code, words);
  };
  refuse("Run@1", out, 1, {"Run", "Bend"});
  refuse("Bend", out, 1, {"Bend", "rest"});
  for (const char* time : {"Bend@", "Bend@x", "Bend@-1", "Bend@nan", "Bend@1,,2", "Bend@1,", "Bend@1e999"})
    refuse(time, out, 1, {"not a number from 0"});
  refuse("rest", desk / "out.txt", 1, {"out.txt", ".npy"});
  refuse("Bend@0,1", desk / "out.obj", 1, {"out.obj", "one time"});
  refuse("rest", desk / "sound.npy", 1, {"sound.npy", "twice"});
  refuse("rest", desk / "none/out.npy", 4, {"none/out.npy"});
  check_refusal(desk, {"inspect", file, "--positions", "rest"}, 1, {"--positions"});
  check_refusal(desk, {"inspect", file, "--json", "--positions", "rest", out}, 1, {"--positions"});
  const std::string odd = desk.put("it.npy", two_joint_strip().glb());
  check_refusal(desk, {"inspect", odd, "--positions", "rest", odd}, 1, {"input"});
}

TEST_CASE("Inspect prints what a file holds", "[cli]") {
  const Desk desk;
  const std::string file = desk.put("it.glb", two_joint_strip().glb());
  const Outcome run = check_success(desk, {"inspect", file}, {});
  CHECK(run.err.empty());
  CHECK(
      lines_of(run.out) ==
      std::vector<std::string>{
          "file        " + file, "meshes      1, 2 triangles", "vertices    4",
          "influences  at most 1 a vertex, 1 set",
          "skin 0      2 joints: 2 with weights, 0 without; rest is off bind by mean 0 %, at most 0 %",
          "clips       #0 Bend: 1.00 s, 1 keys/s", "extensions  -",
          "size        1 x 1 x 0 (a guess: unit box)", "stance      up unclear, facing unclear (a guess)",
          "weight sums all 1",
          // the corner at (1, 0) hangs on a bone at x = 0; it has a third of one of the two triangles
          "rig         0 weight islands, 1.00 influences a vertex, 16.7 % of the surface far from its bones",
          "legs        none found"});
}

TEST_CASE("Inspect tells how legs bend", "[cli]") {
  const Desk desk;
  const Outcome straight = run_pelt({"inspect", desk.put("straight.glb", quadruped("straight-legs"))});
  CHECK_THAT(straight.out, Catch::Contains("legs        bend at rest, degrees: ") &&
                               Catch::Contains(" 0.0, ") && Catch::Contains("symmetric, to ") &&
                               Catch::Contains("; turning joints alone cannot bend them\n"));
  const Outcome bent = run_pelt({"inspect", desk.put("artist.glb", quadruped("artist"))});
  CHECK_THAT(bent.out, Catch::Contains("; turning joints can bend them\n"));
}

TEST_CASE("Inspect tells what is odd, why, and what to do", "[cli]") {
  const Desk desk;
  GltfBuilder b = two_joint_strip();
  b.json["animations"][0]["channels"][0]["target"]["node"] = b.add_node("con\ntrol");
  const Outcome run = check_success(desk, {"inspect", desk.put("it.glb", b.glb())}, {});
  const std::vector<std::string> lines = lines_of(run.out);
  REQUIRE(lines.size() == 15);
  CHECK_THAT(lines[12],
             Catch::StartsWith("warning     animations[0] 'Bend'") && Catch::Contains("nodes[3] 'con?trol'"));
  CHECK(lines[13].starts_with("            likely: "));
  CHECK(lines[14].starts_with("            cure: "));
}

TEST_CASE("Inspect tells what it can of a file that cannot be read, and exits with 2", "[cli]") {
  const Desk desk;
  GltfBuilder b = two_joint_strip();
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"EXT_other"};
  const std::string file = desk.put("other.glb", b.glb());
  const Outcome run = run_pelt({"inspect", file});
  CHECK(run.exit == 2);
  CHECK_THAT(run.out, Catch::Contains("vertices    4\n") && Catch::Contains("EXT_other (required)\n") &&
                          Catch::Contains("unreadable  " + file) && Catch::Contains("cure: "));
  CHECK(lines_of(run.err).size() == 1);
  CHECK_THAT(run.err, Catch::StartsWith("pelt: " + file) && Catch::Contains("EXT_other"));

  const Outcome json = run_pelt({"inspect", file, "--json"});
  CHECK(json.exit == 2);
  const auto report = nlohmann::json::parse(json.out);
  CHECK(report["readable"] == false);
  CHECK(report["vertices"] == 4);
  CHECK(report["unreadable"]["check"] == "unsupported-extension");
  CHECK(report["rig_health"].is_null());
}

TEST_CASE("Inspect gives the same as one JSON object", "[cli]") {
  const Desk desk;
  GltfBuilder b = two_joint_strip();
  b.json["nodes"][2]["scale"] = {2, 2, 2};
  b.json["nodes"][1]["translation"] = {0, 1.5, 0};
  const Outcome run = check_success(desk, {"inspect", "--json", desk.put("it.glb", b.glb())}, {});
  const auto report = nlohmann::json::parse(run.out);
  CHECK(report["readable"] == true);
  CHECK(report["unreadable"].is_null());
  CHECK(report["skins"][0]["joints_with_weights"] == 2);
  CHECK(report["skins"][0]["most_influences"] == 1);
  CHECK(report["rig_health"]["joints"] == 2);
  CHECK(report["rig_health"]["legs"].empty());
  CHECK(report["rig_health"]["symmetric"].is_null());
  CHECK(report["clips"][0]["name"] == "Bend");
  CHECK(report["clips"][0]["end_s"] == 1);
  CHECK(report["clips"][0]["keys_per_s"] == 1);
  CHECK(report["weight_sums"]["off"] == 0);
  CHECK(report["surface"]["size"] == nlohmann::json({1, 1.5, 0}));
  // the upper half of the strip is 0.5 above its bind position, the lower one on it
  const double diag = std::sqrt(1 + 1.5 * 1.5);
  CHECK(report["skins"][0]["rest_from_bind_max_pct"].get<double>() == Approx(100 * 0.5 / diag));
  CHECK(report["skins"][0]["rest_from_bind_mean_pct"].get<double>() == Approx(50 * 0.5 / diag));
  REQUIRE(report["warnings"].size() == 1);
  CHECK(report["warnings"][0]["check"] == "mesh-node-transform");
  CHECK(report["warnings"][0]["note"] == true);
}
