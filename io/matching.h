#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "../solver/align.h"
#include "../solver/correspond.h"
#include "../solver/surface_gap.h"
#include "scene.h"

namespace pelt {

/// In which pose artist and rig are compared (DESIGN section 1, "matching pose").
enum class MatchPose { automatic, rest, bind };

struct MatchSettings {
  MatchPose pose = MatchPose::automatic;
  std::optional<Eigen::Matrix4d> artist_from_rig;  ///< a similarity; without it one is looked for
  const Clip* clip = nullptr;  ///< of the artist, its first frame being the last pose that is tried
};

struct Matching {
  Correspondence correspondence;  ///< in the artist's space
  SurfaceGap gap;                 ///< of the two surfaces as wholes, the artist's unit
  Alignment alignment;
  bool artist_in_bind = false, rig_in_bind = false;  ///< the poses that were taken
  bool artist_in_clip = false;                       ///< taken at the clip's first frame
};

/// Finds how the rig lies on the artist, the matching pose and the corresponding points. Rest with rest, as
/// they lie, is taken unless something else's two-sided mean gap is smaller by more than 0.01 % of the
/// artist's rest diagonal: first another pair of poses as it lies, then an alignment of a pair, and where all
/// of these are beyond the limits one with the clip's first frame. \throw InvalidInput where bind is asked
/// for and a file allows no bind pose.
Matching match_scenes(const Scene& artist, const Scene& rig, const MatchSettings& settings = {});

/// Limits beyond which two surfaces are not the same animal, % of the artist's rest diagonal.
struct GapLimits {
  double mean = 0.5, p99 = 2.0;
  double counterpart = 2.0;  ///< what is farther than this has none
  /// % of one side's area that may have none, where the other side has no more than the gaps' last
  /// hundredth: a part that one side lacks (a saddle, antlers). Other animals miss each other on both sides.
  double part = 15;
};

/// What one side has and the other lacks, share of its area that is farther from the other than
/// GapLimits::counterpart.
struct Uncovered {
  double of_artist = 0, of_rig = 0;
};
Uncovered uncovered(const Matching& matching, double artist_diag);

/// Does one side have a part that the other lacks, within GapLimits::part? Gaps do not count there.
struct MissingPart {
  bool in_artist = false, in_rig = false;  ///< never both
};
MissingPart missing_part(const Matching& matching, double artist_diag, const GapLimits& limits = {});

/// Empty where the surfaces correspond; else a sentence with the figures and what to try.
std::string why_refused(const Matching& matching, double artist_diag, const GapLimits& limits = {});

}  // namespace pelt
