#include "batch/gates.h"

#include <catch2/catch.hpp>

#include "score_rows.h"

namespace pelt {
namespace {

using namespace test;
using Lines = std::vector<std::string>;

Lines lines(const std::vector<ScoreRow>& rows, const Gates& gates) {
  Lines text;
  for (const Miss& miss : misses(rows, gates)) text.push_back(describe(miss, rows[miss.row]));
  return text;
}

std::vector<ScoreRow> three_rows() {
  using enum JointMode;
  std::vector<ScoreRow> rows{
      score_row("a", "cow", {clip_score("Walk", 80, free), clip_score("Walk", 71.2, rotate)}),
      score_row("a", "fox", {clip_score("Stand", std::nullopt)}), failed_row("b", "fox", "torn")};
  rows[0].clips[0].worst = 4, rows[0].clips[1].worst = 12.5;
  return rows;
}

}  // namespace

TEST_CASE("No bar, no miss", "[gates]") { CHECK(misses(three_rows(), {}).empty()); }

TEST_CASE("Bars of quality and error are for each clip and mode, the bar itself is met", "[gates]") {
  Gates gates;
  gates.min_quality = 80;
  CHECK(lines(three_rows(), gates) == Lines{"a, cow, Walk (rotate): quality 71.20 is below 80"});
  gates.min_quality = 80.0000001;
  CHECK(lines(three_rows(), gates) == Lines{"a, cow, Walk (free): quality 80.0000000 is below 80",
                                            "a, cow, Walk (rotate): quality 71.20 is below 80"});
  std::vector<ScoreRow> rows = three_rows();
  rows[0].clips[0].quality_integrated = 79, rows[0].clips[1].quality_integrated = 81;
  gates.min_quality = 80;
  gates.quality = QualityKind::integrated;
  CHECK(lines(rows, gates) == Lines{"a, cow, Walk (free): quality 79.00 is below 80"});
  rows[0].clips[0].quality_integrated.reset();
  CHECK(lines(rows, gates) == Lines{"a, cow, Walk (free): has no integrated quality"});
  gates = {};
  gates.max_worst = 4;
  CHECK(lines(three_rows(), gates) == Lines{"a, cow, Walk (rotate): worst error 12.50 % is above 4"});
}

TEST_CASE("A required control is there and passed", "[gates]") {
  std::vector<ScoreRow> rows = three_rows();
  Gates gates;
  gates.require_control = true;
  CHECK(lines(rows, gates).empty());
  rows[0].control.passed = false;
  rows[1].control.passed.reset();
  rows[1].control.none = "its surface is a point cache";
  CHECK(lines(rows, gates) ==
        Lines{"a, cow: the control failed", "a, fox: has no control: its surface is a point cache"});
}

TEST_CASE("Each leg bends by the bar and moves something, no legs miss nothing", "[gates]") {
  std::vector<ScoreRow> rows = three_rows();
  rows[0].health = RigHealth{};
  rows[0].health->legs = {{"front", {3, 20}, true}, {"hind", {9.996}, true}, {"odd", {30}, false}};
  rows[1].health = RigHealth{};
  Gates gates;
  gates.min_bend = 10;
  CHECK(lines(rows, gates) == Lines{"a, cow: leg hind bends by 9.996 degrees, below 10",
                                    "a, cow: leg odd has a bone that moves nothing"});
}

}  // namespace pelt
