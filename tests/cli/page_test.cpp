// --html of bake and score, and view. Where the program was built without its viewer there is no page to
// test.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "program.h"
#include "tests/file_size_limit.h"
#include "tests/gltf_builder.h"
#include "tests/page/pack_reader.h"

using namespace pelt::test;
using nlohmann::json;

namespace {

/// Artist and rigs; none of them where there is no viewer.
struct Stage : Desk {
  std::string artist = put("artist.glb", quadruped("artist")),
              straight = put("straight.glb", quadruped("straight-legs")),
              scattered = put("scattered.glb", quadruped("scattered"));
  std::string page = *this / "page.html", out = *this / "out.glb";

  bool has_viewer() const {
    const Outcome run = run_pelt({"view", artist, "--html", *this / "probe.html"});
    std::filesystem::remove(*this / "probe.html");
    if (run.err.find("without its viewer") == std::string::npos) return true;
    WARN("skipped: checks of pages (built without the viewer)");
    return false;
  }
};

std::string text_of(const std::string& file) {
  const auto bytes = read_bytes(file);
  return {bytes.begin(), bytes.end()};
}

json json_of(const std::string& file) { return json::parse(text_of(file)); }

/// A report without the entry of each vertex, which pages leave out.
json shown(json report) {
  if (report.contains("matching")) report["matching"].erase("per_vertex");
  for (json& rig : report["rigs"]) rig["matching"].erase("per_vertex");
  if (report["rigs"].is_null()) report.erase("rigs");
  return report;
}

json page_header(const std::string& file) { return read_pack(pack_of(text_of(file), "page")).header; }

}  // namespace

TEST_CASE("A bake writes a page with the figures of its report", "[cli]") {
  const Stage stage;
  if (!stage.has_viewer()) return;
  const std::string report = stage / "report.json";
  check_success(stage,
                {"bake", stage.artist, stage.scattered, "-o", stage.out, "--joints", "free,rotate", "--clip",
                 "Walk", "--html", stage.page, "--report", report},
                {"out.glb", "page.html", "report.json"});
  const json page = page_header(stage.page);
  CHECK(page["kind"] == "bake");
  CHECK(page["report"] == shown(json_of(report)));
  REQUIRE(page["rigs"].size() == 1);
  CHECK(page["rigs"][0]["name"] == "scattered");
  CHECK(page["rigs"][0]["model"] == "artist");
  CHECK(page["report"][json::json_pointer(page["rigs"][0]["entry"])].contains("clips"));
  CHECK(page["report"][json::json_pointer(page["rigs"][0]["control"])]["passed"] == true);
  const json rig = read_pack(pack_of(text_of(stage.page), "rig-0")).header;
  REQUIRE(rig["modes"].size() == 2);
  CHECK(rig["modes"][1]["joints"] == "rotate");
}

TEST_CASE("A score's page has every rig with its row", "[cli]") {
  const Stage stage;
  if (!stage.has_viewer()) return;
  const std::string rows = stage / "rows.jsonl";
  const Arguments score = {"score",  stage.artist, stage.straight, stage.scattered, "--clip",
                           "Gallop", "--rows",     rows,           "--html",        stage.page};
  check_success(stage, score, {"page.html", "rows.jsonl"});
  std::filesystem::remove(stage.page);
  CHECK(run_pelt(score).exit == 0);  // rows are known now, and a page needs the motions all the same
  const json page = page_header(stage.page);
  CHECK(page["kind"] == "score");
  CHECK(page["artists"].size() == 1);
  REQUIRE(page["rigs"].size() == 2);
  for (const json& rig : page["rigs"]) {
    const json& row = page["report"][json::json_pointer(rig["entry"]).parent_pointer()];
    CHECK(row["tool"] == rig["name"]);
    CHECK(page["report"][json::json_pointer(rig["entry"])]["clips"][0]["name"] == "Gallop");
  }
}

