// What the program prints, reports and writes when it works, and the gates (exit code 5).
#include <catch2/catch.hpp>
#include <cmath>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "io/gltf_reader.h"
#include "program.h"
#include "tests/gltf_builder.h"

using namespace pelt::test;
using nlohmann::json;

namespace {

/// The quadruped's artist and its straight-legged rig; the report of one bake, made once.
struct Quadrupeds : Desk {
  std::string artist = put("artist.glb", quadruped("artist"));
  std::string rig = put("rig.glb", quadruped("straight-legs"));
  std::string output = *this / "out.glb", report = *this / "r.json";

  Arguments bake(const Arguments& more = {}) const {
    Arguments arguments{"bake", artist, rig, "-o", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

json parsed(const std::string& path) {
  const auto bytes = read_bytes(path);
  return json::parse(bytes.begin(), bytes.end());
}

/// Cells of the table's rows by column, under the name in the first; `names` in the order of the rows.
struct Table {
  std::vector<std::string> before, names;
  std::map<std::string, std::map<std::string, std::string>> cells;
};

std::vector<std::string> split(const std::string& line) {
  static const std::regex gap(" {2,}");
  return {std::sregex_token_iterator(line.begin(), line.end(), gap, -1), {}};
}

Table table_of(const std::string& text) {
  Table table;
  std::vector<std::string> columns;
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> row = split(line);
    if (row.front() == "clip")
      columns = row;
    else if (columns.empty())
      table.before.push_back(line);
    else if (row.size() >= columns.size()) {
      table.names.push_back(row.front());
      for (std::size_t c = 0; c < columns.size(); ++c) table.cells[row.front()][columns[c]] = row[c];
    }
  }
  return table;
}

/// The cell must be the number, rounded to the digits that are shown.
void check_cell(const std::string& cell, const json& number) {
  INFO(cell << " for " << number);
  const std::size_t point = cell.find('.'), e = cell.find('e');
  const double unit = std::pow(10.0, -static_cast<double>(std::min(e, cell.size()) - point - 1)) *
                      (e == std::string::npos ? 1 : std::pow(10.0, std::stod(cell.substr(e + 1))));
  CHECK(std::stod(cell) == Approx(number.get<double>()).margin(0.501 * unit).epsilon(1e-12));
}

void check_row(std::map<std::string, std::string> cells, const json& clip) {
  CHECK(cells["keys"] == std::to_string(clip["keys"].get<int>()));
  check_cell(cells["quality"], clip["quality"]);
  check_cell(cells["in place"], clip["quality_in_place"]);
  check_cell(cells["mean"], clip["mean_pct"]);
  check_cell(cells["RMS"], clip["rms_pct"]);
  check_cell(cells["p95"], clip["p95_pct"]);
  check_cell(cells["p99"], clip["p99_pct"]);
  check_cell(cells["worst"], clip["worst_pct"]);
  check_cell(cells["between"], clip["between"]["rms_pct"]);
  check_cell(cells["floor"], clip["floor"]["quality"]);
  check_cell(cells["travel"], clip["joint_travel"]["mean_pct"]);
  check_cell(cells["accel"], clip["acceleration"]["ratio"]);
}

/// Keys of an object that a table of docs/report.md names, in the order of the tables.
std::vector<std::vector<std::string>> documented_keys() {
  std::vector<std::vector<std::string>> tables;
  std::vector<std::string> lines;
  const auto bytes = read_bytes(std::string(PELT_SOURCE_DIR) + "/docs/report.md");
  static const std::regex quoted("`([a-z_]+)`");
  for (const std::string& line : lines_of({bytes.begin(), bytes.end()})) {
    if (line.starts_with("| key")) tables.emplace_back();
    if (!line.starts_with("| `")) continue;
    const std::string cell = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator key(cell.begin(), cell.end(), quoted), end; key != end; ++key)
      tables.back().push_back((*key)[1]);
  }
  return tables;
}

/// A strip a million units from the joint that turns it: a float quaternion then places it to 0.1 units at
/// best, which is more than the control allows.
GltfBuilder far_strip() {
  GltfBuilder b = two_joint_strip();
  Eigen::MatrixXd positions(3, 4), turns(4, 3);
  positions << 1e6, 1e6 + 1, 1e6, 1e6 + 1, 0, 0, 1, 1, 0, 0, 0, 0;
  b.primitive(0)["attributes"]["POSITION"] = b.add_accessor(positions);
  for (int k = 0; k < 3; ++k)
    turns.col(k) << 0.6 * std::sin(0.2 * k), 0, 0.8 * std::sin(0.2 * k), std::cos(0.2 * k);
  b.add_channel(0, 0, "rotation", {0, 0.5, 1}, turns);
  return b;
}

}  // namespace

TEST_CASE("The table has the control first and a row a clip that agrees with the report", "[cli]") {
  const Quadrupeds desk;
  const Outcome run = check_success(desk, desk.bake({"--report", desk.report}), {"out.glb", "r.json"});
  CHECK(run.err.empty());
  const Table table = table_of(run.out);
  REQUIRE(table.names == std::vector<std::string>{"control", "Walk", "Gallop"});
  REQUIRE(table.before.size() == 2);
  CHECK_THAT(table.before[0], Catch::Contains(desk.artist) && Catch::Contains(" onto " + desk.rig));
  CHECK(table.before[1] == "control: passed");
  const json report = parsed(desk.report);
  for (const json& clip : report["clips"]) check_row(table.cells.at(clip["name"]), clip);
  auto control = table.cells.at("control");
  check_cell(control["mean"], report["control"]["mean_pct"]);
  check_cell(control["worst"], report["control"]["worst_pct"]);
}

TEST_CASE("The report has the keys of its manual and the paths and options that were given", "[cli]") {
  const Quadrupeds desk;
  check_success(desk, desk.bake({"--report", desk.report, "--fps", "12", "--weighting", "uniform"}),
                {"out.glb", "r.json"});
  const json report = parsed(desk.report);
  const auto tables = documented_keys();
  REQUIRE(tables.size() == 2);
  for (const std::string& key : tables[0]) CHECK(report.contains(key));
  for (const json* clips : {&report["clips"], &report["control"]["clips"]}) {
    REQUIRE(clips->size() == 2);
    for (const json& clip : *clips)
      for (const std::string& key : tables[1]) CHECK(clip.contains(key));
  }
  CHECK(report["artist"] == desk.artist);
  CHECK(report["rig"] == desk.rig);
  CHECK(report["output"] == desk.output);
  CHECK(report["settings"]["fps"] == 12);
  CHECK(report["settings"]["weighting"] == "uniform");
  CHECK(report["clips"][0]["keys"] == 13);  // Walk lasts a second
  CHECK(report["clips"][0]["per_frame"].size() == 13);
}

TEST_CASE("Keys that are left out and weights that are cut are told above the table and in the report",
          "[cli]") {
  const Quadrupeds desk;
  check_success(desk, desk.bake({"--quiet", "--fps", "60"}), {"out.glb"});
  const auto size = read_bytes(desk.output).size();
  const Outcome run = check_success(
      desk,
      desk.bake({"--fps", "60", "--report", desk.report, "--key-tolerance", "0.5", "--max-influences", "1"}),
      {"out.glb", "r.json"});
  const Table table = table_of(run.out);
  CHECK(table.names ==
        std::vector<std::string>{"control", "Walk", "Walk, all weights", "Gallop", "Gallop, all weights"});
  const json report = parsed(desk.report);
  CHECK(report["settings"]["key_tolerance_pct"] == 0.5);
  CHECK(report["settings"]["max_influences"] == 1);
  CHECK(report["file_bytes"]["after"] == read_bytes(desk.output).size());
  CHECK(report["file_bytes"]["before"] == size);
  int before = 0, after = 0;
  for (const json& clip : report["clips"]) {
    const json& thinning = clip["thinning"];
    before += thinning["keys_before"].get<int>(), after += thinning["keys_after"].get<int>();
    CHECK(thinning["bytes_after"] < thinning["bytes_before"]);
    CHECK(thinning["deviation_pct"] <= 0.5);
    CHECK(clip["all_influences"]["quality"] > clip["quality"]);
    check_row(table.cells.at(clip["name"]), clip);
    const std::string all = clip["name"].get<std::string>() + ", all weights";
    check_cell(table.cells.at(all).at("quality"), clip["all_influences"]["quality"]);
    check_cell(table.cells.at(all).at("RMS"), clip["all_influences"]["rms_pct"]);
  }
  CHECK(after < before);
  REQUIRE(table.before.size() == 4);
  CHECK_THAT(table.before[2],
             Catch::Contains(std::to_string(report["influences"]["cut"].get<int>()) + " of " +
                             std::to_string(report["influences"]["vertices"].get<int>()) +
                             " vertices have more than 1 influence "));
  CHECK_THAT(table.before[3],
             Catch::Contains("keys: " + std::to_string(after) + " of " + std::to_string(before)));
  for (const json& clip : report["control"]["clips"]) CHECK(clip["thinning"].is_null());
  const Outcome none = check_success(desk, desk.bake({"--max-influences", "99"}), {"out.glb"});
  CHECK_THAT(none.out, Catch::Contains("influences: no vertex has more than 99 influences\n"));
  CHECK(table_of(none.out).names == std::vector<std::string>{"control", "Walk", "Gallop"});
}

TEST_CASE("Modes that are compared have rows, a line and a place in the report", "[cli]") {
  const Quadrupeds desk;
  const Arguments gate{"--joints", "free,rotate,stretch", "--stretch",     "0.5",
                       "--report", desk.report,           "--min-quality", "80"};  // which rotate misses
  const Outcome run = check_success(desk, desk.bake(gate), {"out.glb", "r.json"});
  const Table table = table_of(run.out);
  CHECK(table.names == std::vector<std::string>{"control", "Walk", "Walk, rotate", "Walk, stretch", "Gallop",
                                                "Gallop, rotate", "Gallop, stretch"});
  const json report = parsed(desk.report);
  CHECK(report["settings"]["joints"] == json{"free", "rotate", "stretch"});
  CHECK(report["settings"]["stretch"] == 0.5);
  REQUIRE(report["modes"].size() == 2);
  REQUIRE(table.before.size() == 4);
  for (int m = 0; m < 2; ++m) {
    const json& mode = report["modes"][m];
    const std::string name = mode["joints"];
    double gain = 0;
    for (int c = 0; c < 2; ++c) {
      const json& clip = mode["clips"][c];
      check_row(table.cells.at(clip["name"].get<std::string>() + ", " + name), clip);
      gain += (clip["quality"].get<double>() - report["clips"][c]["quality"].get<double>()) / 2;
    }
    char mean[32];
    std::snprintf(mean, sizeof mean, "quality %+.2f on average", gain);
    CHECK_THAT(table.before[2 + m],
               Catch::StartsWith("joints: " + name + " against free") && Catch::Contains(mean));
  }
  CHECK(report["modes"][0]["clips"][0]["quality"] < 80);
  CHECK(report["modes"][1]["clips"][0]["price"] == 0.5);
  const Outcome one = check_success(desk, desk.bake({"--joints", "rotate"}), {"out.glb"});
  CHECK_THAT(one.out, Catch::Contains("\njoints: rotate\n"));
}

TEST_CASE("The loss is told where it is not squares, and raises the quality", "[cli]") {
  const Quadrupeds desk;
  const auto bake = [&](const std::string& loss) {
    const Outcome run =
        check_success(desk, desk.bake({"--loss", loss, "--report", desk.report}), {"out.glb", "r.json"});
    CHECK((run.out.find("\nloss: distance\n") != std::string::npos) == (loss == "distance"));
    const json report = parsed(desk.report);
    CHECK(report["settings"]["loss"] == loss);
    return report;
  };
  const json squares = bake("squares"), distance = bake("distance");
  for (int c = 0; c < 2; ++c) {
    CHECK(distance["clips"][c]["quality"] > squares["clips"][c]["quality"]);
    CHECK(distance["clips"][c]["rms_pct"] > squares["clips"][c]["rms_pct"]);
    CHECK(distance["clips"][c]["convergence"]["not_converged"] == 0);
  }
  CHECK(distance["control"] == squares["control"]);
}

TEST_CASE("What quality is with the gap counted as error stands above the table where it is another",
          "[cli]") {
  // of 1/3 of the strip the tip turns, by sqrt(2) in a quarter turn, by 1 in a sixth; all of it is off by the
  // height at both keys (tests/io/gap_counted_test.cpp)
  const Desk desk;
  GltfBuilder artist = two_joint_strip();
  Eigen::MatrixXd turn(4, 2);
  turn << 0, 0, 0, 0, 0, 0.5, 1, std::sqrt(0.75);
  artist.add_channel(artist.add_animation("Nod"), 1, "rotation", {0, 1}, turn);
  const std::string path = desk.put("artist.glb", artist.glb()), report = desk / "r.json";
  const auto line_of = [&](double height, const Arguments& more) {
    const std::string rig = desk.put("rig.glb", raised_strip(height).glb());
    Arguments arguments{"bake", path, rig, "-o", desk / "out.glb", "--align", "none", "--report", report};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const std::vector<std::string> before = table_of(run_pelt(arguments).out).before;
    REQUIRE(before.size() >= 2);
    CHECK(before.back() == "control: passed");
    return before.size() == 2 ? "" : before[1];
  };
  CHECK(line_of(0.005, {"--clip", "Bend"}) == "gap counted as error: quality 97.88 (Bend)");
  CHECK(line_of(0.005, {}) ==
        "gap counted as error: quality 97.00 (Nod) where it differs most, -2.56 on average");
  const json made = parsed(report);
  CHECK(made["clips"][0]["quality_gap_counted"].get<double>() == Approx(97.8787).margin(1e-3));
  CHECK(made["clips"][1]["quality_gap_counted"].get<double>() == Approx(97).margin(1e-3));
  CHECK(made["control"]["clips"][0]["quality_gap_counted"].is_null());
  CHECK(line_of(0.0001, {"--clip", "Bend"}).empty());  // 0.04 points
}

TEST_CASE("The control prints its table and writes on request alone", "[cli]") {
  const Quadrupeds desk;
  const Outcome run = check_success(desk, {"control", desk.artist, "--report", desk.report}, {"r.json"});
  const Table table = table_of(run.out);
  CHECK(table.names == std::vector<std::string>{"control", "Walk", "Gallop"});
  CHECK(table.before == std::vector<std::string>{desk.artist + ": control passed"});
  const json report = parsed(desk.report);
  CHECK(report["output"].is_null());
  for (const json& clip : report["control"]["clips"]) check_row(table.cells.at(clip["name"]), clip);
  check_success(desk, {"control", desk.artist, "--clip", "Gallop", "-o", desk.output}, {"out.glb"});
  const pelt::Scene written = pelt::read_scene(pelt::read_document(desk.output));
  REQUIRE(written.clips.size() == 1);
  CHECK(written.clips[0].name == "Gallop");
}

TEST_CASE("Quiet prints nothing and changes no byte of what is written", "[cli]") {
  const Quadrupeds desk;
  check_success(desk, desk.bake({"--threads", "1"}), {"out.glb"});
  const auto expected = read_bytes(desk.output);
  for (const char* threads : {"1", "4"}) {
    const Outcome run = check_success(desk, desk.bake({"--quiet", "--threads", threads}), {});
    CHECK(run.out.empty());
    CHECK(run.err.empty());
    CHECK(read_bytes(desk.output) == expected);
  }
}

TEST_CASE("Clips are taken by name and index once each in the file's order", "[cli]") {
  const Quadrupeds desk;
  const Outcome run =
      check_success(desk, desk.bake({"--clip", "Gallop", "--clip", "#0", "--clip", "Walk"}), {"out.glb"});
  CHECK(table_of(run.out).names == std::vector<std::string>{"control", "Walk", "Gallop"});
  const Outcome one = check_success(desk, desk.bake({"--clip", "Gallop"}), {"out.glb"});
  CHECK(table_of(one.out).names == std::vector<std::string>{"control", "Gallop"});
}

TEST_CASE("A clip of the same name gets a suffix and a warning unless it is replaced", "[cli]") {
  const Quadrupeds desk;
  check_success(desk, desk.bake(), {"out.glb"});
  const Arguments again{"bake", desk.artist, desk.output, "-o", desk / "again.glb", "--clip", "Walk"};
  const Outcome added = check_success(desk, again, {"again.glb"});
  REQUIRE(lines_of(added.err).size() == 1);
  CHECK(added.err.starts_with("pelt: warning: " + desk / "again.glb"));
  CHECK(table_of(added.out).names == std::vector<std::string>{"control", "Walk (pelt)"});
  Arguments replace = again;
  replace.push_back("--replace");
  const Outcome replaced = check_success(desk, replace, {"again.glb"});
  CHECK(replaced.err.empty());
  CHECK(table_of(replaced.out).names == std::vector<std::string>{"control", "Walk"});
}

TEST_CASE("Clips below the gate are named and the file is written all the same", "[cli]") {
  const Quadrupeds desk;
  check_success(desk, desk.bake({"--report", desk.report}), {"out.glb", "r.json"});
  const auto expected = read_bytes(desk.output);
  const json clips = parsed(desk.report)["clips"];
  const double walk = clips[0]["quality"], gallop = clips[1]["quality"];
  REQUIRE(walk < gallop);
  std::filesystem::remove(desk.output);
  const auto gate = [&](double quality) { return desk.bake({"--min-quality", std::to_string(quality)}); };
  const Outcome one = run_pelt(gate((walk + gallop) / 2));
  CHECK(one.exit == 5);
  REQUIRE(lines_of(one.err).size() == 1);
  CHECK_THAT(one.err, Catch::Contains(desk.output) && Catch::Contains("'Walk'"));
  CHECK(read_bytes(desk.output) == expected);
  CHECK(table_of(one.out).names.size() == 3);
  CHECK(lines_of(run_pelt(gate(gallop + 1)).err).size() == 2);
  check_success(desk, gate(walk - 0.01), {});
}

TEST_CASE("A control that fails ends with 5 and takes the worth from every figure", "[cli]") {
  const Desk desk;
  const std::string artist = desk.put("artist.glb", far_strip().glb());
  const std::string out = desk / "out.glb";
  const Outcome control = run_pelt({"control", artist, "-o", out});
  CHECK(control.exit == 5);
  REQUIRE(lines_of(control.err).size() == 1);
  CHECK_THAT(control.err, Catch::Contains(artist) && Catch::Contains("control failed on 'Bend'"));
  CHECK_THAT(control.out, Catch::Contains("control FAILED"));
  CHECK(std::filesystem::exists(out));
  GltfBuilder rig = far_strip();
  rig.json.erase("animations");
  const Outcome bake = run_pelt({"bake", artist, desk.put("rig.glb", rig.glb()), "-o", out});
  CHECK(bake.exit == 5);
  const std::vector<std::string> lines = lines_of(bake.err);
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0],
             Catch::Contains("control failed on 'Bend'") && Catch::Contains("no figure here counts"));
}

TEST_CASE("Progress is one line that is gone at the end and shows on a terminal alone", "[cli]") {
  const Desk desk;
  const std::string artist = desk.put("artist.glb", two_joint_strip().glb());
  if (!has_terminals()) {
    std::cout << "skipped: 1 check (no pseudo-terminals here)\n";
    return;
  }
  const std::string text = terminal_of({"control", artist});
  CHECK_THAT(text,
             Catch::Contains("solving: ") && Catch::Contains("measuring: ") && Catch::EndsWith("\r\x1b[K"));
  CHECK(text.find('\n') == std::string::npos);
  const std::string failing = terminal_of({"control", desk.put("far.glb", far_strip().glb())});
  CHECK_THAT(failing, Catch::Contains("\r\x1b[K") && Catch::EndsWith("of the diagonal\r\n"));
  CHECK(terminal_of({"control", artist, "--quiet"}).empty());
}
