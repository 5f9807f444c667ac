#include "inspect_page.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "console.h"

namespace pelt::cli {
namespace {

template <typename... Values>
std::string format(const char* pattern, Values... values) {
  char text[200];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

std::string row(const std::string& heading, const std::string& cell) {
  return format("%-12s", heading.c_str()) + printable(cell) + "\n";
}

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text.empty() ? "-" : text;
}

std::string extensions(const FileFacts& facts) {
  std::vector<std::string> items;
  for (const std::string& extension : facts.extensions_used) {
    const auto& required = facts.extensions_required;
    const bool needed = std::find(required.begin(), required.end(), extension) != required.end();
    items.push_back(extension + (needed ? " (required)" : ""));
  }
  for (const std::string& extension : facts.extensions_required)
    if (std::find(facts.extensions_used.begin(), facts.extensions_used.end(), extension) ==
        facts.extensions_used.end())
      items.push_back(extension + " (required)");
  if (facts.sparse) items.push_back("sparse accessors");
  return joined(items);
}

std::string influences(const Inspection& i) {
  std::string text =
      std::to_string(i.stored.influence_sets) + (i.stored.influence_sets == 1 ? " set" : " sets");
  int most = 0;
  if (i.scene)
    for (const SkinFacts& skin : i.scene->skins) most = std::max(most, skin.influences);
  if (most > 0) text = "at most " + std::to_string(most) + " a vertex, " + text;
  return text;
}

std::string skin(const Inspection& i, std::size_t s) {
  const std::string joints = std::to_string(i.stored.joints[s]) + " joints";
  if (!i.scene) return joints;
  const SkinFacts& facts = i.scene->skins[s];
  const std::string bind = facts.off_bind_mean ? format("rest is off bind by mean %.3g %%, at most %.3g %%",
                                                        *facts.off_bind_mean, facts.off_bind_max)
                                               : "no bind pose";
  return joints + ": " + std::to_string(facts.weighted) + " with weights, " +
         std::to_string(facts.joints - facts.weighted) + " without; " + bind;
}

std::string clip(const Inspection& i, std::size_t c) {
  const ClipFacts& facts = i.stored.clips[c];
  std::string text =
      "#" + std::to_string(facts.index) + " " + (facts.name.empty() ? "(no name)" : facts.name);
  text += facts.timed ? format(": %.2f s", facts.end) : ": ? s";
  if (facts.timed && facts.start > 0) text += format(", from %.2f s", facts.start);
  if (!i.scene) return text;
  const std::optional<double>& rate = i.scene->key_rate[c];
  if (!rate) return text + ", mixed rates";
  return text + (*rate > 0 ? format(", %.3g keys/s", *rate) : ", one key");
}

std::string surface(const Inspection& i) {
  const Eigen::Vector3d& size = i.scene->size;
  std::string text = row("size", format("%.4g x %.4g x %.4g", size.x(), size.y(), size.z()) +
                                     (i.stance ? " (a guess: " + i.stance->unit + ")" : ""));
  if (i.stance) text += row("stance", "up " + i.stance->up + ", facing " + i.stance->facing + " (a guess)");
  if (i.stored.influence_sets > 0)
    text += row("weight sums", i.scene->odd_sums == 0 ? "all 1"
                                                      : format("%d vertices off 1, worst %.6g",
                                                               i.scene->odd_sums, i.scene->worst_sum));
  return text;
}

std::string rig(const RigHealth& health) {
  const std::string islands = std::to_string(health.weight_islands) +
                              (health.weight_islands == 1 ? " weight island, " : " weight islands, ");
  std::string text =
      row("rig", islands + format("%.2f influences a vertex, %.3g %% of the surface far from its bones",
                                  health.mean_influences, health.far_vertices));
  if (health.legs.empty()) return text + row("legs", "none found");
  std::string legs;
  for (const LegHealth& leg : health.legs)
    legs += (legs.empty() ? "" : ", ") + leg.joint + format(" %.1f", leg.bend()) +
            (leg.weighted ? "" : " (a bone of it moves nothing)");
  return text + row("legs", "bend at rest, degrees: " + legs) +
         row("", format(*health.symmetric() ? "symmetric, to %.3g %%" : "not symmetric: off by %.3g %%",
                        *health.asymmetry) +
                     (*health.drivable() ? "; turning joints can bend them"
                                         : "; turning joints alone cannot bend them"));
}

std::string finding(const char* heading, const Finding& f) {
  std::string text = row(heading, f.what);
  if (!f.cause.empty()) text += row("", "likely: " + f.cause) + row("", "cure: " + f.cure);
  return text;
}

}  // namespace

std::string inspect_page(const Inspection& i, const std::optional<RigHealth>& health) {
  std::string text = row("file", i.file);
  text += row("meshes",
              std::to_string(i.stored.meshes) + ", " + std::to_string(i.stored.triangles) + " triangles");
  text += row("vertices", vertices_cell(i.stored));
  text += row("influences", influences(i));
  for (std::size_t s = 0; s < i.stored.joints.size(); ++s)
    text += row("skin " + std::to_string(s), skin(i, s));
  if (i.stored.joints.empty()) text += row("skins", "none");
  for (std::size_t c = 0; c < i.stored.clips.size(); ++c) text += row(c == 0 ? "clips" : "", clip(i, c));
  if (i.stored.clips.empty()) text += row("clips", "none");
  text += row("extensions", extensions(i.stored));
  if (i.scene) text += surface(i);
  if (health) text += rig(*health);
  for (const Finding& f : i.findings) text += finding(f.note ? "note" : "warning", f);
  if (i.unreadable) text += finding("unreadable", *i.unreadable);
  return text;
}

}  // namespace pelt::cli
