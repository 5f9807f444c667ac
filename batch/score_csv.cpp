#include "field_tables.h"
#include "score_table.h"

namespace pelt {
namespace {

using Row = std::vector<std::string>;

constexpr int kDigits = 6;
constexpr std::size_t kBeforeHealth = 22;  // cells of a rig's line

std::string number(double value) { return fixed(value, kDigits); }

std::string number(const std::optional<double>& value) { return value ? number(*value) : ""; }

std::string yes_no(const std::optional<bool>& value) { return !value ? "" : *value ? "yes" : "no"; }

/// Mean, ends of its interval and number of models; empty cells for what there is not.
void append(Row& row, const MeanOf& mean) {
  row.push_back(mean.count > 0 ? number(mean.mean) : "");
  row.push_back(mean.interval ? number(mean.interval->low) : "");
  row.push_back(mean.interval ? number(mean.interval->high) : "");
  row.push_back(std::to_string(mean.count));
}

void append_heading(Row& row, const std::string& name) {
  for (const char* part : {"", " low", " high", " models"}) row.push_back(name + part);
}

void append_clips(Row& row, const Field& field, const std::map<std::string, MeanOf>& clips) {
  for (const std::string& column : field.columns) {
    const auto found = clips.find(column);
    append(row, found == clips.end() ? MeanOf{} : found->second);
  }
}

Row field_heading(const Field& field) {
  Row row{"tool", "joints", "rank from", "rank to", "failed", "still", "worst pct"};
  append_heading(row, "quality");
  append_heading(row, "price");
  for (const std::string& column : field.columns) append_heading(row, column);
  for (const char* name :
       {"rigs", "joints without weights", "far vertices pct", "weight islands", "mean influences",
        "max influences", "rigs with legs", "symmetric", "least bend deg", "drivable"})
    row.push_back(name);
  return row;
}

Row control_line(const Field& field, std::size_t cells) {
  Row row{"control", name_of(JointMode::free), "", "", "", "", ""};
  append(row, field.control.quality);
  append(row, MeanOf{});
  append_clips(row, field, field.control.clips);
  row.resize(cells);
  return row;
}

MeanOf price_of(const Field& field, const ToolScore& tool) {
  for (const ModePrice& price : field.prices)
    if (price.tool == tool.tool && price.joints == tool.joints) return price.price;
  return {};
}

Row tool_line(const Field& field, const ToolScore& tool) {
  const bool scored = tool.models > 0;
  Row row{tool.tool,
          name_of(tool.joints),
          scored ? std::to_string(tool.best_rank) : "",
          scored ? std::to_string(tool.last_rank) : "",
          std::to_string(tool.failed),
          std::to_string(tool.still),
          scored ? number(tool.worst) : ""};
  append(row, tool.quality);
  append(row, price_of(field, tool));
  append_clips(row, field, tool.clips);
  for (const ToolHealth& health : field.health) {
    if (health.tool != tool.tool) continue;
    for (const std::string& cell :
         {std::to_string(health.rigs), number(health.joints_without_weights), number(health.far_vertices),
          number(health.weight_islands), number(health.mean_influences),
          std::to_string(health.max_influences), std::to_string(health.with_legs),
          std::to_string(health.symmetric), number(health.least_bend), std::to_string(health.drivable)})
      row.push_back(cell);
  }
  return row;
}

Row rig_heading() {
  return {"model",
          "tool",
          "artist",
          "rig",
          "status",
          "reason",
          "control",
          "joints",
          "clip",
          "quality",
          "quality in place",
          "quality integrated",
          "quality gap counted",
          "mean pct",
          "rms pct",
          "p95 pct",
          "p99 pct",
          "worst pct",
          "floor rms pct",
          "travel mean pct",
          "travel max pct",
          "loses most",
          "joints without weights",
          "far vertices pct",
          "weight islands",
          "mean influences",
          "max influences",
          "asymmetry pct",
          "symmetric",
          "least bend deg",
          "drivable"};
}

void append_health(Row& row, const ScoreRow& score, double min_bend) {
  if (!score.health) return;
  const RigHealth& health = *score.health;
  for (const std::string& cell :
       {std::to_string(health.joints_without_weights), number(health.far_vertices),
        std::to_string(health.weight_islands), number(health.mean_influences),
        std::to_string(health.max_influences), number(health.asymmetry), yes_no(health.symmetric()),
        number(health.least_bend()), yes_no(health.drivable(min_bend))})
    row.push_back(cell);
}

/// A line a rig, clip and mode; one without a clip where the rig failed.
void append_rig(const ScoreRow& score, double min_bend, std::vector<Row>& rows) {
  const Row pair{model_name(score),
                 score.tool,
                 score.artist,
                 score.rig,
                 score.ok ? "ok" : "failed",
                 score.reason,
                 score.control.passed ? (*score.control.passed ? "passed" : "failed") : ""};
  if (score.clips.empty()) {
    rows.push_back(pair);
    rows.back().resize(kBeforeHealth);
    append_health(rows.back(), score, min_bend);
  }
  for (const ClipScore& clip : score.clips) {
    Row row = pair;
    row.insert(row.end(),
               {name_of(clip.joints), clip.clip, number(clip.quality), number(clip.quality_in_place),
                number(clip.quality_integrated), number(clip.quality_gap_counted)});
    for (const double length : {clip.mean, clip.rms, clip.p95, clip.p99, clip.worst, clip.floor_rms,
                                clip.travel_mean, clip.travel_max})
      row.push_back(number(length));
    row.push_back(clip.regions.empty() ? "" : clip.regions.front().region);
    append_health(row, score, min_bend);
    rows.push_back(std::move(row));
  }
}

}  // namespace

std::string score_csv(const Field& field, const TableOptions& options) {
  std::vector<Row> rows;
  if (options.per_model) {
    rows.push_back(rig_heading());
    for (const ScoreRow& score : field.rows) append_rig(score, field.min_bend, rows);
  } else {
    rows.push_back(field_heading(field));
    rows.push_back(control_line(field, rows[0].size()));
    for (const ToolScore& tool : field.tools) rows.push_back(tool_line(field, tool));
  }
  for (Row& row : rows) row.resize(rows[0].size());
  return csv(rows);
}

}  // namespace pelt
