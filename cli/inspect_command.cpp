#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "console.h"
#include "inspect_page.h"
#include "io/gltf_reader.h"
#include "io/open_document.h"
#include "positions_option.h"

namespace pelt::cli {
namespace {

struct InspectCommand {
  std::string file;
  std::vector<std::pair<std::string, std::string>> positions;  ///< what and where to
  bool json = false;
};

int run_positions(const InspectCommand& c) {
  std::vector<PositionsRequest> requests;
  for (const auto& [what, output] : c.positions) requests.push_back(parse_positions(what, output));
  write_positions(read_scene(open_document(c.file)), requests);
  return done;
}

int run_inspect(const InspectCommand& c) {
  if (!c.positions.empty()) return run_positions(c);
  const Inspection inspection = look_at(open_document(c.file));
  const std::string text =
      c.json ? inspect_report(inspection).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
             : inspect_page(inspection);
  std::fputs(text.c_str(), stdout);
  flush_stdout();
  if (inspection.unreadable) complain(inspection.unreadable->what);
  return inspection.unreadable ? bad_input : done;
}

}  // namespace

void add_inspect(CLI::App& app, int& exit_code) {
  auto c = std::make_shared<InspectCommand>();
  CLI::App* command = app.add_subcommand("inspect", "Tell what a file holds and what is odd about it");
  command->add_option("FILE", c->file, ".glb or .gltf, or a text rig beside its mesh")->required();
  CLI::Option* json = command->add_flag("--json", c->json, "The same as one JSON object");
  command
      ->add_option("--positions", c->positions,
                   "Write vertex positions, of rest or CLIP@t[,t...], to a .npy or .obj file (repeatable)")
      ->option_text("WHAT OUT")
      ->allow_extra_args(false)
      ->excludes(json);
  command->callback([c, &exit_code] { exit_code = run_inspect(*c); });
}

}  // namespace pelt::cli
