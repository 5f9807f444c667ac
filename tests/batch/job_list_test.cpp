// Where jobs come from: manifests, patterns, their order, their shards and their keys.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <set>

#include "batch/csv.h"
#include "batch/job_key.h"
#include "batch/manifest.h"
#include "batch/path_pattern.h"
#include "io/io_error.h"
#include "tests/gltf_builder.h"
#include "tests/temp_folder.h"

using namespace pelt;
using namespace pelt::test;
namespace fs = std::filesystem;

namespace {

fs::path put(const TempFolder& folder, const std::string& name, const std::string& text = "") {
  const fs::path path = folder / name;
  fs::create_directories(path.parent_path());
  write_bytes(path, {text.begin(), text.end()});
  return path;
}

Job job(const std::string& tool, const std::string& model) {
  Job job;
  job.tool = tool, job.model = model;
  job.bake.artist = model + ".glb", job.bake.rig = fs::path(tool) / (model + ".glb");
  return job;
}

std::vector<std::string> names(const std::vector<Job>& jobs) {
  std::vector<std::string> list;
  for (const Job& job : jobs) list.push_back(display_name(job));
  return list;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("records of a CSV file keep quotes, commas, line breaks and the line they begin on", "[csv]") {
  const std::vector<CsvRecord> records =
      parse_csv("a,b\r\n\n\"x, \"\"y\"\"\",\"two\nlines\"\n , last \nw,z", "list.csv");
  REQUIRE(records.size() == 4);
  CHECK(records[0].fields == Strings{"a", "b"});
  CHECK(records[1].fields == Strings{"x, \"y\"", "two\nlines"});
  CHECK(records[2].fields == Strings{"", "last"});
  CHECK(records[3].fields == Strings{"w", "z"});
  CHECK(records[0].line == 1);
  CHECK(records[1].line == 3);
  CHECK(records[2].line == 5);
  CHECK(records[3].line == 6);
  CHECK_THROWS_WITH(parse_csv("a,b\nx\"y,1\n", "list.csv"), Catch::StartsWith("list.csv:2: "));
  CHECK_THROWS_WITH(parse_csv("a\n1\n\"open\n\n", "list.csv"), Catch::StartsWith("list.csv:3: "));
}

TEST_CASE("a manifest gives pairs with their own options, in CSV and in JSON", "[manifest]") {
  const TempFolder folder;
  const fs::path csv = put(folder, "list.csv",
                           "rig,artist,tool,model,clips,options\n"
                           "rigs/a.glb,wolf.glb,one,Wolf,Walk;Run,\"joints=free,rotate max-influences=4\"\n"
                           "/b.glb,wolf.glb,,,,align=turn.json\n");
  const fs::path json = put(
      folder, "list.json",
      R"([{"rig": "rigs/a.glb", "artist": "wolf.glb", "tool": "one", "model": "Wolf", "clips": ["Walk", "Run"],
           "options": {"joints": ["free", "rotate"], "max-influences": 4}},
          {"rig": "/b.glb", "artist": "wolf.glb", "options": {"align": "turn.json"}}])");
  BakeOptions defaults;
  defaults.clips = {"Idle"}, defaults.max_influences = 8;
  for (const fs::path& path : {csv, json}) {
    CAPTURE(path);
    const std::vector<Job> jobs = read_manifest(path, defaults);
    REQUIRE(jobs.size() == 2);
    CHECK(jobs[0].tool == "one");
    CHECK(jobs[0].model == "Wolf");
    CHECK(jobs[0].bake.rig == folder / "rigs/a.glb");
    CHECK(jobs[0].bake.artist == folder / "wolf.glb");
    CHECK(jobs[0].bake.clips == Strings{"Walk", "Run"});
    CHECK(jobs[0].bake.joints == std::vector{JointMode::free, JointMode::rotate});
    CHECK(jobs[0].bake.max_influences == 4);
    CHECK(jobs[1].tool == "b");
    CHECK(jobs[1].model == "wolf");
    CHECK(jobs[1].bake.rig == "/b.glb");
    CHECK(jobs[1].bake.clips == Strings{"Idle"});
    CHECK(jobs[1].bake.max_influences == 8);
    CHECK(jobs[1].bake.alignment == folder / "turn.json");
  }
}

