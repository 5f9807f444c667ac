#include "field.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace pelt {
namespace {

/// Quality by column of one model, and of all models of a tool in one mode.
using Qualities = std::map<std::string, double>;
using Models = std::map<std::string, Qualities>;

/// Tools by name, modes in the order of the field.
using Tools = std::map<std::string, std::vector<Models>>;

auto order_of(const ScoreRow& row) { return std::tie(row.tool, row.model, row.artist, row.rig, row.key); }

/// Values that meet in one place of a table are averaged, in whatever order they come.
class Averages {
 public:
  void add(const std::string& model, const std::string& column, double quality) {
    values_[{model, column}].push_back(quality);
  }
  Models models() {
    Models models;
    for (auto& [place, values] : values_) models[place.first][place.second] = mean_of(values).mean;
    return models;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::vector<double>> values_;
};

double mean_over_clips(const Qualities& clips) {
  double sum = 0;
  for (const auto& [column, quality] : clips) sum += quality;
  return sum / static_cast<double>(clips.size());
}

/// a - b over the clips and models that both have.
MeanOf difference(const Models& a, const Models& b, const Bootstrap& bootstrap) {
  std::vector<double> differences;
  for (const auto& [model, clips] : a) {
    const auto other = b.find(model);
    if (other == b.end()) continue;
    Qualities both;
    for (const auto& [column, quality] : clips)
      if (const auto same = other->second.find(column); same != other->second.end())
        both[column] = quality - same->second;
    if (!both.empty()) differences.push_back(mean_over_clips(both));
  }
  return mean_of(differences, bootstrap);
}

/// The modes of all rows: in the order of the first row that has most, then of the others; free where no row
/// has any.
std::vector<JointMode> modes_of(const std::vector<ScoreRow>& rows) {
  std::vector<JointMode> modes;
  const auto in = [](const std::vector<JointMode>& list, JointMode mode) {
    return std::find(list.begin(), list.end(), mode) != list.end();
  };
  for (const ScoreRow& row : rows) {
    std::vector<JointMode> own;
    for (const ClipScore& clip : row.clips)
      if (!in(own, clip.joints)) own.push_back(clip.joints);
    if (own.size() > modes.size()) std::swap(own, modes);
    for (const JointMode mode : own)
      if (!in(modes, mode)) modes.push_back(mode);
  }
  if (modes.empty()) modes.push_back(JointMode::free);
  return modes;
}

Models models_of(const std::vector<ScoreRow>& rows, const std::string& tool, JointMode mode,
                 QualityKind kind) {
  Averages averages;
  for (const ScoreRow& row : rows) {
    if (row.tool != tool || !row.ok) continue;
    const std::vector<std::string> columns = clip_columns(row.clips);
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (const auto& quality = quality_of(row.clips[c], kind); row.clips[c].joints == mode && quality)
        averages.add(model_name(row), columns[c], *quality);
  }
  return averages.models();
}

MeanOf mean_over_models(const Models& models, const Bootstrap& bootstrap) {
  std::vector<double> means;
  for (const auto& [model, clips] : models) means.push_back(mean_over_clips(clips));
  return mean_of(means, bootstrap);
}

std::map<std::string, MeanOf> means_by_column(const Models& models, const Bootstrap& bootstrap) {
  std::map<std::string, std::vector<double>> values;
  for (const auto& [model, clips] : models)
    for (const auto& [column, quality] : clips) values[column].push_back(quality);
  std::map<std::string, MeanOf> means;
  for (const auto& [column, list] : values) means[column] = mean_of(list, bootstrap);
  return means;
}

ToolScore score_of(const std::vector<ScoreRow>& rows, const std::string& tool, JointMode mode,
                   const Models& models, const FieldSettings& settings) {
  ToolScore score;
  score.tool = tool;
  score.joints = mode;
  score.models = static_cast<int>(models.size());
  for (const ScoreRow& row : rows) {
    if (row.tool != tool) continue;
    if (!row.ok) ++score.failed;
    for (const ClipScore& clip : row.clips) {
      if (!row.ok || clip.joints != mode) continue;
      if (!clip.quality) ++score.still;
      if (clip.quality && !quality_of(clip, settings.quality)) ++score.lacking;
      score.worst = std::max(score.worst, clip.worst);
    }
  }
  score.quality = mean_over_models(models, settings.bootstrap);
  score.clips = means_by_column(models, settings.bootstrap);
  return score;
}

/// Between which places a tool stands among those of its mode.
void rank(const std::vector<const Models*>& models, const Bootstrap& bootstrap,
          std::vector<ToolScore>& tools) {
  const auto scored =
      std::count_if(tools.begin(), tools.end(), [](const ToolScore& t) { return t.models > 0; });
  for (ToolScore& tool : tools) tool.last_rank = static_cast<int>(scored);
  for (std::size_t a = 0; a < tools.size(); ++a)
    for (std::size_t b = a + 1; b < tools.size(); ++b) {
      const MeanOf gap = difference(*models[a], *models[b], bootstrap);
      if (within_noise(gap)) continue;
      const bool a_leads = gap.mean > 0;
      ++tools[a_leads ? b : a].best_rank;
      --tools[a_leads ? a : b].last_rank;
    }
}

/// The tools in one mode, best first.
std::vector<ToolScore> tools_in(const std::vector<ScoreRow>& rows, JointMode mode,
                                const std::map<std::string, Models>& models, const FieldSettings& settings) {
  std::vector<ToolScore> tools;
  for (const auto& [tool, own] : models) tools.push_back(score_of(rows, tool, mode, own, settings));
  std::stable_sort(tools.begin(), tools.end(), [](const ToolScore& a, const ToolScore& b) {
    return std::pair(a.models > 0, a.quality.mean) > std::pair(b.models > 0, b.quality.mean);
  });
  std::vector<const Models*> in_order;
  for (const ToolScore& tool : tools) in_order.push_back(&models.at(tool.tool));
  rank(in_order, settings.bootstrap, tools);
  return tools;
}

ControlField control_of(const std::vector<ScoreRow>& rows, const Bootstrap& bootstrap) {
  ControlField field;
  std::set<std::string> seen;
  Averages averages;
  for (const ScoreRow& row : rows) {
    if (!row.ok || !seen.insert(row.artist).second) continue;
    ++field.artists;
    if (!row.control.passed)
      field.none.push_back(row.artist + ": " + row.control.none);
    else if (*row.control.passed)
      ++field.passed;
    else
      field.failed.push_back(row.artist);
    const std::vector<std::string> columns = clip_columns(row.control.clips);
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (row.control.clips[c].quality) averages.add(row.artist, columns[c], *row.control.clips[c].quality);
  }
  const Models models = averages.models();
  field.quality = mean_over_models(models, bootstrap);
  field.clips = means_by_column(models, bootstrap);
  return field;
}

ToolHealth health_of(const std::vector<ScoreRow>& rows, const std::string& tool, double min_bend) {
  ToolHealth sum;
  sum.tool = tool;
  for (const ScoreRow& row : rows) {
    if (row.tool != tool || !row.health) continue;
    const RigHealth& rig = *row.health;
    ++sum.rigs;
    sum.joints += rig.joints, sum.joints_without_weights += rig.joints_without_weights;
    sum.far_vertices += rig.far_vertices, sum.weight_islands += rig.weight_islands;
    sum.mean_influences += rig.mean_influences;
    sum.max_influences = std::max(sum.max_influences, rig.max_influences);
    sum.with_legs += !rig.legs.empty();
    sum.symmetric += rig.symmetric().value_or(false);
    sum.drivable += rig.drivable(min_bend).value_or(false);
    if (const std::optional<double> bend = rig.least_bend())
      sum.least_bend = std::min(*bend, sum.least_bend.value_or(*bend));
  }
  for (double ToolHealth::*mean :
       {&ToolHealth::joints, &ToolHealth::joints_without_weights, &ToolHealth::far_vertices,
        &ToolHealth::weight_islands, &ToolHealth::mean_influences})
    if (sum.rigs > 0) sum.*mean /= sum.rigs;
  return sum;
}

std::vector<std::string> columns_of(const std::vector<ScoreRow>& rows) {
  std::set<std::string> columns;
  for (const ScoreRow& row : rows)
    if (row.ok)
      for (const std::string& column : clip_columns(row.clips)) columns.insert(column);
  return {columns.begin(), columns.end()};
}

}  // namespace

void sort_rows(std::vector<ScoreRow>& rows) {
  std::sort(rows.begin(), rows.end(),
            [](const ScoreRow& a, const ScoreRow& b) { return order_of(a) < order_of(b); });
}

const std::string& model_name(const ScoreRow& row) { return row.model.empty() ? row.artist : row.model; }

std::vector<std::string> clip_columns(const std::vector<ClipScore>& clips) {
  const auto tail = [](const std::string& name) { return name.substr(name.rfind('|') + 1); };
  std::map<std::string, std::set<std::string>> names;
  for (const ClipScore& clip : clips) names[tail(clip.clip)].insert(clip.clip);
  std::vector<std::string> columns;
  for (const ClipScore& clip : clips) {
    const std::string column = tail(clip.clip);
    columns.push_back(column.empty() || names[column].size() > 1 ? clip.clip : column);
  }
  return columns;
}

Field field_of(std::vector<ScoreRow> rows, const FieldSettings& settings) {
  sort_rows(rows);
  Field field;
  field.columns = columns_of(rows);
  field.modes = modes_of(rows);
  field.control = control_of(rows, settings.bootstrap);
  std::set<std::string> names;
  for (const ScoreRow& row : rows) names.insert(row.tool);

  std::map<std::string, Models> first;
  for (const JointMode mode : field.modes) {
    std::map<std::string, Models> models;
    for (const std::string& tool : names) models[tool] = models_of(rows, tool, mode, settings.quality);
    for (ToolScore& tool : tools_in(rows, mode, models, settings)) field.tools.push_back(std::move(tool));
    if (mode == field.modes.front()) {
      first = std::move(models);
      continue;
    }
    for (const std::string& tool : names)
      field.prices.push_back({tool, mode, difference(first[tool], models[tool], settings.bootstrap)});
  }
  for (const std::string& tool : names) field.health.push_back(health_of(rows, tool, settings.min_bend));
  field.rows = std::move(rows);
  field.min_bend = settings.min_bend, field.quality = settings.quality;
  return field;
}

}  // namespace pelt
