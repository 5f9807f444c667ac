#include "batch/field.h"

#include <catch2/catch.hpp>

#include "score_rows.h"

namespace pelt {
namespace {

using namespace test;

const ToolScore& tool_named(const Field& field, const std::string& name, JointMode mode = JointMode::free) {
  for (const ToolScore& tool : field.tools)
    if (tool.tool == name && tool.joints == mode) return tool;
  throw std::out_of_range(name);
}

/// Rows of a tool: a clip each of quality values[k] on model k.
std::vector<ScoreRow> rows_of(const std::string& tool, const std::vector<double>& values) {
  std::vector<ScoreRow> rows;
  for (std::size_t k = 0; k < values.size(); ++k)
    rows.push_back(score_row(tool, "model" + std::to_string(k), {clip_score("Walk", values[k])}));
  return rows;
}

FieldSettings integrated() {
  FieldSettings settings;
  settings.quality = QualityKind::integrated;
  return settings;
}

Field field_of_all(const std::vector<std::vector<ScoreRow>>& lists) {
  std::vector<ScoreRow> rows;
  for (const auto& list : lists) rows.insert(rows.end(), list.begin(), list.end());
  return field_of(rows);
}

}  // namespace

TEST_CASE("A tool's mean is over models, each of its clips' mean", "[field]") {
  const Field field = field_of({score_row("a", "cow", {clip_score("Walk", 80), clip_score("Gallop", 60)}),
                                score_row("a", "fox", {clip_score("Walk", 90)})});
  REQUIRE(field.columns == std::vector<std::string>{"Gallop", "Walk"});
  const ToolScore& tool = tool_named(field, "a");
  CHECK(tool.models == 2);
  CHECK(tool.quality.mean == Approx((70 + 90) / 2.0));
  CHECK(tool.clips.at("Walk").mean == Approx(85));
  CHECK(tool.clips.at("Walk").count == 2);
  CHECK(tool.clips.at("Gallop").mean == Approx(60));
  CHECK(tool.clips.at("Gallop").count == 1);
  CHECK(tool.worst == Approx(40));
}

TEST_CASE("Tools are ranked by the quality that is asked for", "[field]") {
  std::vector<ScoreRow> rows{score_row("fine", "cow", {clip_score("Walk", 80), clip_score("Run", 70)}),
                             score_row("coarse", "cow", {clip_score("Walk", 78), clip_score("Run", 70)})};
  rows[0].clips[0].quality_integrated = 80.5;
  rows[1].clips[0].quality_integrated = 82;
  CHECK(field_of(rows).tools[0].tool == "fine");
  const Field field = field_of(rows, integrated());
  CHECK(field.tools[0].tool == "coarse");
  CHECK(field.tools[0].quality.mean == 82);  // Run has no integral and is left out
  CHECK(field.tools[0].lacking == 1);
  CHECK(field.tools[0].still == 0);
  CHECK(field.control.quality.mean == 100);
  CHECK(field.rows[0].clips[0].quality == 78);
}

TEST_CASE("Clips that do not move and rows that failed are counted and left out", "[field]") {
  const Field field =
      field_of({score_row("a", "cow", {clip_score("Walk", 80), clip_score("Stand", std::nullopt)}),
                score_row("a", "statue", {clip_score("Stand", std::nullopt)}), failed_row("a", "fox", "torn"),
                failed_row("b", "fox", "torn")});
  const ToolScore& tool = tool_named(field, "a");
  CHECK(tool.models == 1);
  CHECK(tool.still == 2);
  CHECK(tool.failed == 1);
  CHECK(tool.quality.mean == 80);
  CHECK_FALSE(tool.quality.interval);
  CHECK(tool.clips.count("Stand") == 0);
  const ToolScore& none = tool_named(field, "b");
  CHECK(none.models == 0);
  CHECK(none.failed == 1);
  CHECK(field.tools.back().tool == "b");
}

TEST_CASE("Nothing but failures is a field too", "[field]") {
  const Field field = field_of({failed_row("a", "fox", "torn")});
  REQUIRE(field.tools.size() == 1);
  CHECK(field.tools[0].failed == 1);
  CHECK(field.columns.empty());
  CHECK(field_of({}).tools.empty());
}

TEST_CASE("Ranks compare pairs: a lead on every model counts, however the models differ", "[field]") {
  const Field field =
      field_of_all({rows_of("best", {52, 71, 92, 61, 84, 99}), rows_of("next", {50, 70, 90, 60, 80, 98}),
                    rows_of("like", {51, 69, 91, 59, 81, 97})});
  CHECK(field.tools[0].tool == "best");
  CHECK(tool_named(field, "best").best_rank == 1);
  CHECK(tool_named(field, "best").last_rank == 1);
  for (const char* name : {"next", "like"}) {
    CHECK(tool_named(field, name).best_rank == 2);
    CHECK(tool_named(field, name).last_rank == 3);
  }
  // The means' own intervals overlap by far: models differ more than tools.
  CHECK(tool_named(field, "best").quality.interval->low < tool_named(field, "like").quality.mean);
}

TEST_CASE("Tools of different models are ranked over the common ones", "[field]") {
  // Alone, "few" looks better: it has only the easy models.
  const Field field = field_of_all(
      {rows_of("all", {91, 92, 93, 94, 95, 96, 20, 10}), rows_of("few", {90, 91, 92, 93, 94, 95})});
  CHECK(field.tools[0].tool == "few");
  CHECK(tool_named(field, "few").best_rank == 2);
  CHECK(tool_named(field, "all").last_rank == 1);
}

TEST_CASE("One model ranks no one", "[field]") {
  const Field field = field_of_all({rows_of("a", {90}), rows_of("b", {20})});
  for (const ToolScore& tool : field.tools) {
    CHECK(tool.best_rank == 1);
    CHECK(tool.last_rank == 2);
  }
}

TEST_CASE("The price of a mode is over clips and models that have both", "[field]") {
  using enum JointMode;
  const Field field =
      field_of({score_row("a", "cow",
                          {clip_score("Walk", 90, free), clip_score("Walk", 84, rotate),
                           clip_score("Gallop", 80, free), clip_score("Gallop", 78, rotate)}),
                score_row("a", "fox",
                          {clip_score("Walk", 70, free), clip_score("Walk", 60, rotate),
                           clip_score("Gallop", 99, free), clip_score("Gallop", std::nullopt, rotate)}),
                score_row("a", "pig", {clip_score("Walk", 10, free)})});
  REQUIRE(field.modes == std::vector<JointMode>{free, rotate});
  REQUIRE(field.prices.size() == 1);
  CHECK(field.prices[0].joints == rotate);
  CHECK(field.prices[0].price.count == 2);
  CHECK(field.prices[0].price.mean == Approx((4 + 10) / 2.0));
  CHECK(field.prices[0].price.interval->low == Approx(4));
  CHECK(field.prices[0].price.interval->high == Approx(10));
  CHECK(tool_named(field, "a", rotate).quality.mean == Approx((81 + 60) / 2.0));
}

TEST_CASE("Two rows of one tool and model are averaged", "[field]") {
  std::vector<ScoreRow> rows = rows_of("a", {60, 90});
  rows.push_back(rows[0]);
  rows.back().rig = "a/other.glb";
  rows.back().clips[0].quality = 80;
  const Field field = field_of(rows);
  CHECK(tool_named(field, "a").models == 2);
  CHECK(tool_named(field, "a").quality.mean == Approx(80));
}

TEST_CASE("Columns are what stands behind the last bar, where that is one clip", "[field]") {
  const auto columns = [](const std::vector<std::string>& names) {
    std::vector<ClipScore> clips;
    for (const std::string& name : names) clips.push_back(clip_score(name, 1));
    return clip_columns(clips);
  };
  using Names = std::vector<std::string>;
  CHECK(columns({"AnimalArmature|Walk", "Gallop", "a|b|Idle"}) == Names{"Walk", "Gallop", "Idle"});
  CHECK(columns({"a|Walk", "b|Walk", "c|Run"}) == Names{"a|Walk", "b|Walk", "Run"});
  CHECK(columns({"a|", "", "Walk"}) == Names{"a|", "", "Walk"});
  CHECK(columns({"a|Walk", "a|Walk"}) == Names{"Walk", "Walk"});  // in two modes
  const Field field = field_of({score_row("t", "cow", {clip_score("Animal|Walk", 80)}),
                                score_row("t", "fox", {clip_score("Walk", 90)})});
  CHECK(field.columns == Names{"Walk"});
  CHECK(tool_named(field, "t").clips.at("Walk").count == 2);
}

TEST_CASE("Each artist's control counts once, and its verdict is told", "[field]") {
  std::vector<ScoreRow> rows = rows_of("a", {60, 70, 80});
  for (const ScoreRow& row : rows_of("b", {61, 71, 81})) rows.push_back(row);
  for (ScoreRow& row : rows) {
    if (row.model == "model1") row.control.passed = false;
    if (row.model == "model2")
      row.control.passed.reset(), row.control.none = "no rig", row.control.clips.clear();
  }
  const ControlField control = field_of(rows).control;
  CHECK(control.artists == 3);
  CHECK(control.passed == 1);
  CHECK(control.failed == std::vector<std::string>{"model1.glb"});
  CHECK(control.none == std::vector<std::string>{"model2.glb: no rig"});
  CHECK(control.quality.count == 2);
  CHECK(control.clips.at("Walk").mean == 100);
}

TEST_CASE("Health is averaged over a tool's rigs, legs are counted", "[field]") {
  std::vector<ScoreRow> rows = rows_of("a", {60, 70, 80});
  rows[0].health =
      RigHealth{20, 2, 1.5, 25, 4, 2.5, 4, {{"leg", {30, 12}, true}, {"other", {40}, true}}, 0.2};
  rows[1].health = RigHealth{30, 0, 0.5, 12, 0, 3.5, 8, {{"leg", {3}, true}}, 2.0};
  rows[2].health = RigHealth{10, 1, 1, 12, 2, 3, 4, {}, std::nullopt};
  const Field field = field_of(rows);
  REQUIRE(field.health.size() == 1);
  const ToolHealth& health = field.health[0];
  CHECK(health.rigs == 3);
  CHECK(health.joints == Approx(20));
  CHECK(health.joints_without_weights == Approx(1));
  CHECK(health.far_vertices == Approx(1));
  CHECK(health.weight_islands == Approx(2));
  CHECK(health.mean_influences == Approx(3));
  CHECK(health.max_influences == 8);
  CHECK(health.with_legs == 2);
  CHECK(health.symmetric == 1);
  CHECK(health.drivable == 1);
  CHECK(*health.least_bend == 3);
  FieldSettings strict;
  strict.min_bend = 31;
  CHECK(field_of(rows, strict).health[0].drivable == 0);
}

}  // namespace pelt
