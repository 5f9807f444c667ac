#include "batch/run_batch.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <stop_token>

#include "batch/artist_pool.h"
#include "batch/merge_rows.h"
#include "data/quadruped_files.h"
#include "io/io_error.h"
#include "solver/error.h"
#include "tests/gltf_builder.h"
#include "tests/temp_folder.h"

using namespace pelt;
using namespace pelt::test;
namespace fs = std::filesystem;

namespace {

/// Two artists with three rigs each, one whose clip does not move, and an unreadable rig.
struct Field {
  TempFolder folder;
  std::vector<Job> jobs;

  Field() {
    for (const char* model : {"one", "two"}) {
      GltfBuilder artist = two_joint_strip();
      artist.json["asset"]["generator"] = model;
      write_bytes(folder / (std::string(model) + ".glb"), artist.glb());
      for (const char* tool : {"p", "q", "r"}) add(tool, model, rig(tool));
    }
    add("broken", "one", {'x'});
    GltfBuilder still = two_joint_strip();
    still.json.erase("animations");
    Eigen::MatrixXd turns(4, 2);
    turns.col(0) = turns.col(1) = Eigen::Vector4d(0, 0, 0, 1);
    still.add_channel(still.add_animation("Rest"), 1, "rotation", {0, 1}, turns);
    write_bytes(folder / "still.glb", still.glb());
    add("p", "still", rig("p"));
  }

  /// The strip without a clip, as a tool has written it.
  static std::vector<std::uint8_t> rig(const std::string& tool) {
    GltfBuilder b = two_joint_strip();
    b.json.erase("animations");
    b.json["asset"]["generator"] = tool;
    return b.glb();
  }

  void add(const std::string& tool, const std::string& model, const std::vector<std::uint8_t>& bytes) {
    Job job;
    job.tool = tool, job.model = model;
    job.bake.artist = folder / (model + ".glb");
    job.bake.rig = folder / (tool + "-" + model + ".glb");
    job.bake.joints = {JointMode::free, JointMode::rotate};
    write_bytes(job.bake.rig, bytes);
    jobs.push_back(job);
  }
};

std::string text_of(std::vector<ScoreRow> rows) {
  std::string text;
  for (ScoreRow& row : rows) {
    row.seconds = 0;
    text += to_json(row).dump() + "\n";
  }
  return text;
}

std::string run(const std::vector<Job>& jobs, int at_a_time, int threads, RowsFile* rows = nullptr) {
  BatchSettings settings;
  settings.jobs = at_a_time, settings.threads = threads, settings.rows = rows;
  return text_of(run_batch(jobs, settings).rows);
}

}  // namespace

TEST_CASE("rows are the same for any number of jobs and threads, and for shards that are merged", "[batch]") {
  const Field field;
  const std::vector<Job> jobs = ordered(field.jobs);
  const std::string one = run(jobs, 1, 1);
  CHECK(run(jobs, 2, 2) == one);
  CHECK(run(jobs, 3, 1) == one);
  CHECK(run(jobs, 1, 3) == one);
  std::vector<fs::path> files;
  for (int part = 1; part <= 3; ++part) {
    files.push_back(field.folder / (std::to_string(part) + ".jsonl"));
    RowsFile rows(files.back(), Details::keep);
    run(shard_of(jobs, {part, 3}), 2, 2, &rows);
  }
  CHECK(text_of(merge_rows(files, Details::keep).rows) == one);
}

TEST_CASE("a row of a batch says what a bake alone would say", "[batch]") {
  const Field field;
  const Job& job = field.jobs[0];
  const ScoreRow row = run_batch({job}, {}).rows.at(0);
  const BakeResult alone = bake(job.bake);
  CHECK(row.ok);
  CHECK(row.control.passed == true);
  REQUIRE(row.clips.size() == 2);
  CHECK(row.clips[0].clip == "Bend");
  CHECK(row.clips[0].joints == JointMode::free);
  CHECK(row.clips[1].joints == JointMode::rotate);
  CHECK(row.clips[0].quality == alone.clips[0].keys.quality);
  CHECK(row.clips[0].worst == alone.clips[0].keys.worst);
  CHECK(row.clips[1].travel_max == alone.compared[0].clips[0].travel.max);
  CHECK(row.clips[0].quality.value() == Approx(100).margin(1e-3));  // the rig is the artist's own
  CHECK(row.output.empty());
  CHECK(row.details["clips"][0]["per_frame"]["time_s"].size() == alone.clips[0].sampled.size());
}

