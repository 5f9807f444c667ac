#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "batch/rig_health.h"
#include "commands.h"
#include "console.h"
#include "inspect_page.h"
#include "io/gltf_reader.h"
#include "io/io_error.h"
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

/// None where the file is no rig that moves a surface.
std::optional<RigHealth> health_of(const Document& document, const Inspection& inspection) {
  if (!inspection.stance || inspection.stored.joints.empty()) return std::nullopt;
  try {
    return rig_health(make_rig_file(document));
  } catch (const ReadError&) {  // such as numbers that are finite and whose products are not
    return std::nullopt;
  }
}

std::string json_of(const Inspection& inspection, const std::optional<RigHealth>& health) {
  nlohmann::ordered_json report = inspect_report(inspection);
  report["rig_health"] = health ? to_json(*health) : nlohmann::ordered_json(nullptr);
  return report.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

int run_inspect(const InspectCommand& c) {
  if (!c.positions.empty()) return run_positions(c);
  const Document document = open_document(c.file);
  const Inspection inspection = look_at(document);
  const std::optional<RigHealth> health = health_of(document, inspection);
  const std::string text = c.json ? json_of(inspection, health) : inspect_page(inspection, health);
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
