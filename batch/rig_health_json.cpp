#include <nlohmann/json.hpp>

#include "../io/or_null.h"
#include "json_member.h"
#include "rig_health.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

LegHealth leg_from_json(const Json& json) {
  LegHealth leg;
  take(json, "joint", leg.joint);
  take(json, "bends_deg", leg.bends);
  take(json, "weighted", leg.weighted);
  return leg;
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
  take(json, "joints", health.joints);
  take(json, "joints_without_weights", health.joints_without_weights);
  take(json, "far_vertices_pct", health.far_vertices);
  take(json, "farthest_pct", health.farthest);
  take(json, "weight_islands", health.weight_islands);
  take(json, "mean_influences", health.mean_influences);
  take(json, "max_influences", health.max_influences);
  take(json, "asymmetry_pct", health.asymmetry);
  take_list(json, "legs", health.legs, leg_from_json);
  return health;
}

}  // namespace pelt
