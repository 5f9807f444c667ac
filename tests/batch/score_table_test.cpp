#include "batch/score_table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <clocale>
#include <nlohmann/json.hpp>
#include <random>

#include "batch/score_report.h"
#include "score_rows.h"

namespace pelt {
namespace {

using namespace test;

/// Two tools on two models in two modes, one row failed.
std::vector<ScoreRow> rows_in_modes() {
  using enum JointMode;
  std::vector<ScoreRow> rows{
      score_row("straight", "cow", {clip_score("A|Walk", 90, free), clip_score("A|Walk", 80, rotate)}),
      score_row("straight", "fox", {clip_score("A|Walk", 94, free), clip_score("A|Walk", 88, rotate)}),
      score_row("bent", "cow", {clip_score("A|Walk", 70, free), clip_score("A|Walk", 69, rotate)}),
      failed_row("bent", "fox", "fox.glb: torn")};
  rows[0].clips[0].regions = {{"hind-left", 3, 0.63}, {"trunk", 1, 0.37}};
  rows[2].health = RigHealth{20, 1, 0.5, 12, 3, 2.25, 4, {{"leg", {30}, true}}, 0.25};
  return rows;
}

FieldSettings integrated() {
  FieldSettings settings;
  settings.quality = QualityKind::integrated;
  return settings;
}

std::string everything(const std::vector<ScoreRow>& rows) {
  const Field field = field_of(rows);
  const TableOptions per_model{true, 100};
  return score_text(field, per_model) + score_markdown(field, per_model) + score_csv(field) +
         score_csv(field, per_model) + score_report(field, {}, {{"joints", "free,rotate"}}).dump(1);
}

}  // namespace

TEST_CASE("A table of integrated qualities says so and has them for each model", "[table]") {
  std::vector<ScoreRow> rows = rows_in_modes();
  for (ScoreRow& row : rows)
    for (ClipScore& clip : row.clips)
      clip.quality_integrated = *clip.quality + 0.5, clip.quality_gap_counted = *clip.quality - 1;
  const Field field = field_of(rows, integrated());
  const std::string text = score_text(field, {true, 100});
  CHECK_THAT(text, Catch::Contains("quality is integrated over triangles"));
  CHECK_THAT(text, Catch::Contains("92.50 +-2.00"));
  CHECK_THAT(text, Catch::Contains("94.50") && !Catch::Contains("94.00"));
  const std::string csv = score_csv(field, {true, 100});
  CHECK_THAT(csv, Catch::Contains("quality in place,quality integrated,quality gap counted,mean pct"));
  CHECK_THAT(csv, Catch::Contains(",90.000000,,90.500000,89.000000,"));
}

TEST_CASE("The table of the field as people read it", "[table]") {
  CHECK(score_text(field_of(rows_in_modes())) ==
        R"(quality, joints free
rank  tool               models  failed           mean           Walk
      control (artists)       2          100.00 +-0.00  100.00 +-0.00
1-2   straight                2       0   92.00 +-2.00   92.00 +-2.00
1-2   bent                    1       1          70.00          70.00
control: passed for 2/2 artists
quality: % of the motion; mean: of each model's mean over its clips; +-: half the 95 % interval
rank a-b: against the tools between, the difference over common models is within noise
tools have different models: means are over each tool's own, ranks over common ones
one model: no interval, and no rank beyond noise
fewer than 6 models: intervals are too narrow to lean on

quality, joints rotate
rank  tool               models  failed           mean           Walk
      control (artists)       2          100.00 +-0.00  100.00 +-0.00
1-2   straight                2       0   84.00 +-4.00   84.00 +-4.00
1-2   bent                    1       1          69.00          69.00

what other modes cost: quality(free) - quality(mode), points
tool           rotate
straight  8.00 +-2.00
bent             1.00
over the clips and models that have both; +-: half the 95 % interval over models

health of the rigs
tool  rigs  joints  bare   far  islands  infl  max  symm  bend  drivable
bent     1    20.0   1.0  0.50      3.0  2.25    4   1/1  30.0       1/1
bare: joints without weights; far: % of the surface; infl, max: influences of a vertex
symm, drivable: rigs with symmetric and bendable legs; bend: of the straightest leg, degrees

failed: 1/4 rows
tool  model  reason
bent  fox    fox.glb: torn
)");
}

TEST_CASE("Each model has its table with what loses most", "[table]") {
  const std::string text = score_text(field_of(rows_in_modes()), {true, 100});
  CHECK_THAT(text, Catch::Contains("model cow\n"
                                   "tool                mean  worst %      loses most    Walk\n"
                                   "control (artist)  100.00     0.00               -  100.00\n"
                                   "bent               70.00    30.00               -   70.00\n"
                                   "bent, rotate       69.00    31.00               -   69.00\n"
                                   "straight           90.00    10.00  hind-left 63 %   90.00\n"));
  CHECK_THAT(text, Catch::Contains("failed: 1/4 rows\n"));
  CHECK_THAT(text, Catch::Contains("fox.glb: torn"));
}

TEST_CASE("Twelve clips wrap into blocks of the width", "[table]") {
  std::vector<ClipScore> clips;
  for (int c = 0; c < 12; ++c) clips.push_back(clip_score("Clip with a name " + std::to_string(c), 50 + c));
  const std::string text =
      score_text(field_of({score_row("a-tool-with-quite-a-long-name-indeed", "cow", clips)}));
  std::size_t start = 0, lines = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1, ++lines) {
    const std::string line = text.substr(start, end - start);
    CHECK(line.size() <= 100);
  }
  for (int c = 0; c < 12; ++c) CHECK_THAT(text, Catch::Contains("Clip with a name " + std::to_string(c)));
}

