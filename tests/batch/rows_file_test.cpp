// Rows as JSON, the file that keeps them, and the joining of several.
#include "batch/rows_file.h"

#include <catch2/catch.hpp>
#include <limits>

#include "batch/merge_rows.h"
#include "io/io_error.h"
#include "solver/error.h"
#include "tests/file_size_limit.h"
#include "tests/temp_folder.h"

using namespace pelt;
using namespace pelt::test;
namespace fs = std::filesystem;

namespace {

ClipScore clip(const std::string& name, JointMode joints, double quality) {
  ClipScore s;
  s.clip = name, s.joints = joints, s.quality = quality;
  s.mean = 0.1, s.rms = 1.0 / 3, s.p95 = 1e-17, s.p99 = 2, s.worst = 1e300;
  s.floor_rms = 4, s.travel_mean = 5, s.travel_max = 6;
  s.joint_errors = {{"hip", 0.7, 0.25}, {"", 0, 0.75}};
  s.regions = {{"leg", 0.7, 1}};
  return s;
}

ScoreRow row(const std::string& tool, const std::string& model = "wolf") {
  ScoreRow r;
  r.key = "0123", r.tool = tool, r.model = model, r.artist = "a/\"wolf\".glb", r.rig = "r\xC3\xA9.glb";
  r.output = "o.glb", r.output_hash = "ff", r.ok = true;
  r.control.passed = true;
  r.control.clips = {clip("Walk", JointMode::free, 100)};
  r.clips = {clip("Walk", JointMode::free, 87.5), clip("Walk", JointMode::rotate, 71.25)};
  r.clips[1].quality_in_place = 1 - std::numeric_limits<double>::epsilon();
  r.clips[0].quality_integrated = 88.25, r.clips[0].quality_gap_counted = 86.125;
  r.warnings = {"a.glb: odd\nline"};
  r.seconds = 1.5;
  r.details = {{"diag", 3.25}, {"list", {1, nullptr, "x"}}};
  return r;
}

std::string text_of(const fs::path& path) {
  const auto bytes = read_bytes(path);
  return {bytes.begin(), bytes.end()};
}

void put(const fs::path& path, const std::string& text) { write_bytes(path, {text.begin(), text.end()}); }

std::vector<std::string> tools(const std::vector<ScoreRow>& rows) {
  std::vector<std::string> list;
  for (const ScoreRow& r : rows) list.push_back(r.tool);
  return list;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("a row comes back from JSON as it went there", "[rows]") {
  const ScoreRow full = row("heat");
  ScoreRow failed;
  failed.tool = "x", failed.exit_code = 3, failed.reason = "another animal";
  failed.health = RigHealth{2, 0, 0.125, 3, 0, 1.5, 2, {{"leg", {30, 1.0 / 3}, false}}, 0.25};
  for (const ScoreRow& before : {full, failed}) {
    const std::string text = to_json(before).dump();
    const ScoreRow after = row_from_json(nlohmann::ordered_json::parse(text));
    CHECK(to_json(after).dump() == text);
    CHECK(after.exit_code == before.exit_code);
    CHECK(after.health.has_value() == before.health.has_value());
    CHECK(after.control.passed == before.control.passed);
    REQUIRE(after.clips.size() == before.clips.size());
    for (std::size_t n = 0; n < after.clips.size(); ++n) {
      CHECK(after.clips[n].rms == before.clips[n].rms);
      CHECK(after.clips[n].joints == before.clips[n].joints);
      CHECK(after.clips[n].quality_in_place == before.clips[n].quality_in_place);
      CHECK(after.clips[n].quality_integrated == before.clips[n].quality_integrated);
      CHECK(after.clips[n].quality_gap_counted == before.clips[n].quality_gap_counted);
      CHECK(after.clips[n].joint_errors[1].share == 0.75);
    }
  }
  ScoreRow later = full;
  later.seconds = 9;
  CHECK(same_but_time(full, later));
  later.clips[0].p95 = 1.1e-17;
  CHECK_FALSE(same_but_time(full, later));
}

TEST_CASE("a row of a build that did not count the gap yet is read without it", "[rows]") {
  nlohmann::ordered_json old = to_json(row("heat"));
  for (nlohmann::ordered_json& clip : old["clips"]) REQUIRE(clip.erase("quality_gap_counted") == 1);
  const ScoreRow after = row_from_json(old);
  CHECK_FALSE(after.clips[0].quality_gap_counted);
  CHECK(after.clips[0].quality_integrated == 88.25);
}

TEST_CASE("a row that lacks a member or has it as another kind is refused by name", "[rows]") {
  const nlohmann::ordered_json whole = to_json(row("heat"));
  for (const auto& [name, value] : whole.items()) {
    CAPTURE(name);
    nlohmann::ordered_json broken = whole;
    broken.erase(name);
    CHECK_THROWS_WITH(row_from_json(broken), Catch::StartsWith(name + ": is missing"));
    if (name == "details") continue;  // may be anything
    broken = whole;
    broken[name] = value.is_object() ? nlohmann::ordered_json("x") : nlohmann::ordered_json::object();
    CHECK_THROWS_AS(row_from_json(broken), InvalidInput);
  }
  nlohmann::ordered_json unknown = whole;
  unknown["clips"][1]["joints"] = "fly";
  CHECK_THROWS_WITH(row_from_json(unknown), Catch::Contains("'fly'"));
}

TEST_CASE("a file of rows keeps them from run to run, of each name the last", "[rows]") {
  const TempFolder folder;
  const fs::path path = folder / "r.jsonl";
  {
    RowsFile file(path, Details::keep);
    CHECK(file.found().rows.empty());
    file.append(row("a"));
    file.append(row("b"));
  }
  {
    RowsFile file(path, Details::keep);
    CHECK(tools(file.found().rows) == Strings{"a", "b"});
    CHECK(same_but_time(file.found().rows[1], row("b")));
    ScoreRow newer = row("a");
    newer.key = "4567";
    file.append(newer);
  }
  const RowsRead read = read_rows(path, Details::drop);
  CHECK(tools(read.rows) == Strings{"a", "b"});
  CHECK(read.rows[0].key == "4567");
  CHECK(read.rows[0].details.is_null());
  CHECK(read.torn == 0);
}

TEST_CASE("a last line that was cut anywhere is dropped and the rows before it stay", "[rows]") {
  const TempFolder folder;
  ScoreRow brief;
  brief.tool = "b";
  const fs::path path = folder / "r.jsonl";
  {
    RowsFile file(path, Details::keep);
    file.append(row("a"));
    file.append(brief);
  }
  const std::string whole = text_of(path);
  const std::size_t end = whole.size() - (to_json(brief).dump().size() + 1);  // of the row before
  std::size_t understood = 0;
  for (std::size_t size = end; size < whole.size(); ++size) {
    put(path, whole.substr(0, size));
    const RowsRead read = read_rows(path, Details::drop);
    understood += tools(read.rows) == Strings{"a"} && read.torn == size - end && read.sound == end;
  }
  CHECK(understood == whole.size() - end);
  for (std::size_t size = end; size < whole.size(); size += (whole.size() - end) / 20) {
    put(path, whole.substr(0, size));
    RowsFile(path, Details::keep).append(brief);  // the disk is waited for
    CHECK(text_of(path) == whole);
  }
}

TEST_CASE("what is no file of rows is refused and left as it is", "[rows]") {
  const TempFolder folder;
  const fs::path path = folder / "r.jsonl";
  { RowsFile(path, Details::keep).append(row("a")); }
  const std::string whole = text_of(path), header = whole.substr(0, whole.find('\n') + 1);
  for (const std::string& text : {std::string("{\"a\": 1}\n"), std::string("hello"), header.substr(0, 5),
                                  " " + whole, header + "{}\n", header + "not JSON\n", whole + "\n"}) {
    CAPTURE(text);
    put(path, text);
    CHECK_THROWS_AS(RowsFile(path, Details::keep), ReadError);
    CHECK_THROWS_AS(read_rows(path, Details::keep), ReadError);
    CHECK(text_of(path) == text);
  }
  put(path, header + "{}\n");
  CHECK_THROWS_WITH(read_rows(path, Details::keep), Catch::EndsWith("r.jsonl:2: key: is missing"));
  fs::create_directory(folder / "d");
  CHECK_THROWS_AS(RowsFile(folder / "d", Details::keep), WriteError);
  CHECK_THROWS_AS(RowsFile(folder / "none/r.jsonl", Details::keep), WriteError);
  put(path, whole + whole);  // two files, one behind the other
  CHECK(read_rows(path, Details::keep).rows.size() == 1);
}

TEST_CASE("a row of which nothing could be made is refused with its place", "[rows]") {
  const TempFolder folder;
  const fs::path path = folder / "r.jsonl";
  const auto read = [&](const std::string& member, const std::string& value) {
    nlohmann::ordered_json json = to_json(row("a"));
    json[member] = "PLACE";
    std::string line = json.dump();
    line.replace(line.find("\"PLACE\""), 7, value);
    put(path, "{\"pelt_rows\":1}\n" + line + "\n");
    return read_rows(path, Details::keep);
  };
  CHECK(read("exit_code", "-3").rows[0].exit_code == -3);
  for (const char* number : {"2.5", "1e300", "4294967297", "18446744073709551617"})
    CHECK_THROWS_WITH(read("exit_code", number), Catch::Contains("r.jsonl:2: exit_code: "));
  CHECK(read("seconds", "1e300").rows[0].seconds == 1e300);
  CHECK_THROWS_WITH(read("seconds", "1e301"), Catch::Contains("r.jsonl:2: seconds: 1e+301"));
  CHECK_THROWS_WITH(read("seconds", "1e309"),
                    Catch::EndsWith("r.jsonl:2: a number in its JSON is out of range"));
  CHECK_THROWS_WITH(read("details", std::string(500000, '[') + std::string(500000, ']')),
                    Catch::EndsWith("r.jsonl:2: its JSON is nested deeper than 256"));
  std::string wide;  // compared with each other, these names would take minutes
  for (int n = 0; n < 120000; ++n) wide += (n > 0 ? ",\"" : "{\"") + std::to_string(n) + "\":0";
  CHECK_THROWS_WITH(read("details", wide + "}"), Catch::Contains("more than 16384 members"));
}

TEST_CASE("a file of rows is open to one run at a time", "[rows]") {
  const TempFolder folder;
  const fs::path path = folder / "r.jsonl";
  {
    RowsFile file(path, Details::keep);
    CHECK_THROWS_WITH(RowsFile(path, Details::keep), Catch::EndsWith("another run is writing to it"));
    file.append(row("a"));
  }
  CHECK(RowsFile(path, Details::keep).found().rows.size() == 1);
}

TEST_CASE("a row for which the disk has no room leaves the file as it was", "[rows]") {
  const TempFolder folder;
  const fs::path path = folder / "r.jsonl";
  RowsFile file(path, Details::keep);
  file.append(row("a"));
  const std::string before = text_of(path);
  {
    const FileSizeLimit limit(before.size() + 100);
    CHECK_THROWS_AS(file.append(row("b")), WriteError);
  }
  CHECK(text_of(path) == before);
  file.append(row("b"));
  CHECK(read_rows(path, Details::keep).rows.size() == 2);
}

TEST_CASE("files of rows join in the order of names, and may agree but not differ", "[rows]") {
  const TempFolder folder;
  const auto file = [&](const std::string& name, const std::vector<ScoreRow>& rows) {
    RowsFile made(folder / name, Details::keep);
    for (const ScoreRow& r : rows) made.append(r);
    return folder / name;
  };
  ScoreRow later = row("a");
  later.seconds = 99;
  const fs::path one = file("1", {row("c"), row("a")}), two = file("2", {row("b"), later});
  for (const auto& files : {std::vector{one, two}, std::vector{two, one}})
    CHECK(tools(merge_rows(files, Details::keep).rows) == Strings{"a", "b", "c"});

  ScoreRow other_key = row("b"), other_figures = row("c");
  other_key.key = "4567", other_figures.clips[0].mean = 0.2;
  CHECK_THROWS_WITH(
      merge_rows({two, file("3", {other_key})}, Details::keep),
      Catch::Contains("3 and ") && Catch::Contains("differ on 'b/wolf': its files, its settings"));
  CHECK_THROWS_WITH(merge_rows({one, file("4", {other_figures})}, Details::keep),
                    Catch::Contains("'c/wolf': the same files and settings gave other rows"));

  put(folder / "5", text_of(two) + "{\"key\"");
  const MergedRows merged = merge_rows({folder / "5"}, Details::keep);
  CHECK(merged.rows.size() == 2);
  REQUIRE(merged.warnings.size() == 1);
  CHECK_THAT(merged.warnings[0], Catch::Contains("cut short (6 bytes)"));
}
