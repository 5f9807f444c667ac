#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "console.h"
#include "io/bake.h"
#include "io/io_error.h"
#include "io/report.h"
#include "table.h"
#include "transfer_options.h"

namespace pelt::cli {
namespace {

struct BakeCommand {
  CommonOptions common;
  std::string artist, rig, mesh, output, match = "auto", align = "auto", points_up = "auto";
  std::vector<std::string> points;
  double points_fps = 24;
  std::string joints = "free";
  double stiffness = SolveSettings{}.stiffness, key_tolerance = 0;
  std::optional<double> stretch;
  int max_influences = 0;
  std::optional<double> min_quality;
  bool force = false, replace = false;
};

void add_point_options(CLI::App& command, BakeCommand& c) {
  CLI::Option* points =
      command
          .add_option(
              "--points", c.points,
              "Clip of the artist's mesh: a .mdd or .pc2 file or the first .obj of a sequence (repeatable)")
          ->option_text("FILE")
          ->allow_extra_args(false);
  command.add_option("--points-fps", c.points_fps, "Frames per second of .pc2 files and .obj sequences")
      ->check(positive_number)
      ->capture_default_str()
      ->needs(points)
      ->option_text("N");
  command.add_option("--points-up", c.points_up, "Axis that points up in point files")
      ->check(CLI::IsMember({"auto", "y", "z"}))
      ->capture_default_str()
      ->needs(points)
      ->option_text("y|z|auto");
}

void add_joint_options(CLI::App& command, BakeCommand& c) {
  command
      .add_option("--joints", c.joints,
                  "How joints may move: free, rotate, stretch or scale; of a list the first is written, the "
                  "others are compared")
      ->capture_default_str()
      ->option_text("MODE[,MODE...]");
  command
      .add_option("--stiffness", c.stiffness,
                  "Price on a joint's origin leaving its parent's motion (free and scale)")
      ->check(number_from_zero)
      ->capture_default_str()
      ->option_text("L");
  command.add_option("--stretch", c.stretch, "The same price of mode stretch (default: 0.01)")
      ->check(number_from_zero)
      ->option_text("L");
}

/// The modes of a list with commas. \throw UsageError for one that is unknown.
std::vector<JointMode> joint_modes(const std::string& list) {
  std::vector<JointMode> modes;
  for (std::size_t first = 0, end = 0; end != std::string::npos; first = end + 1) {
    end = list.find(',', first);
    const std::string name = list.substr(first, end == std::string::npos ? end : end - first);
    const auto mode = std::find_if(std::begin(kJointModes), std::end(kJointModes),
                                   [&](JointMode m) { return name_of(m) == name; });
    if (mode == std::end(kJointModes))
      throw UsageError("--joints: '" + name + "' is not free, rotate, stretch or scale");
    modes.push_back(*mode);
  }
  return modes;
}

BakeOptions bake_options(const BakeCommand& c) {
  BakeOptions options;
  options.artist = c.artist, options.rig = c.rig, options.mesh = c.mesh, options.output = c.output;
  options.points.files.assign(c.points.begin(), c.points.end());
  options.points.fps = c.points_fps;
  options.points.up = c.points_up == "auto" ? PointsUp::automatic
                      : c.points_up == "y"  ? PointsUp::y
                                            : PointsUp::z;
  options.clips = c.common.clips;
  options.match = c.match == "auto"   ? MatchPose::automatic
                  : c.match == "rest" ? MatchPose::rest
                                      : MatchPose::bind;
  options.align = c.align != "none";
  if (c.align != "none" && c.align != "auto") options.alignment = c.align;
  options.force = c.force, options.strict = c.common.strict;
  options.transfer = transfer_settings(c.common);
  options.joints = joint_modes(c.joints);
  options.transfer.solve.stiffness = c.stiffness;
  const auto& modes = options.joints;
  if (c.stretch && std::find(modes.begin(), modes.end(), JointMode::stretch) == modes.end())
    throw UsageError("--stretch is the price of mode stretch, which --joints does not name");
  options.stretch = c.stretch.value_or(kDefaultStretch);
  options.transfer.write.replace = c.replace;
  options.transfer.key_tolerance = c.key_tolerance;
  options.max_influences = c.max_influences;
  return options;
}

/// Clips below the gate are told; true if there are any.
bool misses_gate(const BakeResult& result, std::optional<double> min_quality) {
  bool missed = false;
  for (const ClipTransfer& clip : result.clips) {
    if (!min_quality || !clip.keys.quality || *clip.keys.quality >= *min_quality) continue;
    char text[80];
    std::snprintf(text, sizeof text, ": quality %.4f is below --min-quality %g", *clip.keys.quality,
                  *min_quality);
    complain(result.output + ": clip '" + clip.written_name + "'" + text);
    missed = true;
  }
  return missed;
}

void check_report(const BakeCommand& c) {
  std::vector<std::string> files = c.points;
  files.insert(files.end(), {c.artist, c.rig, c.mesh, c.output});
  if (c.align != "none" && c.align != "auto") files.push_back(c.align);
  check_report_path(c.common.report, files);
  const auto ending = [](const std::string& file) { return std::filesystem::path(file).extension(); };
  for (const std::string& file : c.points)  // a sequence has more files than the one that is named
    if (!c.common.report.empty() && ending(c.common.report) == ending(file))
      throw UsageError(c.common.report + ": the report must not end as the point files do");
}

int run_bake(const BakeCommand& c) {
  check_report(c);
  const BakeOptions options = bake_options(c);
  const BakeResult result = bake(options);
  clear_progress();
  print_warnings(result.warnings, c.common.quiet);
  if (!c.common.quiet) std::fputs(bake_table(result).c_str(), stdout);
  if (!c.common.report.empty()) write_report(bake_report(options, result), c.common.report);
  if (result.control && !result.control->passed) {
    complain(failed_control(result.artist, *result.control) + "; no figure here counts");
    return gate_missed;
  }
  return misses_gate(result, c.min_quality) ? gate_missed : done;
}

}  // namespace

void add_bake(CLI::App& app, int& exit_code) {
  auto c = std::make_shared<BakeCommand>();
  CLI::App* command = app.add_subcommand("bake", "Bake the artist's clips onto another rig");
  command->add_option("ARTIST", c->artist, "Animated .glb or .gltf, or an .obj mesh with --points")
      ->required();
  command->add_option("RIG", c->rig, "Another rig of the same animal, or a text rig")->required();
  command->add_option("-o,--output", c->output, "The rig's file with the clips")
      ->required()
      ->option_text("OUT");
  command->add_option("--mesh", c->mesh, "The OBJ that a text rig is for (default: the one beside it)")
      ->option_text("FILE");
  add_point_options(*command, *c);
  add_common_options(*command, c->common);
  add_joint_options(*command, *c);
  command
      ->add_option("--key-tolerance", c->key_tolerance,
                   "Leave out keys while no vertex moves by more than so many % of the diagonal")
      ->check(number_from_zero)
      ->capture_default_str()
      ->option_text("P");
  command
      ->add_option("--max-influences", c->max_influences,
                   "Solve and score with the N largest weights of each vertex, as an engine plays them")
      ->check(CLI::Range(1, 1 << 20))
      ->option_text("N");
  command->add_option("--match", c->match, "Pose in which the surfaces are compared")
      ->check(CLI::IsMember({"auto", "rest", "bind"}))
      ->capture_default_str()
      ->option_text("rest|bind|auto");
  command
      ->add_option("--align", c->align,
                   "Turn, scale and place of the rig: none, looked for, or artist_from_rig of a JSON file")
      ->capture_default_str()
      ->option_text("none|auto|FILE");
  command->add_flag("--force", c->force, "Bake although the surfaces do not correspond");
  command->add_flag("--replace", c->replace, "Replace a clip of the same name");
  command->add_option("--min-quality", c->min_quality, "Exit with 5 if a clip's quality is lower (per cent)")
      ->check(finite_number)
      ->option_text("Q");
  command->callback([c, &exit_code] { exit_code = run_bake(*c); });
}

}  // namespace pelt::cli
