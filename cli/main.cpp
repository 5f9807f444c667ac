#include <CLI/CLI.hpp>
#include <cstdio>

#include "batch/failure.h"
#include "commands.h"
#include "console.h"
#include "io/report.h"
#include "keep_memory.h"

namespace {

using namespace pelt::cli;

/// What nobody asked for is told first: it is what most often makes something else seem to be missing.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining(true);
  return (unknown.empty() ? error.what() : "unknown argument '" + unknown.front() + "'") +
         " (see pelt --help)";
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Bakes an artist's animation onto another rig of the same animal by solving the surface.",
               "pelt");
  app.set_version_flag("--version", pelt::version());
  app.require_subcommand(1);
  int exit_code = done;
  add_bake(app, exit_code);
  add_control(app, exit_code);
  add_score(app, exit_code);
  add_merge(app, exit_code);
  add_inspect(app, exit_code);
  add_view(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      app.exit(error);  // prints help or version
    } else {
      complain(what_is_wrong(app, error));
      exit_code = usage;
    }
  }
  flush_stdout();
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  keep_memory();
  try {
    return parse_and_run(argc, argv);
  } catch (const std::bad_alloc& error) {
    complain("out of memory");
    return bad_input;
  } catch (const std::exception& error) {
    complain(error.what());
    return pelt::failure_code(error);
  }
}
