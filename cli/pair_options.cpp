#include "pair_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "io/io_error.h"

namespace pelt::cli {
namespace {

void add_point_options(CLI::App& command, PairOptions& o) {
  CLI::Option* points =
      command
          .add_option(
              "--points", o.points,
              "Clip of the artist's mesh: a .mdd or .pc2 file or the first .obj of a sequence (repeatable)")
          ->option_text("FILE")
          ->allow_extra_args(false);
  command.add_option("--points-fps", o.points_fps, "Frames per second of .pc2 files and .obj sequences")
      ->check(positive_number)
      ->capture_default_str()
      ->needs(points)
      ->option_text("N");
  command.add_option("--points-up", o.points_up, "Axis that points up in point files")
      ->check(CLI::IsMember({"auto", "y", "z"}))
      ->capture_default_str()
      ->needs(points)
      ->option_text("y|z|auto");
}

/// What is wrong with a list of modes; empty where nothing is.
std::string mode_fault(const std::string& list) {
  try {
    joint_modes(list);
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

void add_joint_options(CLI::App& command, PairOptions& o) {
  command
      .add_option("--joints", o.joints,
                  "How joints may move: free, rotate, stretch or scale; of a list the first is written, the "
                  "others are compared")
      ->check(mode_fault)
      ->capture_default_str()
      ->option_text("MODE[,MODE...]");
  command
      .add_option("--loss", o.loss,
                  "What is made least: squares of distances, or their mean, as quality has it")
      ->check(CLI::IsMember({"squares", "distance"}))
      ->capture_default_str()
      ->option_text("squares|distance");
  command
      .add_option("--stiffness", o.stiffness,
                  "Price on a joint's origin leaving its parent's motion (free and scale)")
      ->check(price_of_leaving)
      ->capture_default_str()
      ->option_text("L");
  command.add_option("--stretch", o.stretch, "The same price of mode stretch (default: 0.01)")
      ->check(price_of_leaving)
      ->option_text("L");
}

void add_matching_options(CLI::App& command, PairOptions& o) {
  command.add_option("--match", o.match, "Pose in which the surfaces are compared")
      ->check(CLI::IsMember({"auto", "rest", "bind"}))
      ->capture_default_str()
      ->option_text("rest|bind|auto");
  command
      .add_option("--align", o.align,
                  "Turn, scale and place of the rig: none, looked for, or artist_from_rig of a JSON file")
      ->capture_default_str()
      ->option_text("none|auto|FILE");
  command.add_flag("--force", o.force, "Bake although the surfaces do not correspond");
}

}  // namespace

void add_surface_options(CLI::App& command, PairOptions& o) {
  add_point_options(command, o);
  add_common_options(command, o.common);
  add_matching_options(command, o);
  command.add_option("--html", o.html, "Write a page with tables and a viewer of the moving rigs")
      ->option_text("FILE");
}

void add_pair_options(CLI::App& command, PairOptions& o) {
  add_surface_options(command, o);
  add_joint_options(command, o);
  command
      .add_option("--max-influences", o.max_influences,
                  "Solve and score with the N largest weights of each vertex, as an engine plays them")
      ->check(CLI::Range(1, 1 << 20))
      ->option_text("N");
}

BakeOptions bake_options(const PairOptions& o) {
  BakeOptions options;
  options.points.files.assign(o.points.begin(), o.points.end());
  options.points.fps = o.points_fps;
  options.points.up = o.points_up == "auto" ? PointsUp::automatic
                      : o.points_up == "y"  ? PointsUp::y
                                            : PointsUp::z;
  options.clips = o.common.clips;
  options.match = o.match == "auto"   ? MatchPose::automatic
                  : o.match == "rest" ? MatchPose::rest
                                      : MatchPose::bind;
  options.align = o.align != "none";
  if (o.align != "none" && o.align != "auto") options.alignment = o.align;
  options.force = o.force, options.strict = o.common.strict;
  options.transfer = transfer_settings(o.common);
  options.joints = joint_modes(o.joints);
  options.transfer.solve.loss = o.loss == "distance" ? Loss::distance : Loss::squares;
  options.transfer.solve.stiffness = o.stiffness;
  const auto& modes = options.joints;
  if (o.stretch && std::find(modes.begin(), modes.end(), JointMode::stretch) == modes.end())
    throw UsageError("--stretch is the price of mode stretch, which --joints does not name");
  options.stretch = o.stretch.value_or(kDefaultStretch);
  options.max_influences = o.max_influences;
  return options;
}

}  // namespace pelt::cli
