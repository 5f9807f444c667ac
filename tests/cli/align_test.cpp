#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "program.h"

using namespace pelt::test;
using Catch::Contains;

TEST_CASE("What --align found is told in table and report") {
  const Desk desk;
  const std::string artist = desk.put("artist.glb", quadruped("artist")),
                    rig = desk.put("rig.glb", quadruped("straight-legs")),
                    file = desk.put("place.json",
                                    R"({"artist_from_rig": [[1,0,0,0.01],[0,1,0,0],[0,0,1,0],[0,0,0,1]]})");
  const Arguments bake = {"bake",   artist, rig,        "-o",           desk / "out.glb",
                          "--clip", "Walk", "--report", desk / "r.json"};
  const auto run = [&](const std::string& align) {
    Arguments all = bake;
    all.insert(all.end(), {"--align", align});
    const Outcome outcome = run_pelt(all);
    REQUIRE(outcome.exit == 0);
    const auto bytes = desk.contents().at("r.json");
    return std::pair(outcome.out, nlohmann::ordered_json::parse(bytes));
  };
  const auto [plain, plain_report] = run("auto");
  CHECK_THAT(plain, !Contains("aligned:"));
  CHECK(plain_report["settings"]["align"] == "auto");
  CHECK(plain_report["matching"]["mirrored"] == false);
  CHECK(plain_report["matching"]["scale"] == 1.0);
  CHECK(plain_report["matching"]["uncovered_artist_pct"] == 0.0);
  const auto& plain_vertices = plain_report["matching"]["per_vertex"];
  const std::string all_coincide(plain_vertices["gap_pct"].size(), 'c');
  CHECK(all_coincide.size() > 1000);
  CHECK(plain_vertices["match"] == all_coincide);
  CHECK(plain_vertices["gap_pct"][0] == 0.0);
  CHECK(run("none").second["settings"]["align"] == "none");
  const auto [given, given_report] = run(file);
  CHECK_THAT(given, Contains("aligned: the rig turned by 0 degrees, scaled by 1 and moved by (0.01, 0, 0)"));
  CHECK(given_report["settings"]["align"] == file);
  const auto& vertices = given_report["matching"]["per_vertex"];
  double most = 0;
  for (const auto& gap : vertices["gap_pct"]) most = std::max(most, gap.get<double>());
  CHECK(most <= 1 / given_report["diag"].get<double>() + 1e-4);  // moved by a hundredth, in %
  CHECK(most > 0.9 / given_report["diag"].get<double>());
  CHECK(vertices["match"].get<std::string>().find('s') != std::string::npos);
  CHECK(given_report["matching"]["artist_from_rig"][0] == nlohmann::ordered_json({1.0, 0.0, 0.0, 0.01}));
}

TEST_CASE("A file for --align that holds no similarity is refused") {
  const Desk desk;
  const std::string artist = desk.put("artist.glb", quadruped("artist")),
                    rig = desk.put("rig.glb", quadruped("straight-legs")),
                    file = desk.put("bad.json",
                                    R"({"artist_from_rig": [[1,0,0,0],[0,2,0,0],[0,0,1,0],[0,0,0,1]]})");
  check_refusal(desk, {"bake", artist, rig, "-o", desk / "out.glb", "--align", file}, 2,
                {"bad.json", "artist_from_rig", "similarity"});
  check_refusal(desk, {"bake", artist, rig, "-o", desk / "out.glb", "--align", desk / "none.json"}, 2,
                {"none.json", "no such file"});
  check_refusal(desk, {"bake", artist, rig, "-o", desk / "out.glb", "--align", file, "--report", file}, 1,
                {"bad.json", "overwrite"});
}
