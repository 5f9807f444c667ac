#include "score_output.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "console.h"
#include "transfer_options.h"

namespace pelt::cli {
namespace {

void print_score(const std::vector<ScoreRow>& rows) {
  for (const ScoreRow& row : rows) {
    std::printf("%s  %s", printable(row.tool).c_str(), printable(row.model).c_str());
    if (!row.ok) std::printf("  %s", printable(row.reason).c_str());
    for (const ClipScore& clip : row.clips)
      std::printf("  %s %s %.2f", printable(clip.clip).c_str(), name_of(clip.joints).c_str(),
                  clip.quality.value_or(100));
    std::puts("");
  }
}

}  // namespace

void add_score_output(CLI::App& command, ScoreOutput& o) {
  command.add_option("--format", o.format, "Form of the tables")
      ->check(CLI::IsMember({"text", "markdown", "csv"}))
      ->capture_default_str()
      ->option_text("text|markdown|csv");
  command.add_flag("--per-model", o.per_model, "A table for each model as well");
  command.add_option("--min-quality", o.min_quality, "Exit with 5 if a clip's quality is lower (per cent)")
      ->check(finite_number)
      ->option_text("Q");
  command.add_option("--max-worst", o.max_worst, "Exit with 5 if an error is larger (% of the diagonal)")
      ->check(number_from_zero)
      ->option_text("P");
  command.add_flag("--require-control", o.require_control,
                   "Exit with 5 unless every artist's control passes");
  command.add_option("--min-bend", o.min_bend, "Exit with 5 if a leg bends less at rest (degrees)")
      ->check(number_from_zero)
      ->option_text("DEG");
  command.add_option("--junit", o.junit, "Write what passed and failed as JUnit XML")->option_text("FILE");
  command.add_option("--seed", o.seed, "Of the random draws behind confidence intervals")
      ->capture_default_str()
      ->option_text("N");
}

int put_out(const std::vector<ScoreRow>& rows, const ScoreOutput&, const std::string&, bool quiet) {
  if (!quiet) print_score(rows);
  const bool failed = std::any_of(rows.begin(), rows.end(), [](const ScoreRow& row) { return !row.ok; });
  return failed ? pair_failed : done;
}

}  // namespace pelt::cli
