#include <CLI/CLI.hpp>
#include <memory>

#include "batch/merge_rows.h"
#include "commands.h"
#include "console.h"
#include "score_output.h"
#include "transfer_options.h"

namespace pelt::cli {
namespace {

struct MergeCommand {
  std::vector<std::string> files;
  ScoreOutput output;
  std::string report;
  bool quiet = false;
};

int run_merge(const MergeCommand& c) {
  std::vector<std::string> files = c.files;
  check_report_path(c.report, files);
  files.push_back(c.report);
  check_report_path(c.output.junit, files);
  const MergedRows merged =
      merge_rows({c.files.begin(), c.files.end()}, c.report.empty() ? Details::drop : Details::keep);
  print_warnings(merged.warnings, c.quiet);
  return put_out(merged.rows, c.output, {c.report, "", nullptr}, c.quiet);
}

}  // namespace

void add_merge(CLI::App& app, int& exit_code) {
  auto c = std::make_shared<MergeCommand>();
  CLI::App* command = app.add_subcommand("merge", "Make the tables of rows that score or bake have kept");
  command->add_option("FILE", c->files, "Files of --rows, such as those of all shards")->required();
  command->add_option("--report", c->report, "Write all figures to a JSON file")->option_text("FILE");
  command->add_flag("--quiet", c->quiet, "No table and no warnings");
  add_score_output(*command, c->output);
  command->callback([c, &exit_code] { exit_code = run_merge(*c); });
}

}  // namespace pelt::cli