TEST_CASE("CSV has a line a tool and mode, every line as long as the heading", "[table]") {
  const std::string text = score_csv(field_of(rows_in_modes()));
  CHECK(std::count(text.begin(), text.end(), '\n') == 6);
  const std::string heading = text.substr(0, text.find("\r\n"));
  for (std::size_t start = 0; start < text.size(); start = text.find("\r\n", start) + 2) {
    const std::string line = text.substr(start, text.find("\r\n", start) - start);
    CHECK(std::count(line.begin(), line.end(), ',') == std::count(heading.begin(), heading.end(), ','));
  }
  CHECK_THAT(text,
             Catch::Contains("straight,rotate,1,2,0,0,20.000000,84.000000,80.000000,88.000000,2,8.000000,"));
}

TEST_CASE("A rig whose pair failed has its health in CSV and is counted among its tool's", "[table]") {
  std::vector<ScoreRow> rows = rows_in_modes();
  rows[3].health = RigHealth{30, 5, 0.25, 12, 7, 3.5, 8, {}, std::nullopt};
  const Field field = field_of(rows);
  CHECK(field.health[0].rigs == 2);
  CHECK(field.health[0].weight_islands == 5);  // 3 and 7
  const std::string text = score_csv(field, {.per_model = true});
  const std::string heading = text.substr(0, text.find("\r\n"));
  const std::string line = "fox,bent,fox.glb,bent/fox.glb,failed,fox.glb: torn," + std::string(16, ',') +
                           "5,0.250000,7,3.500000,8,,,,\r\n";
  CHECK_THAT(text, Catch::Contains(line));
  CHECK(std::count(line.begin(), line.end(), ',') == std::count(heading.begin(), heading.end(), ','));
}

TEST_CASE("JSON has the means, their intervals, and every row without its time", "[table]") {
  const nlohmann::ordered_json report =
      score_report(field_of(rows_in_modes()), {}, {{"joints", "free,rotate"}});
  CHECK(report["settings"]["joints"] == "free,rotate");
  CHECK(report["statistics"]["resamples"] == 10000);
  CHECK(report["tools"][0]["tool"] == "straight");
  CHECK(report["tools"][0]["quality"]["mean"] == 92);
  CHECK(report["tools"][0]["quality"]["low"] == 90);
  CHECK(report["tools"][1]["quality"]["low"].is_null());
  CHECK(report["tools"][0]["rank"] == nlohmann::ordered_json{1, 2});
  CHECK(report["prices"][1]["price"]["mean"] == 8);
  REQUIRE(report["rows"].size() == 4);
  CHECK(report["rows"][1]["reason"] == "fox.glb: torn");
  CHECK(report["rows"][0]["health"]["weight_islands"] == 3);
  CHECK_FALSE(report["rows"][0].contains("seconds"));
}

TEST_CASE("Tables hang on the rows alone: not on their order, their times, or the locale", "[table]") {
  std::vector<ScoreRow> rows = rows_in_modes();
  const std::string expected = everything(rows);
  std::mt19937 random(12345);
  for (int round = 0; round < 6; ++round) {
    for (std::size_t k = rows.size(); k > 1; --k) std::swap(rows[k - 1], rows[random() % k]);
    for (ScoreRow& row : rows) row.seconds = static_cast<double>(random());
    CHECK(everything(rows) == expected);
  }
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"})
    if (std::setlocale(LC_ALL, name)) CHECK(everything(rows) == expected);
  std::setlocale(LC_ALL, "C");
}

}  // namespace pelt
