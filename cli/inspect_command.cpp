#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "commands.h"
#include "console.h"
#include "io/gltf_reader.h"
#include "io/inspect.h"
#include "io/io_error.h"

namespace pelt::cli {
namespace {

void print_row(const std::string& heading, const std::string& cell) {
  std::printf("%-11s %s\n", heading.c_str(), printable(cell).c_str());
}

/// Could the file be baked from or onto, and what is odd about it?
void print_readability(const Document& document) {
  try {
    const Scene scene = read_scene(document);
    for (const std::string& warning : scene.warnings) print_row("warning", warning);
  } catch (const ReadError& error) {
    print_row("unreadable", error.what());
  }
}

int run_inspect(const std::string& file) {
  const Document document = read_document(file);
  print_row("file", file);
  for (const auto& [heading, cell] : inspect_columns(inspect(document))) print_row(heading, cell);
  print_readability(document);
  return done;
}

}  // namespace

void add_inspect(CLI::App& app, int& exit_code) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("inspect", "Tell what a file holds");
  command->add_option("FILE", *file, ".glb or .gltf")->required();
  command->callback([file, &exit_code] { exit_code = run_inspect(*file); });
}

}  // namespace pelt::cli
