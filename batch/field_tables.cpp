#include "field_tables.h"

#include <algorithm>
#include <set>

namespace pelt {
namespace {

using Row = std::vector<std::string>;

// With fewer, even differences of one sign are no 95 % evidence: 2 / 2^5 > 0.05.
constexpr int kFewModels = 6;
constexpr std::size_t kLongName = 28;

std::string count(int n) { return std::to_string(n); }

std::string of(int part, int all) { return count(part) + "/" + count(all); }

/// 92.31 +-0.84; with the number of models where that is not `usual`.
std::string cell(const MeanOf& mean, int usual) {
  if (mean.count == 0) return "-";
  std::string text = fixed(mean.mean, 2);
  if (mean.interval) text += " +-" + fixed((mean.interval->high - mean.interval->low) / 2, 2);
  if (mean.count != usual) text += " (" + count(mean.count) + ")";
  return text;
}

std::string cell_of(const std::map<std::string, MeanOf>& clips, const std::string& column, int usual) {
  const auto found = clips.find(column);
  return found == clips.end() ? "-" : cell(found->second, usual);
}

std::string rank_of(const ToolScore& tool) {
  if (tool.models == 0) return "-";
  if (tool.best_rank == tool.last_rank) return count(tool.best_rank);
  return count(tool.best_rank) + "-" + count(tool.last_rank);
}

std::vector<ToolScore> tools_in(const Field& field, JointMode mode) {
  std::vector<ToolScore> tools;
  for (const ToolScore& tool : field.tools)
    if (tool.joints == mode) tools.push_back(tool);
  return tools;
}

/// The tools' names, cut where they are long.
std::vector<std::string> names_of(const std::vector<ToolScore>& tools) {
  std::vector<std::string> names;
  for (const ToolScore& tool : tools) names.push_back(tool.tool);
  return shortened(names, kLongName);
}

std::set<std::string> models_of(const Field& field, const ToolScore& tool) {
  std::set<std::string> models;
  for (const ScoreRow& row : field.rows)
    if (row.tool == tool.tool && row.ok)
      for (const ClipScore& clip : row.clips)
        if (clip.joints == tool.joints && quality_of(clip, field.quality)) models.insert(model_name(row));
  return models;
}

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

std::string control_verdict(const ControlField& control) {
  std::string text = "control: passed for " + of(control.passed, control.artists) + " artists";
  if (!control.failed.empty())
    text += "; FAILED, so that nothing of theirs counts: " + joined(control.failed);
  if (!control.none.empty()) text += "; none for " + joined(control.none);
  return text;
}

/// What the numbers mean, as far as it is not plain.
std::vector<std::string> quality_notes(const Field& field, const std::vector<ToolScore>& tools) {
  std::vector<std::string> notes{
      control_verdict(field.control),
      "quality: % of the motion; mean: of each model's mean over its clips; +-: half the 95 % interval"};
  if (field.quality == QualityKind::integrated)
    notes.push_back("quality is integrated over triangles, the control's is summed over vertices");
  bool shared = false, few = false, one = false;
  int still = 0, lacking = 0;
  std::set<std::set<std::string>> sets;
  for (const ToolScore& tool : tools) {
    lacking += tool.lacking;
    if (tool.models == 0) continue;
    shared |= tool.best_rank != tool.last_rank;
    one |= tool.models == 1;
    few |= tool.models > 1 && tool.models < kFewModels;
    still += tool.still;
    sets.insert(models_of(field, tool));
  }
  if (shared)
    notes.push_back("rank a-b: against the tools between, the difference over common models is within noise");
  if (sets.size() > 1)
    notes.push_back("tools have different models: means are over each tool's own, ranks over common ones");
  if (one) notes.push_back("one model: no interval, and no rank beyond noise");
  if (few)
    notes.push_back("fewer than " + count(kFewModels) + " models: intervals are too narrow to lean on");
  if (lacking > 0) notes.push_back(count(lacking) + " clips that move have no integral and are left out");
  if (still > 0) notes.push_back(count(still) + " clips that do not move are left out");
  return notes;
}

Row control_row(const Field& field, const std::string& label) {
  const ControlField& control = field.control;
  Row row{"", label, count(control.artists), "", cell(control.quality, control.artists)};
  for (const std::string& column : field.columns)
    row.push_back(cell_of(control.clips, column, control.artists));
  return row;
}

Table quality_table(const Field& field, JointMode mode) {
  const std::vector<ToolScore> tools = tools_in(field, mode);
  const std::vector<std::string> names = names_of(tools);
  Table table{"quality, joints " + name_of(mode), {{"rank", "tool", "models", "failed", "mean"}}, 2, {}};
  if (mode == field.modes.front()) table.notes = quality_notes(field, tools);
  for (const std::string& column : field.columns) table.rows[0].push_back(column);
  table.rows.push_back(control_row(field, "control (artists)"));
  for (std::size_t t = 0; t < tools.size(); ++t) {
    const ToolScore& tool = tools[t];
    Row row{rank_of(tool), names[t], count(tool.models), count(tool.failed), cell(tool.quality, tool.models)};
    for (const std::string& column : field.columns) row.push_back(cell_of(tool.clips, column, tool.models));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Mean over the clips of a row that move.
std::optional<double> mean_quality(const std::vector<ClipScore>& clips, JointMode mode, QualityKind kind) {
  std::vector<double> qualities;
  for (const ClipScore& clip : clips)
    if (const auto& quality = quality_of(clip, kind); clip.joints == mode && quality)
      qualities.push_back(*quality);
  return qualities.empty() ? std::nullopt : std::optional(mean_of(qualities).mean);
}

/// A row of a model's table: qualities by column, "-" where a clip is lacking or does not move.
Row clip_cells(const Field& field, const std::vector<ClipScore>& clips, JointMode mode) {
  const std::vector<std::string> own = clip_columns(clips);
  Row row;
  for (const std::string& column : field.columns) {
    std::optional<double> quality;
    for (std::size_t c = 0; c < own.size(); ++c)
      if (own[c] == column && clips[c].joints == mode) quality = quality_of(clips[c], field.quality);
    row.push_back(fixed(quality, 2));
  }
  return row;
}

double worst_of(const std::vector<ClipScore>& clips, JointMode mode) {
  double worst = 0;
  for (const ClipScore& clip : clips)
    if (clip.joints == mode) worst = std::max(worst, clip.worst);
  return worst;
}

Row model_row(const Field& field, const ScoreRow& row, JointMode mode, const std::string& name) {
  Row cells{name, fixed(mean_quality(row.clips, mode, field.quality), 2), fixed(worst_of(row.clips, mode), 2),
            weakest_region(row, mode)};
  const Row clips = clip_cells(field, row.clips, mode);
  cells.insert(cells.end(), clips.begin(), clips.end());
  return cells;
}

/// The rows of one model.
Table model_table(const Field& field, const std::vector<const ScoreRow*>& rows) {
  std::vector<std::string> tools;
  for (const ScoreRow* row : rows) {
    const bool twice = std::count_if(rows.begin(), rows.end(),
                                     [&](const ScoreRow* other) { return other->tool == row->tool; }) > 1;
    tools.push_back(twice ? row->tool + " " + row->rig : row->tool);
  }
  const std::vector<std::string> names = shortened(tools, kLongName);
  Table table{"model " + model_name(*rows[0]), {{"tool", "mean", "worst %", "loses most"}}, 1, {}};
  for (const std::string& column : field.columns) table.rows[0].push_back(column);
  std::set<std::string> artists;
  for (const ScoreRow* row : rows) {
    if (!row->ok || !artists.insert(row->artist).second) continue;
    ScoreRow control;
    control.clips = row->control.clips;
    for (ClipScore& clip : control.clips) clip.joints = field.modes.front();
    table.rows.push_back(model_row(field, control, field.modes.front(), "control (artist)"));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!rows[r]->ok) table.rows.push_back({names[r], "failed"});
    for (const JointMode mode : field.modes)
      if (rows[r]->ok && std::any_of(rows[r]->clips.begin(), rows[r]->clips.end(),
                                     [&](const ClipScore& clip) { return clip.joints == mode; }))
        table.rows.push_back(model_row(field, *rows[r], mode,
                                       names[r] + (mode == field.modes.front() ? "" : ", " + name_of(mode))));
  }
  for (Row& row : table.rows) row.resize(table.rows[0].size());
  return table;
}

}  // namespace

std::vector<Table> quality_tables(const Field& field) {
  std::vector<Table> tables;
  for (const JointMode mode : field.modes) tables.push_back(quality_table(field, mode));
  return tables;
}

Table price_table(const Field& field) {
  const JointMode first = field.modes.front();
  Table table{"what other modes cost: quality(" + name_of(first) + ") - quality(mode), points",
              {},
              1,
              {"over the clips and models that have both; +-: half the 95 % interval over models"}};
  if (field.modes.size() < 2) return table;
  const std::vector<ToolScore> tools = tools_in(field, first);
  const std::vector<std::string> names = names_of(tools);
  table.rows.push_back({"tool"});
  for (std::size_t m = 1; m < field.modes.size(); ++m) table.rows[0].push_back(name_of(field.modes[m]));
  for (std::size_t t = 0; t < tools.size(); ++t) {
    Row row{names[t]};
    for (const ModePrice& price : field.prices)
      if (price.tool == tools[t].tool) row.push_back(cell(price.price, tools[t].models));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table health_table(const Field& field) {
  Table table{
      "health of the rigs",
      {},
      1,
      {"bare: joints without weights; far: % of the surface; infl, max: influences of a vertex",
       "symm, drivable: rigs with symmetric and bendable legs; bend: of the straightest leg, degrees"}};
  std::vector<std::string> tools;
  for (const ToolHealth& tool : field.health) tools.push_back(tool.tool);
  const std::vector<std::string> names = shortened(tools, kLongName);
  for (std::size_t t = 0; t < field.health.size(); ++t) {
    const ToolHealth& tool = field.health[t];
    if (tool.rigs == 0) continue;
    if (table.rows.empty())
      table.rows.push_back(
          {"tool", "rigs", "joints", "bare", "far", "islands", "infl", "max", "symm", "bend", "drivable"});
    table.rows.push_back({names[t], count(tool.rigs), fixed(tool.joints, 1),
                          fixed(tool.joints_without_weights, 1), fixed(tool.far_vertices, 2),
                          fixed(tool.weight_islands, 1), fixed(tool.mean_influences, 2),
                          count(tool.max_influences), of(tool.symmetric, tool.with_legs),
                          fixed(tool.least_bend, 1), of(tool.drivable, tool.with_legs)});
  }
  return table;
}

Table failure_table(const Field& field) {
  Table table{"", {}, 3, {}};
  int failed = 0;
  for (const ScoreRow& row : field.rows) {
    if (row.ok) continue;
    ++failed;
    if (table.rows.empty()) table.rows.push_back({"tool", "model", "reason"});
    table.rows.push_back({row.tool, model_name(row), row.reason});
  }
  table.title = "failed: " + of(failed, static_cast<int>(field.rows.size())) + " rows";
  return table;
}

std::vector<Table> model_tables(const Field& field) {
  std::map<std::string, std::vector<const ScoreRow*>> models;
  for (const ScoreRow& row : field.rows) models[model_name(row)].push_back(&row);
  std::vector<Table> tables;
  for (const auto& [model, rows] : models) tables.push_back(model_table(field, rows));
  return tables;
}

std::string weakest_region(const ScoreRow& row, JointMode mode) {
  std::map<std::string, double> share;
  int clips = 0;
  for (const ClipScore& clip : row.clips) {
    if (clip.joints != mode) continue;
    ++clips;
    for (const RegionError& region : clip.regions) share[region.region] += region.share;
  }
  const auto most = std::max_element(share.begin(), share.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == share.end() || !(most->second > 0)) return "-";
  return most->first + " " + fixed(100 * most->second / clips, 0) + " %";
}

}  // namespace pelt