TEST_CASE("View measures a baked file as the bake did", "[cli]") {
  const Stage stage;
  if (!stage.has_viewer()) return;
  const std::string baked = stage / "bake.json", viewed = stage / "view.json";
  REQUIRE(run_pelt({"bake", stage.artist, stage.scattered, "-o", stage.out, "--report", baked}).exit == 0);
  check_success(stage, {"view", stage.artist, stage.out, "--html", stage.page, "--report", viewed},
                {"page.html", "view.json"});
  const json bake = json_of(baked), view = json_of(viewed)["rigs"][0];
  REQUIRE(view["clips"].size() == bake["clips"].size());
  for (std::size_t c = 0; c < view["clips"].size(); ++c) {
    const json &a = bake["clips"][c], &b = view["clips"][c];
    CHECK(b["name"] == a["name"]);
    for (const char* figure : {"quality", "quality_in_place", "mean_pct", "rms_pct", "p99_pct", "worst_pct"})
      CHECK(b[figure].get<double>() == Approx(a[figure].get<double>()).epsilon(1e-9));
    for (const char* part : {"between", "joint_travel", "acceleration", "worst", "per_joint"})
      CHECK(b[part].size() == a[part].size());
    CHECK(b["acceleration"]["surface_max"].get<double>() ==
          Approx(a["acceleration"]["surface_max"].get<double>()).epsilon(1e-9));
    CHECK(b["per_frame"].size() == a["per_frame"].size());
    CHECK(b["floor"].is_null());
    CHECK(b["convergence"].is_null());
  }
  CHECK(page_header(stage.page)["report"] == shown(json_of(viewed)));
}

TEST_CASE("View shows a file alone as itself", "[cli]") {
  const Stage stage;
  if (!stage.has_viewer()) return;
  const std::string report = stage / "view.json";
  check_success(stage, {"view", stage.artist, "--html", stage.page, "--report", report},
                {"page.html", "view.json"});
  const json shown = json_of(report);
  for (const json& clip : shown["rigs"][0]["clips"]) CHECK(clip["worst_pct"] < 1e-9);
}

TEST_CASE("A page that cannot be written leaves nothing in the temporary folder", "[cli]") {
  const Stage stage;
  if (!stage.has_viewer()) return;
  const TempFolder temporary;
  const char* before = std::getenv("TMPDIR");
  const std::string old = before ? before : "";
  setenv("TMPDIR", temporary.path().c_str(), 1);
  Outcome run;
  {
    const FileSizeLimit limit(1000);
    run = run_pelt({"view", stage.artist});
  }
  before ? setenv("TMPDIR", old.c_str(), 1) : unsetenv("TMPDIR");
  CHECK(run.exit == 4);
  CHECK_THAT(run.err, Catch::Contains("cannot be written"));
  CHECK(temporary.names().empty());
}

TEST_CASE("Wrong uses of pages are told", "[cli]") {
  const Stage stage;
  check_refusal(stage, {"view"}, 1, {"FILE"});
  check_refusal(stage, {"view", stage / "none.glb", "--html", stage.page}, stage.has_viewer() ? 2 : 1,
                {"pelt"});
  if (!stage.has_viewer()) return;
  const Arguments bake = {"bake", stage.artist, stage.straight, "-o", stage.out};
  const auto refused = [&](Arguments arguments, const Arguments& more, int code,
                           const std::vector<std::string>& words) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_refusal(stage, arguments, code, words);
  };
  refused(bake, {"--html", stage.artist}, 1, {"artist.glb", "overwrite"});
  refused(bake, {"--html", stage.out}, 1, {"out.glb", "overwrite"});
  refused(bake, {"--html", stage.page, "--report", stage.page}, 1, {"page.html", "overwrite"});
  refused(bake, {"--html", stage / "nowhere/page.html"}, 4, {"nowhere"});
  refused({"score", stage.artist, stage.straight}, {"--html", stage.straight}, 1,
          {"straight.glb", "overwrite"});
  refused({"view", stage.artist, stage.straight}, {"--html", stage.page}, 1,
          {"straight.glb", "no clip", "Walk"});
  refused({"view", stage.artist, stage.artist}, {"--html", stage.page, "--clip", "Trot"}, 1, {"Trot"});
}
