#include "details.h"

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "../io/report.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

/// Six digits: what tells frames apart, at half the size.
double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

/// A list for each figure, instead of an object for each frame.
Json by_figure(const Json& frames) {
  Json lists;
  for (const char* figure : {"time_s", "mean_pct", "rms_pct", "worst_pct"}) {
    Json& list = lists[figure] = Json::array();
    for (const Json& frame : frames) list.push_back(rounded(frame[figure].get<double>()));
  }
  return lists;
}

void make_compact(Json& clips) {
  for (Json& clip : clips) clip["per_frame"] = by_figure(clip["per_frame"]);
}

}  // namespace

Json details(const BakeOptions& options, const BakeResult& result) {
  Json all = bake_report(options, result);
  for (const char* known : {"pelt", "command", "artist", "rig", "output", "warnings", "versions"})
    all.erase(known);
  make_compact(all["clips"]);
  for (Json& mode : all["modes"]) make_compact(mode["clips"]);
  if (result.control)  // alike for all rigs of the artist
    for (Json& clip : all["control"]["clips"]) clip.erase("per_frame"), clip.erase("per_joint");
  return all;
}

}  // namespace pelt