TEST_CASE("a pair that fails is a row with its reason and the batch goes on", "[batch]") {
  Field field;
  field.jobs.push_back(field.jobs[1]);  // q/one twice
  field.jobs.back().bake.rig = field.folder / "p-one.glb";
  Job lost = field.jobs[0];
  lost.tool = "lost", lost.bake.artist = field.folder / "none.glb";
  field.jobs.push_back(lost);
  Job clip = field.jobs[0];
  clip.tool = "clip", clip.bake.clips = {"Fly"};
  field.jobs.push_back(clip);
  const std::vector<Job> jobs = ordered(field.jobs);
  std::map<std::string, ScoreRow> rows;
  for (const ScoreRow& row : run_batch(jobs, {}).rows) rows[row.tool + "/" + row.model] = row;
  REQUIRE(rows.size() == jobs.size());
  CHECK(rows.at("p/one").ok);
  CHECK(rows.at("broken/one").exit_code == 2);
  CHECK_THAT(rows.at("broken/one").reason, Catch::Contains("broken-one.glb: "));
  CHECK(rows.at("q/one").exit_code == 1);
  CHECK_THAT(rows.at("q/one").reason, Catch::Contains("2 rigs have the name 'q/one'"));
  CHECK(rows.at("lost/one").exit_code == 2);
  CHECK_THAT(rows.at("lost/one").reason, Catch::Contains("none.glb: no such file"));
  CHECK(rows.at("clip/one").exit_code == 1);
  CHECK_THAT(rows.at("clip/one").reason, Catch::Contains("Bend"));
  CHECK(rows.at("q/two").ok);
  CHECK(rows.at("p/still").ok);
  CHECK_FALSE(rows.at("p/still").clips.at(0).quality);
}

TEST_CASE("a pair that fails has its rig's health wherever the rig can be read", "[batch]") {
  Field field;
  field.jobs.resize(4);  // of one artist, the last of the other
  field.jobs[0].bake.artist = field.folder / "none.glb";
  field.jobs[1].bake.clips = {"Fly"};
  write_bytes(field.jobs[2].bake.rig, {'x'});
  GltfBuilder no_skin = two_joint_strip();
  no_skin.json.erase("skins"), no_skin.json["nodes"][2].erase("skin");
  write_bytes(field.jobs[3].bake.rig, no_skin.glb());
  const std::vector<ScoreRow> rows = run_batch(field.jobs, {}).rows;
  REQUIRE(rows.size() == 4);
  for (const ScoreRow& row : rows) CHECK_FALSE(row.ok);
  for (const ScoreRow& row : {rows[0], rows[1]}) {
    REQUIRE(row.health);
    CHECK(row.health->joints == 2);
    CHECK(row.health->max_influences == 1);
  }
  CHECK_FALSE(rows[2].health);
  CHECK_FALSE(rows[3].health);
}

TEST_CASE("a second run does what is missing, changed, or failed for want of something, and no more",
          "[batch]") {
  Field field;
  const fs::path path = field.folder / "r.jsonl";
  BatchSettings settings;
  const auto again = [&] {
    RowsFile rows(path, Details::keep);
    settings.rows = &rows;
    const BatchResult result = run_batch(ordered(field.jobs), settings);
    return std::pair(result.known, text_of(result.rows));
  };
  const int all = static_cast<int>(field.jobs.size());
  const auto [none, first] = again();
  CHECK(none == 0);
  CHECK(again() == std::pair(all, first));  // the broken rig as well
  write_bytes(field.jobs[0].bake.rig, Field::rig("changed"));
  CHECK(again().first == all - 1);
  field.jobs[1].bake.clips = {"Bend"};
  CHECK(again().first == all - 1);
  CHECK(again().first == all);
  field.jobs.pop_back();
  CHECK(again().first == all - 1);

  std::vector<ScoreRow> kept = RowsFile(path, Details::keep).found().rows;
  ScoreRow& late =
      *std::find_if(kept.begin(), kept.end(), [](const ScoreRow& r) { return r.model == "two"; });
  late.ok = false, late.exit_code = 6;
  RowsFile(path, Details::keep).append(late);
  CHECK(again().first == all - 2);
}