TEST_CASE("a fault of a manifest is told with its line and field", "[manifest]") {
  const TempFolder folder;
  const std::vector<std::array<std::string, 3>> faults = {
      {"m.csv", "", "m.csv: no header"},
      {"m.csv", "artist,rig\n", "m.csv: names no pair"},
      {"m.csv", "artist,rigg\n", "m.csv:1: 'rigg' is no field"},
      {"m.csv", "artist,rig,rig\n", "m.csv:1: field 'rig' is there twice"},
      {"m.csv", "artist,rig\na,b\n\na\n", "m.csv:4: 1 fields, the header has 2"},
      {"m.csv", "artist,rig\na,b\n,b\n", "m.csv:3: artist: is missing"},
      {"m.csv", "artist,rig,options\na,b,joints\n", "m.csv:2: options: 'joints' is not name=value"},
      {"m.csv", "artist,rig,options\na,b,joints=fly\n", "m.csv:2: options: joints: 'fly' is not"},
      {"m.csv", "artist,rig,options\na,b,max-influences=4x\n", "m.csv:2: options: max-influences: '4x'"},
      {"m.csv", "artist,rig,options\na,b,fps=nan\n", "m.csv:2: options: fps: 'nan'"},
      {"m.csv", "artist,rig,options\na,b,stretch=1e7\n", "m.csv:2: options: stretch: '1e7'"},
      {"m.csv", "artist,rig,options\na,b,threads=3\n", "m.csv:2: options: 'threads' is no option of a pair"},
      {"m.json", "[{]", "m.json: not a list of pairs: no valid JSON at byte 3"},
      {"m.json", std::string(500000, '['), "m.json: its JSON is nested deeper than 256"},
      {"m.json", "{}", "m.json: is not a list"},
      {"m.json", "[{\"artist\": \"a\", \"rig\": \"b\"}, 3]", "m.json: [1]: is not an object"},
      {"m.json", "[{\"artist\": 3, \"rig\": \"b\"}]", "m.json: [0].artist: is not a string"},
      {"m.json", "[{\"artist\": \"a\"}]", "m.json: [0]: rig: is missing"},
      {"m.json", "[{\"artist\": \"a\", \"rig\": \"b\", \"clips\": \"Walk\"}]",
       "m.json: [0].clips: is not a list"},
      {"m.json", "[{\"artist\": \"a\", \"rig\": \"b\", \"options\": {\"force\": 1}}]",
       "m.json: [0]: options: force: '1' is not true or false"}};
  for (const auto& [name, text, message] : faults) {
    CAPTURE(text);
    const fs::path path = put(folder, name, text);
    CHECK_THROWS_AS(read_manifest(path, {}), ReadError);
    CHECK_THROWS_WITH(read_manifest(path, {}), Catch::StartsWith((folder.path() / "").string() + message));
  }
}

TEST_CASE("a pattern finds tool and model wherever they stand", "[pattern]") {
  const TempFolder folder;
  for (const char* name : {"rigs/heat/wolf.glb", "rigs/heat/fox.glb", "rigs/heat/notes.txt",
                           "rigs/rignet/fox.glb", "rigs/fox.glb", "flat/v1-wolf_heat.glb"})
    put(folder, name);
  const auto found = [&](const std::string& pattern) {
    Strings list;
    for (const NamedFile& file : files_of_pattern((folder / pattern).string()))
      for (const Names& n : file.names) list.push_back(n.tool + "|" + n.model);
    return list;
  };
  CHECK(found("rigs/{tool}/{model}.glb") == Strings{"heat|fox", "heat|wolf", "rignet|fox"});
  CHECK(found("{tool}/{model}.glb") == Strings{"flat|v1-wolf_heat", "rigs|fox"});
  CHECK(found("flat/v1-{model}_{tool}.glb") == Strings{"heat|wolf"});
  CHECK(found("rigs/{tool}/{tool}.glb").empty());
  CHECK(found("flat/{model}-{tool}.glb") == Strings{"wolf_heat|v1"});
  CHECK(filled("out/{tool}/a-{model}{model}.glb", {"heat", "fox"}) == "out/heat/a-foxfox.glb");
  CHECK_THROWS_WITH(found("rigs/{rig}.glb"), Catch::Contains("'{rig}' is not {tool} or {model}"));
}

