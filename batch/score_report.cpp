#include "score_report.h"

#include <nlohmann/json.hpp>

#include "../io/or_null.h"
#include "../io/report.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

Json entry(const MeanOf& mean) {
  return {{"models", mean.count},
          {"mean", mean.count > 0 ? Json(mean.mean) : Json(nullptr)},
          {"low", mean.interval ? Json(mean.interval->low) : Json(nullptr)},
          {"high", mean.interval ? Json(mean.interval->high) : Json(nullptr)}};
}

Json entries(const std::map<std::string, MeanOf>& clips) {
  Json json = Json::object();
  for (const auto& [column, mean] : clips) json[column] = entry(mean);
  return json;
}

Json entry(const ToolScore& tool) {
  return {{"tool", tool.tool},
          {"joints", name_of(tool.joints)},
          {"models", tool.models},
          {"failed", tool.failed},
          {"still", tool.still},
          {"lacking", tool.lacking},
          {"rank", tool.models > 0 ? Json{tool.best_rank, tool.last_rank} : Json(nullptr)},
          {"quality", entry(tool.quality)},
          {"clips", entries(tool.clips)},
          {"worst_pct", tool.worst}};
}

Json entry(const ToolHealth& health) {
  return {{"tool", health.tool},
          {"rigs", health.rigs},
          {"joints", health.joints},
          {"joints_without_weights", health.joints_without_weights},
          {"far_vertices_pct", health.far_vertices},
          {"weight_islands", health.weight_islands},
          {"mean_influences", health.mean_influences},
          {"max_influences", health.max_influences},
          {"with_legs", health.with_legs},
          {"symmetric", health.symmetric},
          {"least_bend_deg", or_null(health.least_bend)},
          {"drivable", health.drivable}};
}

Json entry(const ControlField& control) {
  return {{"artists", control.artists},        {"passed", control.passed},
          {"failed", control.failed},          {"none", control.none},
          {"quality", entry(control.quality)}, {"clips", entries(control.clips)}};
}

}  // namespace

Json score_report(const Field& field, const FieldSettings& settings, const Json& options) {
  const Bootstrap& bootstrap = settings.bootstrap;
  Json report{{"pelt", version()}, {"command", "score"}, {"settings", options}};
  report["statistics"] = {{"resamples", bootstrap.resamples},
                          {"level", bootstrap.level},
                          {"seed", bootstrap.seed},
                          {"min_bend_deg", settings.min_bend}};
  report["clips"] = field.columns;
  report["control"] = entry(field.control);
  for (const char* list : {"tools", "prices", "health", "rows"}) report[list] = Json::array();
  for (const ToolScore& tool : field.tools) report["tools"].push_back(entry(tool));
  for (const ModePrice& price : field.prices)
    report["prices"].push_back(
        {{"tool", price.tool}, {"joints", name_of(price.joints)}, {"price", entry(price.price)}});
  for (const ToolHealth& health : field.health) report["health"].push_back(entry(health));
  for (const ScoreRow& row : field.rows) {
    Json json = to_json(row);
    json.erase("seconds");
    report["rows"].push_back(std::move(json));
  }
  return report;
}

}  // namespace pelt