TEST_CASE("outputs are written once, and again where they are missing or changed", "[batch]") {
  Field field;
  for (Job& job : field.jobs) job.bake.output = field.folder / "out" / job.tool / (job.model + ".glb");
  RowsFile rows(field.folder / "r.jsonl", Details::keep);
  BatchSettings settings;
  settings.rows = &rows;
  const BatchResult first = run_batch(ordered(field.jobs), settings);
  for (const ScoreRow& row : first.rows) CHECK(fs::exists(row.output) == row.ok);
  const fs::path output = field.jobs[0].bake.output;
  const auto bytes = read_bytes(output);
  const auto known = [&] {
    const fs::path copy = field.folder / "copy.jsonl";
    fs::copy(field.folder / "r.jsonl", copy, fs::copy_options::overwrite_existing);
    RowsFile again(copy, Details::keep);
    settings.rows = &again;
    return run_batch(ordered(field.jobs), settings).known;
  };
  const int all = static_cast<int>(field.jobs.size());
  CHECK(known() == all);
  fs::remove(output);
  CHECK(known() == all - 1);
  CHECK(read_bytes(output) == bytes);
  write_bytes(output, {1, 2, 3});
  CHECK(known() == all - 1);
  CHECK(read_bytes(output) == bytes);
}

TEST_CASE("a pair that takes too long is a row that says so", "[batch]") {
  const TempFolder folder;
  for (const QuadrupedFile& file : make_quadruped_files()) write_bytes(folder / file.name, file.bytes);
  Job job;
  job.tool = "slow", job.model = "quadruped";
  job.bake.artist = folder / "quadruped-artist.glb", job.bake.rig = folder / "quadruped-blurred.glb";
  job.bake.transfer.fps = 2000;
  BatchSettings settings;
  settings.timeout = 1e-6;
  const ScoreRow row = run_batch({job}, settings).rows.at(0);
  CHECK_FALSE(row.ok);
  CHECK(row.exit_code == 6);
  CHECK(row.reason == "took longer than the 1e-06 s of the time limit");
  CHECK(row.health->legs.size() == 4);
}

TEST_CASE("an interrupted batch keeps what is done and the next run the rest", "[batch]") {
  const Field field;
  const std::vector<Job> jobs = ordered(field.jobs);
  const fs::path path = field.folder / "r.jsonl";
  bool interrupt = false;
  BatchSettings settings;
  settings.jobs = 1;
  settings.progress = [&](const BatchProgress& p) { interrupt = p.row != nullptr; };
  settings.interrupted = [&] { return interrupt; };
  std::size_t kept = 0;
  {
    RowsFile rows(path, Details::keep);
    settings.rows = &rows;
    const BatchResult result = run_batch(jobs, settings);
    CHECK(result.interrupted);
    kept = result.rows.size();
    CHECK(kept >= 1);
  }
  RowsFile rows(path, Details::keep);
  CHECK(rows.found().rows.size() == kept);
  settings.rows = &rows, settings.interrupted = nullptr;
  const BatchResult result = run_batch(jobs, settings);
  CHECK(result.known == static_cast<int>(kept));
  CHECK(text_of(result.rows) == run(jobs, 1, 1));
}

TEST_CASE("an artist is opened once for all his rigs and closed after the last", "[batch]") {
  const Field field;
  ArtistPool pool(field.jobs, SurfaceCache::kBound);
  const std::shared_ptr<ArtistSession> first = pool.open(field.jobs[0]);
  CHECK(pool.open(field.jobs[1]) == first);
  CHECK(pool.open(field.jobs[3]) != first);
  for (std::size_t n = 0; n < field.jobs.size(); ++n)
    if (field.jobs[n].model == "one") {
      CHECK(first.use_count() == 2);
      pool.done(field.jobs[n]);
    }
  CHECK(first.use_count() == 1);
}

TEST_CASE("a control is run once for the clips and settings that it hangs on", "[batch]") {
  const Field field;
  ArtistSession artist(field.jobs[0].bake.artist);
  TransferSettings settings;
  int runs = 0;
  settings.progress = [&](const std::string& stage, int, int) { runs += stage == "solving"; };
  artist.start_control({0}, settings);
  const int once = runs;
  CHECK(once > 0);
  artist.control({0}, settings);
  settings.solve.threads = 3, settings.solve.stiffness = 1;  // a control knows no price
  artist.control({0}, settings);
  CHECK(runs == once);
  settings.fps = 10;
  artist.control({0}, settings);
  CHECK(runs > once);
}

TEST_CASE("a solve that is asked to stop says so", "[batch]") {
  const Field field;
  std::stop_source stop;
  BakeOptions options = field.jobs[0].bake;
  options.transfer.solve.stop = stop.get_token();
  CHECK_NOTHROW(bake(options));
  stop.request_stop();
  CHECK_THROWS_AS(bake(options), Stopped);
  CHECK_THROWS_AS(check_stop(options.transfer.solve), Stopped);
}