TEST_CASE("rigs by pattern find their artists", "[pattern]") {
  const TempFolder folder;
  for (const char* name : {"art/wolf.glb", "art/fox.gltf", "r/heat/wolf.glb", "r/heat/fox.glb",
                           "r/heat/yak.glb", "f/big-wolf-heat.glb", "art/big-wolf.glb"})
    put(folder, name);
  const std::string art = (folder / "art").string(), rigs = (folder / "r/{tool}/{model}.glb").string();
  const std::vector<Job> jobs = jobs_of_patterns(art, rigs, {});
  CHECK(names(jobs) == Strings{"heat/fox", "heat/wolf", "heat/yak"});
  CHECK(jobs[0].bake.artist == folder / "art/fox.gltf");
  CHECK(jobs[1].bake.rig == folder / "r/heat/wolf.glb");
  CHECK(jobs[2].bake.artist == folder / "art/yak.glb");
  CHECK(names(jobs_of_patterns((folder / "art/{model}.glb").string(), rigs, {})).size() == 3);

  // big | wolf-heat and big-wolf | heat both fit; there is an artist to one of them
  CHECK(names(jobs_of_patterns(art, (folder / "f/{model}-{tool}.glb").string(), {})) ==
        Strings{"heat/big-wolf"});
  put(folder, "art/big.glb");
  CHECK_THROWS_WITH(jobs_of_patterns(art, (folder / "f/{model}-{tool}.glb").string(), {}),
                    Catch::Contains("could be 'wolf-heat/big' or 'heat/big-wolf'"));
  CHECK_THROWS_WITH(jobs_of_patterns(art, (folder / "r/{model}.glb").string(), {}),
                    Catch::Contains("must have {tool} and {model}"));
  CHECK_THROWS_WITH(jobs_of_patterns(art, (folder / "x/{tool}/{model}.glb").string(), {}),
                    Catch::EndsWith("no file fits"));
  put(folder, "art/wolf.gltf");
  CHECK_THROWS_WITH(jobs_of_patterns(art, rigs, {}), Catch::EndsWith("there is a .gltf of the same name"));
}

TEST_CASE("jobs come in the order of their names, and a name that is there twice becomes a fault", "[job]") {
  std::vector<Job> jobs = {job("b", "x"), job("a", "y"), job("a", "x"), job("b", "x")};
  jobs[3].bake.rig = "other.glb";
  const std::vector<Job> sorted = ordered(jobs);
  CHECK(names(sorted) == Strings{"a/x", "a/y", "b/x"});
  CHECK(sorted[0].fault.empty());
  CHECK(sorted[2].fault == "2 rigs have the name 'b/x': b/x.glb, other.glb");
  std::reverse(jobs.begin(), jobs.end());
  CHECK(ordered(jobs)[2].fault == sorted[2].fault);
}

TEST_CASE("shards are equal parts that hold every job once, whatever the order", "[job]") {
  std::vector<Job> jobs;
  for (const char* model : {"ant", "bee", "cow", "dog", "eel"})
    for (const char* tool : {"p", "q", "r"}) jobs.push_back(job(tool, model));
  const std::vector<Job> sorted = ordered(jobs), other(sorted.rbegin(), sorted.rend());
  for (const int parts : {1, 2, 4, 15, 40}) {
    std::vector<Job> all;
    for (int part = 1; part <= parts; ++part) {
      const std::vector<Job> slice = shard_of(sorted, {part, parts});
      CHECK(names(slice) == names(shard_of(other, {part, parts})));
      CHECK(slice.size() >= sorted.size() / parts);
      CHECK(slice.size() <= sorted.size() / parts + 1);
      std::set<std::string> artists;
      for (const Job& j : slice) artists.insert(j.model);
      CHECK(artists.size() <= slice.size() / 3 + 2);  // an artist's jobs stay together
      all.insert(all.end(), slice.begin(), slice.end());
    }
    CHECK(names(ordered(all)) == names(sorted));
  }
  for (const Shard& none : {Shard{0, 2}, Shard{3, 2}, Shard{1, 0}, Shard{-1, -1}})
    CHECK_THROWS_AS(shard_of(sorted, none), UsageError);
}

