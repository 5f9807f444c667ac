#pragma once

namespace CLI {
class App;
}

namespace pelt::cli {

/// Exit codes (docs/command-line.md).
enum Exit {
  done = 0,
  usage = 1,
  bad_input = 2,
  no_correspondence = 3,
  output_failed = 4,
  gate_missed = 5,
  pair_failed = 6,
  interrupted = 130
};

// Each adds its subcommand; the exit code of a run that throws nothing goes to `exit_code`.
void add_bake(CLI::App& app, int& exit_code);
void add_control(CLI::App& app, int& exit_code);
void add_inspect(CLI::App& app, int& exit_code);
void add_merge(CLI::App& app, int& exit_code);
void add_score(CLI::App& app, int& exit_code);
void add_view(CLI::App& app, int& exit_code);

}  // namespace pelt::cli
