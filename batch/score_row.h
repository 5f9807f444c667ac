#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "../io/joint_mode.h"
#include "rig_health.h"

namespace pelt {

/// What the vertices of one joint lose, each counted by the joint's influence on it.
struct JointError {
  std::string joint;
  double mean = 0;   ///< % of the artist's diagonal
  double share = 0;  ///< of the error of all vertices that joints move, in [0, 1]; sums to 1 over the joints
};

/// The same of a region of the animal, such as a leg.
struct RegionError {
  std::string region;
  double mean = 0, share = 0;
};

/// One clip of a rig in one mode, or of the artist's control. Lengths in % of the artist's diagonal,
/// qualities in per cent, without value where the clip does not move.
struct ClipScore {
  std::string clip;  ///< the artist's name
  JointMode joints = JointMode::free;
  std::optional<double> quality, quality_in_place;
  std::optional<double> quality_integrated, quality_gap_counted;  ///< none of the control either
  double mean = 0, rms = 0, p95 = 0, p99 = 0, worst = 0;
  double floor_rms = 0, travel_mean = 0, travel_max = 0;
  std::vector<JointError> joint_errors;  ///< in the rig's order; joints without a vertex are left out
  std::vector<RegionError> regions;
};

/// Over what errors and displacements are summed (docs/report.md): the rig's vertices, or its triangles,
/// which rigs of other meshing share.
enum class QualityKind { vertices, integrated };

/// The quality of a kind. Of the control, whose rigs are the artists' own, there is that over vertices alone.
inline const std::optional<double>& quality_of(const ClipScore& clip, QualityKind kind) {
  return kind == QualityKind::integrated ? clip.quality_integrated : clip.quality;
}

struct ControlScore {
  std::optional<bool> passed;
  std::string none;  ///< why there is no control
  std::vector<ClipScore> clips;
};

/// One pair of artist and rig: everything that is known of it.
struct ScoreRow {
  std::string key;                       ///< of contents, settings and version
  std::string tool, model, artist, rig;  ///< names and paths as given
  std::string output;                    ///< empty where nothing was written
  std::string output_hash;               ///< of what the output held then
  bool ok = false;
  int exit_code = 0;   ///< that a run for this pair alone would have
  std::string reason;  ///< one sentence where it failed
  ControlScore control;
  std::optional<RigHealth> health;
  std::vector<ClipScore> clips;  ///< clips in the artist's order, the modes of each in the order asked for
  std::vector<std::string> warnings;
  double seconds = 0;              ///< left out of every comparison
  nlohmann::ordered_json details;  ///< settings, matching and figures of docs/report.md; null where it failed
};

nlohmann::ordered_json to_json(const ScoreRow& row);

/// Exactly what to_json was given. \throw InvalidInput naming the member that is missing or of another kind.
ScoreRow row_from_json(const nlohmann::ordered_json& json);

bool same_but_time(const ScoreRow& a, const ScoreRow& b);

}  // namespace pelt
