#pragma once

#include <string>

#include "../solver/correspond.h"
#include "scene.h"

namespace pelt {

/// In which pose artist and rig are compared (DESIGN section 1, "matching pose").
enum class MatchPose { automatic, rest, bind };

struct Matching {
  Correspondence correspondence;
  bool artist_in_bind = false, rig_in_bind = false;  ///< the poses that were taken
};

/// Finds the matching pose and the corresponding points. `automatic` takes rest with rest unless another
/// pair's two-sided mean gap is smaller by more than 0.01 % of the artist's rest diagonal. Artist and rig
/// must be in one space and unit. \throw InvalidInput where bind is asked for and a file allows no bind pose.
Matching match_scenes(const Scene& artist, const Scene& rig, MatchPose pose);

/// Limits beyond which two surfaces are not the same animal, % of the artist's rest diagonal.
struct GapLimits {
  double mean = 0.5, p99 = 2.0;
  double counterpart = 2.0;  ///< a vertex farther than this has none
};

/// Empty where the surfaces correspond; else a sentence with the figures and what to try.
std::string why_refused(const Matching& matching, double artist_diag, const GapLimits& limits = {});

}  // namespace pelt
