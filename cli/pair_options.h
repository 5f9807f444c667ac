#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/bake.h"
#include "transfer_options.h"

namespace pelt::cli {

/// Options of a pair of artist and rig, which bake and score have in common.
struct PairOptions {
  CommonOptions common;
  std::string match = "auto", align = "auto", points_up = "auto", joints = "free", loss = "squares";
  std::vector<std::string> points;
  double points_fps = 24, stiffness = SolveSettings{}.stiffness;
  std::optional<double> stretch;
  int max_influences = 0;
  std::string html;
  bool force = false;
};

/// Those of them that say which surfaces are compared and how, without what is solved.
void add_surface_options(CLI::App& command, PairOptions& options);

void add_pair_options(CLI::App& command, PairOptions& options);

/// What the options ask for, without the files of a pair. \throw UsageError
BakeOptions bake_options(const PairOptions& options);

}  // namespace pelt::cli
