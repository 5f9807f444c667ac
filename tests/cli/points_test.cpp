// Vertex animations as the artist's clips.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "program.h"
#include "tests/gltf_builder.h"
#include "tests/io/point_files.h"
#include "tests/io/reading.h"

using namespace pelt::test;

namespace {

/// The strip of two_joint_strip() as an OBJ mesh, and points that shift it by one in z within a second.
struct Strip : Desk {
  std::string rig, mesh, mdd, out;

  Strip() {
    const GltfBuilder strip = two_joint_strip();
    const pelt::Scene scene = read(strip);
    const Eigen::Matrix3Xd& points = scene.parts.at(0).positions;
    const Frames frames{points, points.colwise() + Eigen::Vector3d::UnitZ()};
    rig = put("rig.glb", strip_without_clip());
    mesh = put("strip.obj", obj_of(points, scene.triangles));
    mdd = put("Shift.mdd", mdd_of(frames, {0, 1}));
    put("Shift.pc2", pc2_of(frames, 0, 12));
    for (int f = 0; f < 2; ++f)
      put("Shift_" + std::to_string(f) + ".obj", obj_of(frames[f], scene.triangles));
    out = *this / "out.glb";
  }
  nlohmann::json report() const {
    const auto bytes = read_bytes(*this / "report.json");
    return nlohmann::json::parse(bytes.begin(), bytes.end());
  }
};

}  // namespace

TEST_CASE("Point clips are baked and the missing control is told, never as passed", "[cli]") {
  const Strip strip;
  const Outcome run = check_success(strip,
                                    {"bake", strip.mesh, strip.rig, "-o", strip.out, "--points", strip.mdd,
                                     "--report", strip / "report.json"},
                                    {"out.glb", "report.json"});
  CHECK(run.err.empty());
  CHECK_THAT(run.out, Catch::Contains("\ncontrol: none, the artist's surface is moved by no joints\n"));
  CHECK_THAT(run.out, Catch::Contains(strip.mdd + ": 2 frames of 4 points, taken as y up\n"));
  CHECK_THAT(run.out, !Catch::Contains("passed"));
  const nlohmann::json report = strip.report();
  CHECK(report["control"] ==
        nlohmann::json{{"passed", nullptr}, {"none", "the artist's surface is moved by no joints"}});
  CHECK(report["points"] ==
        nlohmann::json{
            {{"file", strip.mdd}, {"frames", 2}, {"points", 4}, {"up", "y"}, {"vertices_by", "order"}}});
  REQUIRE(report["clips"].size() == 1);
  CHECK(report["clips"][0]["name"] == "Shift");
  CHECK(report["clips"][0]["duration_s"] == 1);
  CHECK(report["clips"][0]["worst_pct"] < 1e-4);
}

TEST_CASE("Every format of points is baked in one run and --points-fps gives their times", "[cli]") {
  const Strip strip;
  check_success(strip,
                {"bake", strip.mesh, strip.rig, "-o", strip.out, "--points", strip.mdd, "--points",
                 strip / "Shift.pc2", "--points", strip / "Shift_0.obj", "--points-fps", "6", "--points-up",
                 "y", "--report", strip / "report.json", "--quiet"},
                {"out.glb", "report.json"});
  const nlohmann::json report = strip.report();
  std::vector<double> ends;
  for (const auto& clip : report["clips"]) {
    ends.push_back(clip["duration_s"]);
    CHECK(clip["worst_pct"] < 1e-4);
  }
  REQUIRE(ends.size() == 3);
  CHECK(ends[0] == 1);
  CHECK(ends[1] == 2);  // twelve frames a sample
  CHECK(ends[2] == Approx(1 / 6.0));
  CHECK(report["settings"]["points_fps"] == 6);
}

TEST_CASE("Wrong uses of point clips are told", "[cli]") {
  const Strip strip;
  const auto refused = [&](Arguments arguments, int code, const std::vector<std::string>& words) {
    arguments.insert(arguments.begin(), {"bake", strip.mesh, strip.rig, "-o", strip.out});
    check_refusal(strip, arguments, code, words);
  };
  refused({}, 1, {strip.mesh, "does not move", "--points"});
  refused({"--points-fps", "30"}, 1, {"--points"});
  refused({"--points", strip.mdd, "--points-fps", "0"}, 1, {"number above 0"});
  refused({"--points", strip.mdd, "--points-up", "x"}, 1, {"points-up"});
  refused({"--points", strip.mdd, "--clip", "Walk"}, 1, {"no clip 'Walk'", "Shift"});
  refused({"--points", strip.mdd, "--report", strip.mdd}, 1, {strip.mdd, "overwrite"});
  refused({"--points", strip / "Shift_0.obj", "--report", strip / "Shift_1.obj"}, 1,
          {"Shift_1.obj", "report"});
  refused({"--points", strip.put("a.abc", std::string("x"))}, 1, {"a.abc", ".mdd"});
  refused({"--points", strip / "none.mdd"}, 2, {"none.mdd", "no such file"});
  refused({"--points", strip.put("cut.mdd", Bytes(40, 0))}, 2, {"cut.mdd", "0 frames of 0 points"});
  check_refusal(strip, {"control", strip.mesh}, 2, {strip.mesh, "not glTF"});
}
