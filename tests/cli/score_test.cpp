// Many pairs: score, bake by pattern and merge, their rows when a run is killed, and their exit codes.
#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "program.h"
#include "tests/gltf_builder.h"

using namespace pelt::test;
using nlohmann::json;

namespace {

/// An artist and rigs of two tools for each of some models.
struct Field : Desk {
  explicit Field(int models = 2) {
    for (const char* folder_name : {"art", "rigs", "rigs/heat", "rigs/net"})
      std::filesystem::create_directory(folder / folder_name);
    for (int n = 0; n < models; ++n) {
      GltfBuilder artist = two_joint_strip();
      const std::string name = "m" + std::to_string(n) + ".glb";
      put("art/" + name, artist.glb());
      for (const char* tool : {"heat", "net"})
        put("rigs/" + std::string(tool) + "/" + name, strip_without_clip());
    }
  }

  Arguments with(const Arguments& first, const Arguments& more = {}) const {
    Arguments arguments = first;
    arguments.insert(arguments.end(),
                     {"--artists", *this / "art", "--rigs", *this / "rigs/{tool}/{model}.glb"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  Arguments score(const Arguments& more = {}) const { return with({"score"}, more); }
  Arguments bake(const Arguments& more = {}) const {
    return with({"bake", "-o", *this / "out/{tool}/{model}.glb"}, more);
  }
};

/// The strip, one vertex of which is far off: another shape than the artist's.
std::vector<std::uint8_t> strip_with_a_spike() {
  GltfBuilder b = two_joint_strip();
  const int accessor = b.primitive(0)["attributes"]["POSITION"];
  const auto& view = b.json["bufferViews"][b.json["accessors"][accessor]["bufferView"].get<int>()];
  const float far_off = 30;
  std::memcpy(b.bin.data() + view.value("byteOffset", 0), &far_off, sizeof far_off);
  return b.glb();
}

/// Rows of a file without their times, by name; a line that is no row fails.
std::map<std::string, std::string> rows_of(const std::string& path) {
  std::map<std::string, std::string> rows;
  const auto bytes = read_bytes(path);
  for (const std::string& line : lines_of({bytes.begin(), bytes.end()})) {
    json row = json::parse(line);
    if (!row.contains("tool")) continue;
    row.erase("seconds");
    rows[row["tool"].get<std::string>() + "/" + row["model"].get<std::string>()] = row.dump();
  }
  return rows;
}

/// Runs are killed at random moments until one comes through: its rows and tables are those of a run that
/// was left alone.
void kill_and_resume(const Field& field, int kills, double longest_ms) {
  const std::string alone = field / "alone.jsonl", killed = field / "killed.jsonl";
  const Outcome whole = run_pelt(field.score({"--rows", alone}));
  REQUIRE(whole.exit == 0);
  std::mt19937 random{12345};
  std::uniform_real_distribution<double> moment(0, longest_ms);
  int ended_by_signal = 0;
  for (int n = 0; n < kills; ++n) {
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::duration<double, std::milli>(moment(random));
    const Outcome outcome = run_pelt_until(field.score({"--rows", killed}), SIGKILL,
                                           [&] { return std::chrono::steady_clock::now() >= end; });
    ended_by_signal += outcome.exit == -SIGKILL;
  }
  CHECK(ended_by_signal > 0);
  const Outcome last = run_pelt(field.score({"--rows", killed}));
  CHECK(last.exit == 0);
  CHECK(last.out == whole.out);
  CHECK(rows_of(killed) == rows_of(alone));
}

}  // namespace

TEST_CASE("score tells of every rig, named or by pattern", "[cli][score]") {
  const Field field;
  const Outcome named = run_pelt({"score", field / "art/m0.glb", field / "rigs/heat/m0.glb",
                                  field / "rigs/net/m1.glb", "--rows", field / "named.jsonl"});
  CHECK(named.exit == 0);
  const auto rows = rows_of(field / "named.jsonl");
  CHECK(rows.size() == 2);
  CHECK(rows.count("m0/m0") == 1);
  CHECK(rows.count("m1/m0") == 1);
  CHECK(named.err.find("2 of 2") != std::string::npos);
  const Outcome pattern = check_success(field, field.score({"--quiet"}), {});
  CHECK(pattern.out.empty());
  CHECK(pattern.err.empty());
}

TEST_CASE("bake by pattern writes what single bakes write, once", "[cli][score]") {
  const Field field;
  const Arguments bake = field.bake({"--rows", field / "r.jsonl"});
  const Outcome first = check_success(field, bake,
                                      {"out", "out/heat", "out/net", "out/heat/m0.glb", "out/heat/m1.glb",
                                       "out/net/m0.glb", "out/net/m1.glb", "r.jsonl"});
  check_success(field, {"bake", field / "art/m1.glb", field / "rigs/net/m1.glb", "-o", field / "one.glb"},
                {"one.glb"});
  CHECK(read_bytes(field / "one.glb") == read_bytes(field / "out/net/m1.glb"));
  const Outcome second = check_success(field, bake, {});
  CHECK(second.out == first.out);
  const auto bytes = read_bytes(field / "out/net/m0.glb");
  std::filesystem::remove(field / "out/net/m0.glb");
  CHECK(check_success(field, bake, {"out/net/m0.glb", "r.jsonl"}).out == first.out);
  CHECK(read_bytes(field / "out/net/m0.glb") == bytes);
}

TEST_CASE("merged shards print what one run prints", "[cli][score]") {
  const Field field(3);
  const Outcome whole = run_pelt(field.score());
  Arguments merge{"merge"};
  for (const std::string part : {"3", "1", "2"}) {
    merge.push_back(field / ("part" + part + ".jsonl"));
    CHECK(run_pelt(field.score({"--shard", part + "/3", "--rows", merge.back(), "--jobs", part})).exit == 0);
  }
  const Outcome merged = run_pelt(merge);
  CHECK(merged.exit == 0);
  CHECK(merged.out == whole.out);
  CHECK(merged.err.empty());
}

TEST_CASE("tables are of the quality that is asked for, from the same rows", "[cli][score]") {
  const Field field(1);
  const std::string rows = field / "rows.jsonl";
  const Outcome summed = run_pelt(field.score({"--rows", rows}));
  const Outcome integrated = run_pelt({"merge", rows, "--quality", "integrated"});
  CHECK(summed.exit == 0);
  CHECK(integrated.exit == 0);
  CHECK_THAT(integrated.out, Catch::Contains("quality is integrated over triangles"));
  CHECK_THAT(summed.out, !Catch::Contains("integrated"));
  const Outcome again = run_pelt(field.score({"--rows", rows, "--quality", "integrated"}));
  CHECK(again.out == integrated.out);
  for (const auto& [name, row] : rows_of(rows))
    for (const char* figure : {"quality_integrated", "quality_gap_counted"})
      CHECK(json::parse(row)["clips"][0][figure].is_number());
}

TEST_CASE("a pair that fails makes the exit code 6 and is told", "[cli][score]") {
  const Field field;
  field.put("rigs/heat/m1.glb", std::string("no glTF"));
  field.put("rigs/net/m0.glb", strip_with_a_spike());
  field.put("rigs/net/lone.glb", strip_without_clip());
  const Outcome outcome = run_pelt(field.score({"--rows", field / "r.jsonl"}));
  CHECK(outcome.exit == 6);
  for (const char* word : {"heat/m1", "net/m0", "net/lone", "art/lone.glb: no such file"})
    CHECK(outcome.err.find(word) != std::string::npos);
  std::map<std::string, int> codes;
  for (const auto& [name, row] : rows_of(field / "r.jsonl")) codes[name] = json::parse(row)["exit_code"];
  CHECK(codes == std::map<std::string, int>{
                     {"heat/m0", 0}, {"heat/m1", 2}, {"net/lone", 2}, {"net/m0", 3}, {"net/m1", 0}});
}

TEST_CASE("pairs that cannot be run together are refused before anything is done", "[cli][score]") {
  const Field field;
  field.put("list.csv", std::string("artist,rig\nart/m0.glb,\n"));
  field.put("other.txt", std::string("notes\n"));
  const std::string artist = field / "art/m0.glb", rig = field / "rigs/net/m0.glb", list = field / "list.csv";
  check_refusal(field, {"score"}, 1, {"ARTIST", "--manifest", "--rigs"});
  check_refusal(field, {"score", artist}, 1, {"there is no RIG"});
  check_refusal(field, field.score({artist, rig}), 1, {"ARTIST"});
  check_refusal(field, field.score({"--manifest", list}), 1, {"--manifest", "--rigs"});
  check_refusal(field, {"score", "--rigs", "r/{tool}/{model}.glb"}, 1, {"--artists"});
  check_refusal(field, {"score", "--manifest", list}, 2, {"list.csv:2: rig: is missing"});
  check_refusal(field, {"score", "--manifest", field / "none.csv"}, 2, {"none.csv: no such file"});
  check_refusal(field, field.score({"--rows", field / "other.txt"}), 2, {"other.txt", "something else"});
  check_refusal(field, field.score({"--rows", artist}), 1, {"m0.glb", "overwrite"});
  check_refusal(field, field.score({"--rows", field / "x", "--report", field / "x"}), 1, {"overwrite"});
  for (const std::string shard : {"0/2", "3/2", "1", "1/", "/2", "1/2x", "-1/2"})
    check_refusal(field, field.score({"--shard", shard}), 1, {shard});
  for (const std::string seconds : {"0", "-1", "nan", "x"})
    check_refusal(field, field.score({"--timeout", seconds}), 1, {"--timeout"});
  check_refusal(field, {"bake", artist, rig, "-o", field / "o.glb", "--jobs", "2"}, 1,
                {"--jobs", "--manifest"});
  check_refusal(field, field.with({"bake", "-o", field / "o.glb"}), 1, {"{tool}"});
  check_refusal(field, field.with({"bake", "-o", field / "rigs/{tool}/{model}.glb"}), 1, {"input"});
  check_refusal(field, field.bake({artist, rig}), 1, {"ARTIST"});
  check_refusal(field, field.with({"bake"}), 1, {"--output is required"});
  check_refusal(field, {"bake", "-o", field / "o.glb"}, 1, {"ARTIST is required"});
  check_refusal(field, {"bake", artist, "-o", field / "o.glb"}, 1, {"RIG is required"});
  check_refusal(field, {"merge", field / "other.txt"}, 2, {"other.txt"});
}

TEST_CASE("a run that is killed loses nothing that it had", "[cli][score]") {
  kill_and_resume(Field(8), 4, 60);
}

// The twenty of CONTRIBUTING.md: pelt_tests "[kill]"
TEST_CASE("a run that is killed twenty times loses nothing that it had", "[.][kill]") {
  const Field field(0);
  field.put("art/q.glb", quadruped("artist"));
  for (const char* rig : {"blurred", "posed-rest", "resplit", "scattered", "straight-legs", "subdivided"}) {
    std::filesystem::create_directory(field / ("rigs/" + std::string(rig)));
    field.put("rigs/" + std::string(rig) + "/q.glb", quadruped(rig));
  }
  kill_and_resume(field, 20, 600);
}

TEST_CASE("an interrupt keeps all finished rows and ends with 130", "[cli][score]") {
  const Field field(0);
  field.put("art/q.glb", quadruped("artist"));
  for (int n = 0; n < 12; ++n) {
    std::filesystem::create_directory(field / ("rigs/" + std::to_string(n)));
    field.put("rigs/" + std::to_string(n) + "/q.glb", quadruped("subdivided"));
  }
  const std::string rows = field / "r.jsonl";
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(rows);
    const Outcome outcome = run_pelt_until(field.score({"--rows", rows, "--jobs", "1"}), signal, [&] {
      std::error_code none;
      const auto size = std::filesystem::file_size(rows, none);
      return !none && size > 1000;
    });
    CHECK(outcome.exit == 130);
    const std::size_t kept = rows_of(rows).size();
    CHECK(kept >= 1);
    CHECK(kept < 12);
    CHECK(outcome.err.find("interrupted: " + std::to_string(kept) + " of 12 pairs are done and kept in") !=
          std::string::npos);
  }
}

TEST_CASE("a terminal shows a bar of the pairs", "[cli][score]") {
  if (!has_terminals()) return;
  const Field field;
  field.put("rigs/heat/m1.glb", std::string("no glTF"));
  const std::string shown = terminal_of(field.score());
  CHECK(shown.find("4 of 4 pairs, 1 failed") != std::string::npos);
  CHECK(shown.find("##############################]") != std::string::npos);
}
