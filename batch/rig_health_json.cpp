#include <nlohmann/json.hpp>

#include "../io/or_null.h"
#include "../solver/error.h"
#include "rig_health.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Value member(const Json& json, const char* name) {
  try {
    return json.at(name).get<Value>();
  } catch (const Json::exception& error) {
    throw InvalidInput(std::string("health, member '") + name + "': " + error.what());
  }
}

}  // namespace

Json to_json(const RigHealth& health) {
  Json json{{"joints", health.joints},
            {"joints_without_weights", health.joints_without_weights},
            {"far_vertices_pct", health.far_vertices},
            {"farthest_pct", health.farthest},
            {"weight_islands", health.weight_islands},
            {"mean_influences", health.mean_influences},
            {"max_influences", health.max_influences},
            {"asymmetry_pct", or_null(health.asymmetry)},
            {"symmetric", or_null(health.symmetric())},
            {"least_bend_deg", or_null(health.least_bend())},
            {"legs", Json::array()}};
  for (const LegHealth& leg : health.legs)
    json["legs"].push_back({{"joint", leg.joint}, {"bends_deg", leg.bends}, {"weighted", leg.weighted}});
  return json;
}

RigHealth health_from_json(const Json& json) {
  RigHealth health;
  health.joints = member<int>(json, "joints");
  health.joints_without_weights = member<int>(json, "joints_without_weights");
  health.far_vertices = member<double>(json, "far_vertices_pct");
  health.farthest = member<double>(json, "farthest_pct");
  health.weight_islands = member<int>(json, "weight_islands");
  health.mean_influences = member<double>(json, "mean_influences");
  health.max_influences = member<int>(json, "max_influences");
  if (!member<Json>(json, "asymmetry_pct").is_null())
    health.asymmetry = member<double>(json, "asymmetry_pct");
  for (const Json& leg : member<std::vector<Json>>(json, "legs"))
    health.legs.push_back({member<std::string>(leg, "joint"), member<std::vector<double>>(leg, "bends_deg"),
                           member<bool>(leg, "weighted")});
  return health;
}

}  // namespace pelt
