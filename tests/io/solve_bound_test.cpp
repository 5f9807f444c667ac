// What a small file may make a solve take.
#include "io/solve_bound.h"

#include <catch2/catch.hpp>

#include "io/bake.h"
#include "io/io_error.h"
#include "tests/fixtures.h"
#include "tests/gltf_builder.h"
#include "tests/temp_folder.h"

using namespace pelt;
using namespace pelt::test;

namespace {

struct Plan {
  int joints = 4, together = 4;  ///< so many joints hold each vertex
  int keys = 2;
};

/// A file of joints without parents, a strip of eight vertices held by the first of them, and a clip that
/// moves one.
GltfBuilder builder_of(const Plan& plan) {
  GltfBuilder b;
  std::vector<int> joints;
  for (int j = 0; j < plan.joints; ++j) joints.push_back(b.add_node(""));
  Eigen::Matrix3Xd points(3, 8);
  Random random;
  for (int v = 0; v < 8; ++v)  // a shape for each number of joints
    points.col(v) = random.vector(v % 2 ? 1 : plan.joints);
  Eigen::MatrixXd slots(4, 8);
  nlohmann::ordered_json attributes = {{"POSITION", b.add_accessor(points)}};
  for (int set = 0; 4 * set < plan.together; ++set) {
    for (int slot = 0; slot < 4; ++slot) slots.row(slot).setConstant(4 * set + slot);
    attributes["JOINTS_" + std::to_string(set)] = b.add_accessor(slots, {.component = Component::u16});
    attributes["WEIGHTS_" + std::to_string(set)] = b.add_accessor(
        Eigen::MatrixXd::Constant(4, 8, 1.0), {.component = Component::u8, .normalized = true});
  }
  const int mesh = b.add_mesh(attributes);
  b.primitive(mesh)["mode"] = 5;
  b.add_node("strip", -1, {{"mesh", mesh}, {"skin", b.add_skin(joints)}});
  std::vector<double> times;
  for (int k = 0; k < plan.keys; ++k) times.push_back(k / 32.0);
  Eigen::MatrixXd way(3, plan.keys);
  for (int k = 0; k < plan.keys; ++k) way.col(k) = random.vector(0.1);
  b.add_channel(b.add_animation("Move"), 0, "translation", times, way);
  CHECK(b.glb().size() < 1 << 20);
  return b;
}

RigFile file_of(const Plan& plan) { return make_rig_file(builder_of(plan).document("small.glb")); }

/// What the control says of it; "" where it runs.
std::string refusal(const RigFile& file, const TransferSettings& settings = {}) {
  try {
    run_control(file, {0}, 1, settings);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("files of one size may ask for so much") {
  CHECK(justified_bytes(0) == 400 << 20);
  CHECK(justified_bytes(1 << 20) == 400 << 20);
  CHECK(justified_bytes(std::size_t{10} << 20) == std::size_t{4000} << 20);
}

TEST_CASE("a small file whose vertices hang on very many joints is refused") {
  const RigFile file = file_of({.joints = 600, .together = 600});
  CHECK_THROWS_AS(run_control(file, {0}, 1, {}), ReadError);
  CHECK_THAT(refusal(file), Catch::StartsWith("small.glb: skins: solving 600 joints") &&
                                Catch::Contains("more than 400 MiB of memory, what files of") &&
                                Catch::EndsWith("bytes may ask for"));
}

// They do not correspond either, which would be said else.
TEST_CASE("a bake refuses such a file before it looks for the match") {
  const TempFolder folder;
  write_bytes(folder / "artist.glb", builder_of({}).glb());
  write_bytes(folder / "rig.glb", builder_of({.joints = 600, .together = 600}).glb());
  BakeOptions options;
  options.artist = folder / "artist.glb", options.rig = folder / "rig.glb",
  options.output = folder / "out.glb";
  CHECK_THROWS_WITH(bake(options), Catch::Contains("rig.glb: skins: solving 600 joints"));
  CHECK_FALSE(std::filesystem::exists(folder / "out.glb"));
}

TEST_CASE("a small file with very many frames of very many joints is refused") {
  const RigFile file = file_of({.joints = 600, .keys = 1000});
  CHECK_THROWS_AS(run_control(file, {0}, 1, {}), ReadError);
  CHECK_THAT(refusal(file), Catch::StartsWith("small.glb: animations: solving 1000 frames of 600 joints would"
                                              " take more than 400 MiB"));
}

TEST_CASE("a small file that draws very many vertices is refused") {
  RigFile file = file_of({});
  Eigen::Matrix3Xd& points = file.rig.rig.rest_point;
  file.rig.rig.joint.resize(5000000, 0);
  points.conservativeResize(3, 5000000);
  CHECK_THAT(refusal(file),
             Catch::StartsWith("small.glb: meshes: solving 8 vertices with 5000000 influences"));
}

TEST_CASE("frames that the user asks for are bounded alike for all files, and the message says so") {
  const RigFile file = file_of({.joints = 600, .keys = 161});  // 5 s
  TransferSettings settings;
  settings.fps = 4000;
  CHECK_THROWS_AS(run_control(file, {0}, 1, settings), UsageError);
  CHECK_THAT(refusal(file, settings), Catch::Contains("20001 frames of 600 joints") &&
                                          Catch::EndsWith("ask for fewer frames per second"));
}

TEST_CASE("a small file of as many joints and frames as such files have is solved") {
  CHECK(refusal(file_of({.joints = 60, .together = 60, .keys = 8})) == "");
}
