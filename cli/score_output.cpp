#include "score_output.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "batch/gates.h"
#include "batch/junit.h"
#include "batch/score_report.h"
#include "batch/score_table.h"
#include "commands.h"
#include "console.h"
#include "io/or_null.h"
#include "io/report.h"
#include "transfer_options.h"

namespace pelt::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string tables(const Field& field, const ScoreOutput& o) {
  const TableOptions options{.per_model = o.per_model};
  if (o.format == "csv") return score_csv(field, options);
  return o.format == "markdown" ? score_markdown(field, options) : score_text(field, options);
}

Json settings_of(const ScoreOutput& o) {
  return {{"min_quality", or_null(o.min_quality)},
          {"max_worst", or_null(o.max_worst)},
          {"min_bend", or_null(o.min_bend)},
          {"require_control", o.require_control},
          {"quality", o.quality},
          {"seed", o.seed}};
}

/// Each bar that a row misses, as a line to stderr; how many there are.
std::size_t tell_misses(const std::vector<ScoreRow>& rows, const Gates& gates) {
  const std::vector<Miss> missed = misses(rows, gates);
  for (const Miss& miss : missed) complain("gate missed: " + describe(miss, rows[miss.row]));
  return missed.size();
}

void write_files(Json report, const ScoreFiles& files) {
  if (!files.report.empty()) write_report(report, files.report);
  if (files.html.empty()) return;
  std::vector<PageRig> rigs = files.rigs->of_report(report);
  write_page({"score", std::move(report), std::move(rigs)}, files.html);
}

}  // namespace

void add_score_output(CLI::App& command, ScoreOutput& o) {
  command.add_option("--format", o.format, "Form of the tables")
      ->check(CLI::IsMember({"text", "markdown", "csv"}))
      ->capture_default_str()
      ->option_text("text|markdown|csv");
  command.add_option("--quality", o.quality, "Sum errors over vertices, or integrate them over triangles")
      ->check(CLI::IsMember({"vertices", "integrated"}))
      ->capture_default_str()
      ->option_text("vertices|integrated");
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

int put_out(const std::vector<ScoreRow>& rows, const ScoreOutput& o, const ScoreFiles& files, bool quiet) {
  FieldSettings settings;
  settings.bootstrap.seed = o.seed;
  settings.min_bend = o.min_bend.value_or(kMinBend);
  if (o.quality == "integrated") settings.quality = QualityKind::integrated;
  const Field field = field_of(rows, settings);
  const Gates gates{o.min_quality, settings.quality, o.max_worst, o.min_bend, o.require_control};
  if (!quiet) std::fputs(tables(field, o).c_str(), stdout);
  if (!files.report.empty() || !files.html.empty())
    write_files(score_report(field, settings, settings_of(o)), files);
  if (!o.junit.empty()) write_text(junit(rows, gates), o.junit);
  if (tell_misses(rows, gates) > 0) return gate_missed;
  const bool failed = std::any_of(rows.begin(), rows.end(), [](const ScoreRow& row) { return !row.ok; });
  return failed ? pair_failed : done;
}

}  // namespace pelt::cli
