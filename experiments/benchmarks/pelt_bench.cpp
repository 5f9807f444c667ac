#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "cli/keep_memory.h"
#include "commands.h"

namespace {

using namespace pelt::bench;

void add_table(CLI::App& app, TableOptions& options) {
  CLI::App* command = app.add_subcommand("table", "Every stage over sizes, beside the machine's limits");
  command->add_option("--threads", options.threads)->check(CLI::Range(1, 256))->capture_default_str();
  command->add_flag("--quick", options.quick, "Small sizes and few runs");
  command->callback([&options] { run_table(options); });
}

void add_solve(CLI::App& app, SolveOptions& options) {
  CLI::App* command = app.add_subcommand("solve", "Solve a RIGDUMP1 file");
  command->add_option("DUMP", options.dump)->required();
  command->add_option("--threads", options.threads)->check(CLI::Range(1, 256))->capture_default_str();
  command->add_option("--runs", options.runs, "The least of so many runs is told")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--out", options.solution, "Poses as float64[F*B*12]");
  command->callback([&options] { run_solve(options); });
}

struct DumpOptions {
  AnimalPlan plan;
  std::filesystem::path out;
};

void add_dump(CLI::App& app, DumpOptions& options) {
  CLI::App* command = app.add_subcommand("dump", "Write a problem that rigid motions solve exactly");
  command->add_option("N", options.plan.vertices)->required()->check(CLI::Range(1, 10'000'000));
  command->add_option("JOINTS", options.plan.joints)->required()->check(CLI::Range(1, 10'000));
  command->add_option("FRAMES", options.plan.frames)->required()->check(CLI::Range(1, 100'000));
  command->add_option("OUT", options.out)->required();
  command->callback([&options] { write_dump(exact_animal(options.plan), options.out); });
}

}  // namespace

int main(int argc, char** argv) {
  pelt::cli::keep_memory();
  CLI::App app("Times pelt's solver");
  app.require_subcommand(1);
  TableOptions table;
  SolveOptions solve;
  DumpOptions dump;
  add_table(app, table);
  add_solve(app, solve);
  add_dump(app, dump);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pelt-bench: %s\n", error.what());
    return 2;
  }
  return 0;
}
