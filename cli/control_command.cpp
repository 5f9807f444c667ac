#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "console.h"
#include "io/bake.h"
#include "io/report.h"
#include "table.h"
#include "transfer_options.h"

namespace pelt::cli {
namespace {

struct ControlCommand {
  CommonOptions common;
  std::string artist, output;
};

int run_control(const ControlCommand& c) {
  check_report_path(c.common.report, {c.artist, c.output});
  ControlOptions options;
  options.artist = c.artist, options.output = c.output;
  options.clips = c.common.clips;
  options.strict = c.common.strict;
  options.transfer = transfer_settings(c.common);
  const ControlResult result = control(options);
  clear_progress();
  print_warnings(result.warnings, c.common.quiet);
  if (!c.common.quiet) std::fputs(control_table(result).c_str(), stdout);
  if (!c.common.report.empty()) write_report(control_report(options, result), c.common.report);
  if (result.control.passed) return done;
  complain(failed_control(result.artist, result.control));
  return gate_missed;
}

}  // namespace

void add_control(CLI::App& app, int& exit_code) {
  auto c = std::make_shared<ControlCommand>();
  CLI::App* command =
      app.add_subcommand("control", "Solve the artist's own rig for its own clips: the error must vanish");
  command->add_option("ARTIST", c->artist, "Rigged and animated .glb or .gltf")->required();
  command->add_option("-o,--output", c->output, "Write the artist's file with only the solved clips")
      ->option_text("OUT");
  add_common_options(*command, c->common);
  command->callback([c, &exit_code] { exit_code = run_control(*c); });
}

}  // namespace pelt::cli
