#include "score_row.h"

#include <algorithm>
#include <iterator>

#include "../io/or_null.h"
#include "json_member.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const JointError& error);
Json to_json(const RegionError& error);
Json to_json(const ClipScore& score);

template <class Item>
Json list_json(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(to_json(item));
  return list;
}

Json to_json(const JointError& e) { return {{"joint", e.joint}, {"mean_pct", e.mean}, {"share", e.share}}; }

Json to_json(const RegionError& e) {
  return {{"region", e.region}, {"mean_pct", e.mean}, {"share", e.share}};
}

Json to_json(const ClipScore& s) {
  return {{"clip", s.clip},
          {"joints", name_of(s.joints)},
          {"quality", or_null(s.quality)},
          {"quality_in_place", or_null(s.quality_in_place)},
          {"quality_integrated", or_null(s.quality_integrated)},
          {"quality_gap_counted", or_null(s.quality_gap_counted)},
          {"mean_pct", s.mean},
          {"rms_pct", s.rms},
          {"p95_pct", s.p95},
          {"p99_pct", s.p99},
          {"worst_pct", s.worst},
          {"floor_rms_pct", s.floor_rms},
          {"travel_mean_pct", s.travel_mean},
          {"travel_max_pct", s.travel_max},
          {"joint_errors", list_json(s.joint_errors)},
          {"regions", list_json(s.regions)}};
}

JointError joint_error(const Json& json) {
  JointError e;
  take(json, "joint", e.joint);
  take(json, "mean_pct", e.mean);
  take(json, "share", e.share);
  return e;
}

RegionError region_error(const Json& json) {
  RegionError e;
  take(json, "region", e.region);
  take(json, "mean_pct", e.mean);
  take(json, "share", e.share);
  return e;
}

JointMode joint_mode(const Json& json) {
  std::string name;
  take(json, "joints", name);
  const auto mode = std::find_if(std::begin(kJointModes), std::end(kJointModes),
                                 [&](JointMode m) { return name_of(m) == name; });
  if (mode == std::end(kJointModes)) throw InvalidInput("joints: '" + name + "' is no mode");
  return *mode;
}

ClipScore clip_score(const Json& json) {
  ClipScore s;
  take(json, "clip", s.clip);
  s.joints = joint_mode(json);
  take(json, "quality", s.quality);
  take(json, "quality_in_place", s.quality_in_place);
  take(json, "quality_integrated", s.quality_integrated);
  take(json, "quality_gap_counted", s.quality_gap_counted);
  take(json, "mean_pct", s.mean);
  take(json, "rms_pct", s.rms);
  take(json, "p95_pct", s.p95);
  take(json, "p99_pct", s.p99);
  take(json, "worst_pct", s.worst);
  take(json, "floor_rms_pct", s.floor_rms);
  take(json, "travel_mean_pct", s.travel_mean);
  take(json, "travel_max_pct", s.travel_max);
  take_list(json, "joint_errors", s.joint_errors, joint_error);
  take_list(json, "regions", s.regions, region_error);
  return s;
}

ControlScore control_score(const Json& json) {
  ControlScore c;
  take(json, "passed", c.passed);
  take(json, "none", c.none);
  take_list(json, "clips", c.clips, clip_score);
  return c;
}

}  // namespace

Json to_json(const ScoreRow& row) {
  return {{"key", row.key},
          {"tool", row.tool},
          {"model", row.model},
          {"artist", row.artist},
          {"rig", row.rig},
          {"output", row.output},
          {"output_hash", row.output_hash},
          {"ok", row.ok},
          {"exit_code", row.exit_code},
          {"reason", row.reason},
          {"control",
           {{"passed", or_null(row.control.passed)},
            {"none", row.control.none},
            {"clips", list_json(row.control.clips)}}},
          {"health", row.health ? to_json(*row.health) : Json(nullptr)},
          {"clips", list_json(row.clips)},
          {"warnings", row.warnings},
          {"seconds", row.seconds},
          {"details", row.details}};
}

ScoreRow row_from_json(const Json& json) {
  ScoreRow row;
  take(json, "key", row.key);
  take(json, "tool", row.tool);
  take(json, "model", row.model);
  take(json, "artist", row.artist);
  take(json, "rig", row.rig);
  take(json, "output", row.output);
  take(json, "output_hash", row.output_hash);
  take(json, "ok", row.ok);
  take(json, "exit_code", row.exit_code);
  take(json, "reason", row.reason);
  Json control;
  take(json, "control", control);
  row.control = control_score(control);
  Json health;
  take(json, "health", health);
  if (!health.is_null()) row.health = health_from_json(health);
  take_list(json, "clips", row.clips, clip_score);
  take(json, "warnings", row.warnings);
  take(json, "seconds", row.seconds);
  take(json, "details", row.details);
  return row;
}

bool same_but_time(const ScoreRow& a, const ScoreRow& b) {
  Json first = to_json(a), second = to_json(b);
  first["seconds"] = second["seconds"] = 0;
  return first == second;
}

}  // namespace pelt
