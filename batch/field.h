#pragma once

#include <map>
#include <string>
#include <vector>

#include "rig_health.h"
#include "score_row.h"
#include "statistics.h"

namespace pelt {

struct FieldSettings {
  Bootstrap bootstrap;
  double min_bend = kMinBend;
  QualityKind quality = QualityKind::vertices;
};

/// A tool in one mode. Means are over the tool's own models, each model's rows first averaged.
struct ToolScore {
  std::string tool;
  JointMode joints = JointMode::free;
  int models = 0;                       ///< with at least one clip that moves
  int failed = 0;                       ///< rows
  int still = 0;                        ///< clips of rows, left out because they do not move
  int lacking = 0;                      ///< clips that move and have no quality of the kind, left out as well
  MeanOf quality;                       ///< of each model's mean over its clips
  std::map<std::string, MeanOf> clips;  ///< by column
  double worst = 0;                     ///< largest error of any vertex, % of diag
  int best_rank = 1, last_rank = 1;     ///< between which tools of that mode it stands; equal: beyond noise
};

/// What it costs a tool that joints may move in another way: quality in the first mode minus that in this
/// one, over clips and models that have both.
struct ModePrice {
  std::string tool;
  JointMode joints = JointMode::rotate;
  MeanOf price;
};

/// Health of a tool's rigs: means over rigs unless said otherwise.
struct ToolHealth {
  std::string tool;
  int rigs = 0;
  double joints = 0, joints_without_weights = 0, far_vertices = 0, weight_islands = 0, mean_influences = 0;
  int max_influences = 0;
  int with_legs = 0, symmetric = 0, drivable = 0;  ///< rigs
  std::optional<double> least_bend;                ///< of all legs, degrees
};

/// The artists' own rigs, each file once.
struct ControlField {
  int artists = 0, passed = 0;
  std::vector<std::string> failed, none;  ///< artists, with the reason where there is no control
  MeanOf quality;
  std::map<std::string, MeanOf> clips;
};

/// All rows, added up. Nothing hangs on their order or their times.
struct Field {
  std::vector<std::string> columns;  ///< clips, see clip_columns
  std::vector<JointMode> modes;      ///< the first is the one that tools are ranked by
  ControlField control;
  std::vector<ToolScore> tools;  ///< mode by mode, best first
  std::vector<ModePrice> prices;
  std::vector<ToolHealth> health;               ///< by name
  std::vector<ScoreRow> rows;                   ///< sorted by tool, model, artist and rig
  double min_bend = kMinBend;                   ///< as set
  QualityKind quality = QualityKind::vertices;  ///< as set
};

/// The order of everything that is made of rows: by tool, model, artist and rig.
void sort_rows(std::vector<ScoreRow>& rows);

/// By which rows of several tools are compared: the model's name, or the artist's file where it has none.
const std::string& model_name(const ScoreRow& row);

/// Columns of a row's clips: the part of a name behind its last '|' (AnimalArmature|Walk is Walk), the whole
/// name where that part is empty or two clips of the row share it.
std::vector<std::string> clip_columns(const std::vector<ClipScore>& clips);

Field field_of(std::vector<ScoreRow> rows, const FieldSettings& settings = {});

}  // namespace pelt