TEST_CASE("no output is another job's output or input", "[job]") {
  const TempFolder folder;
  std::vector<Job> jobs = {job("a", "x"), job("b", "x")};
  jobs[0].bake.output = folder / "o/1.glb", jobs[1].bake.output = folder / "o/2.glb";
  CHECK_NOTHROW(check_outputs(jobs));
  jobs[1].bake.output = folder / "o/./1.glb";
  CHECK_THROWS_WITH(check_outputs(jobs), Catch::Contains("is the output of both a/x and b/x"));
  jobs[1].bake.output = fs::absolute(jobs[0].bake.rig);
  CHECK_THROWS_WITH(check_outputs(jobs), Catch::Contains("the output of b/x is an input of a/x"));
}

TEST_CASE("a key changes with every content and setting that counts, and with nothing else", "[key]") {
  const TempFolder folder;
  GltfBuilder strip = two_joint_strip();
  write_bytes(folder / "artist.glb", strip.glb());
  strip.json["buffers"][0]["uri"] = "strip.bin";
  put(folder, "rig.gltf", strip.json.dump());
  write_bytes(folder / "strip.bin", strip.bin);
  Job job;
  job.tool = "tool", job.model = "model";
  job.bake.artist = folder / "artist.glb", job.bake.rig = folder / "rig.gltf";
  const auto key = [](const Job& j) {
    FileHashes hashes;
    return key_of(j, hashes);
  };
  const std::string before = key(job);
  CHECK(before.size() == 32);
  CHECK(key(job) == before);

  std::set<std::string> keys = {before};
  const auto differs = [&](auto change) {
    Job changed = job;
    change(changed.bake);
    CHECK(keys.insert(key(changed)).second);
  };
  differs([](BakeOptions& o) { o.clips = {"Bend"}; });
  differs([](BakeOptions& o) { o.joints = {JointMode::free, JointMode::rotate}; });
  differs([](BakeOptions& o) { o.max_influences = 4; });
  differs([](BakeOptions& o) { o.match = MatchPose::rest; });
  differs([](BakeOptions& o) { o.align = false; });
  differs([](BakeOptions& o) { o.force = true; });
  differs([](BakeOptions& o) { o.transfer.fps = 30; });
  differs([](BakeOptions& o) { o.transfer.weighting = Weighting::uniform; });
  differs([](BakeOptions& o) { o.transfer.key_tolerance = 0.1; });
  differs([](BakeOptions& o) { o.transfer.solve.stiffness = 0; });
  differs([](BakeOptions& o) { o.transfer.solve.loss = Loss::distance; });
  differs([](BakeOptions& o) { o.transfer.write.replace = true; });
  differs([](BakeOptions& o) { o.output = "out.glb"; });
  Job faulty = job;
  faulty.fault = "none";
  CHECK(keys.insert(key(faulty)).second);

  Job other = job;  // what does not count
  other.tool = "another", other.bake.transfer.solve.threads = 7;
  CHECK(key(other) == before);
  fs::copy(folder.path(), folder / "copy");
  other.bake.artist = folder / "copy/artist.glb", other.bake.rig = folder / "copy/rig.gltf";
  CHECK(key(other) == before);

  strip.bin[0] ^= 1;  // a file that the rig names
  write_bytes(folder / "strip.bin", strip.bin);
  CHECK(keys.insert(key(job)).second);
  fs::remove(folder / "strip.bin");
  CHECK(keys.insert(key(job)).second);
}
