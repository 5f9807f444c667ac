// The file contract is in DESIGN section 5: additions only, save the edits named there.
#include "clip_writer.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "append.h"
#include "channels.h"
#include "io_error.h"
#include "trs.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

constexpr double told_shear = 1e-4;  // below, the float rounding of real files and nothing that shows

const char* path_name(TrackPath path) {
  switch (path) {
    case TrackPath::translation:
      return "translation";
    case TrackPath::rotation:
      return "rotation";
    case TrackPath::scale:
      return "scale";
    default:
      return "weights";
  }
}

void check(const SolvedClip& clip, const SceneRig& rig, const std::string& file) {
  const auto refuse = [&](const std::string& what) {
    throw WriteError(file + ": clip '" + clip.name + "': " + what);
  };
  if (rig.rig.joints() == 0) refuse("there is no joint to animate");
  if (clip.times.empty()) refuse("no keys");
  if (clip.poses.size() != clip.times.size())
    refuse(std::to_string(clip.poses.size()) + " poses for " + std::to_string(clip.times.size()) +
           " key times");
  for (size_t k = 0; k < clip.times.size(); ++k) {
    const std::string key = "key " + std::to_string(k);
    if (!std::isfinite(clip.times[k]) || clip.times[k] < 0 || (k && clip.times[k] <= clip.times[k - 1]))
      refuse(key + " is at " + std::to_string(clip.times[k]) +
             " s: times must be finite and increase from 0");
    if (static_cast<int>(clip.poses[k].size()) != rig.rig.joints())
      refuse(key + " has motions for " + std::to_string(clip.poses[k].size()) + " of " +
             std::to_string(rig.rig.joints()) + " joints");
    for (size_t j = 0; j < clip.poses[k].size(); ++j)
      if (!clip.poses[k][j].allFinite()) refuse(key + ", joint " + std::to_string(j) + " is not finite");
  }
}

/// The name of an animation, or null.
const std::string* name_of(const Json& animation) {
  const auto name = animation.find("name");
  return name == animation.end() ? nullptr : name->get_ptr<const std::string*>();
}

std::string free_name(const std::string& name, const std::set<std::string>& taken) {
  std::string candidate = name + " (pelt)";
  for (int n = 2; taken.count(candidate); ++n) candidate = name + " (pelt " + std::to_string(n) + ")";
  return candidate;
}

/// The name of each clip in the file: its own, or a suffixed one where that is taken.
std::vector<std::string> settle_names(const std::vector<SolvedClip>& clips, const Json& old,
                                      const std::vector<int>& stay, WriteOutcome& outcome) {
  std::set<std::string> used;
  for (const int a : stay)
    if (const std::string* name = name_of(old[a])) used.insert(*name);
  std::set<std::string> wanted = used;
  for (const SolvedClip& clip : clips)
    if (clip.has_name) wanted.insert(clip.name);
  std::vector<std::string> names;
  for (const SolvedClip& clip : clips) {
    std::string name = clip.name;
    if (clip.has_name && used.count(name)) {
      name = free_name(name, wanted);
      outcome.warnings.push_back("a clip named '" + clip.name +
                                 "' is there already: the new one is written as '" + name + "'");
    }
    if (clip.has_name) {
      used.insert(name);
      wanted.insert(name);
    }
    names.push_back(name);
  }
  return names;
}

/// The old animations that stay, by their index.
std::vector<int> staying(const Json& old, const std::vector<SolvedClip>& clips,
                         const WriteSettings& settings) {
  std::set<std::string> replaced;
  if (settings.replace)
    for (const SolvedClip& clip : clips)
      if (clip.has_name) replaced.insert(clip.name);
  std::vector<int> stay;
  for (size_t a = 0; a < old.size(); ++a) {
    const std::string* name = name_of(old[a]);
    if (!name || !replaced.count(*name)) stay.push_back(static_cast<int>(a));
  }
  return stay;
}

/// Accessors of a channel's sampler, counted from the first new one.
struct SamplerAccessors {
  int input = 0, output = 0;
};

Json animation_json(const Channels& channels, const std::vector<SamplerAccessors>& accessors,
                    int first_accessor, const std::string* name) {
  Json animation = Json::object();
  if (name) animation["name"] = *name;
  Json list = Json::array(), samplers = Json::array();
  for (const auto& [target, values] : channels) {
    const SamplerAccessors& read = accessors[samplers.size()];
    const Json place = {{"node", target.first}, {"path", path_name(target.second)}};
    list.push_back(Json::object({{"sampler", samplers.size()}, {"target", place}}));
    samplers.push_back(Json::object({{"input", first_accessor + read.input},
                                     {"interpolation", "LINEAR"},
                                     {"output", first_accessor + read.output}}));
  }
  animation["channels"] = std::move(list);
  animation["samplers"] = std::move(samplers);
  return animation;
}

/// The keys that a track of the clip keeps.
std::vector<int> kept_keys(const SolvedClip& clip, const Target& target) {
  if (const auto kept = clip.kept.find(target); kept != clip.kept.end()) return kept->second;
  std::vector<int> all(clip.times.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Adds the data of a clip; tracks with the same key times share their input.
std::vector<SamplerAccessors> add_accessors(const SolvedClip& clip, const Channels& channels,
                                            std::vector<NewAccessor>& accessors) {
  const Eigen::Map<const Eigen::RowVectorXf> times(clip.times.data(),
                                                   static_cast<Eigen::Index>(clip.times.size()));
  const auto add = [&](Eigen::MatrixXf values, bool bounds) {
    accessors.push_back({std::move(values), bounds});
    return static_cast<int>(accessors.size()) - 1;
  };
  std::vector<SamplerAccessors> of_channel;
  std::map<std::vector<int>, int> inputs;
  for (const auto& [target, all_values] : channels) {
    const std::vector<int> keys = kept_keys(clip, target);
    const auto [input, fresh] = inputs.try_emplace(keys);
    if (fresh) input->second = add(times(keys), true);
    const Eigen::MatrixXf values = all_values(Eigen::all, keys);
    const bool scalars = target.second == TrackPath::weights;
    const int output = add(scalars ? Eigen::MatrixXf(values.reshaped(1, values.size())) : values, false);
    of_channel.push_back({input->second, output});
  }
  return of_channel;
}

/// `matrix` becomes an equal TRS in its place: a node that an animation targets must not have one.
Json with_trs(const Json& node, const Trs& trs) {
  const Eigen::Vector3d& t = trs.translation;
  const Eigen::Vector3d& s = trs.scale;
  const Eigen::Vector4d& r = trs.rotation.coeffs();
  Json edited = Json::object();
  for (const auto& [key, value] : node.items()) {
    if (key != "matrix") {
      edited[key] = value;
      continue;
    }
    edited["translation"] = {t.x(), t.y(), t.z()};
    edited["rotation"] = {r.x(), r.y(), r.z(), r.w()};
    edited["scale"] = {s.x(), s.y(), s.z()};
  }
  return edited;
}

void replace_matrices(Document& document, const Scene& scene, const std::vector<Channels>& channels,
                      WriteOutcome& outcome) {
  std::set<int> animated;
  for (const Channels& clip : channels)
    for (const auto& [target, values] : clip)
      if (target.second != TrackPath::weights) animated.insert(target.first);
  for (const int n : animated) {
    Json& json = document.json["nodes"][n];
    if (!json.contains("matrix")) continue;
    const Node& node = scene.nodes[n];
    const Trs trs = rest_trs(node);
    json = with_trs(json, trs);
    const double lost = node.matrix ? (matrix_of(trs) - *node.matrix).norm() / node.matrix->norm() : 0;
    if (lost <= told_shear) continue;
    std::ostringstream text;
    text << "the matrix of node " << n << " ('" << node.name
         << "') is sheared: the nearest translation, rotation and "
         << "scale miss it by " << 100 * lost << " %";
    outcome.warnings.push_back(text.str());
  }
}

void tell_shear(const Scene& scene, const SceneRig& rig, const LocalTracks& tracks, WriteOutcome& outcome) {
  if (tracks.worst_shear <= told_shear) return;
  const int node = rig.node_of_joint[tracks.worst_joint];
  std::ostringstream text;
  text << "shear that translation, rotation and scale cannot express: " << std::setprecision(3)
       << 100 * tracks.worst_shear << " % of the local transform, worst at joint '" << scene.nodes[node].name
       << "' (node " << node << ")";
  outcome.warnings.push_back(text.str());
}

/// The animations that stay, in their order; a new clip stands where the clip that it replaces stood, else at
/// the end. `indices` receives where each new clip stands.
Json merged_animations(const Json& old, const std::vector<int>& stay, const std::vector<Json>& fresh,
                       std::vector<int>& indices) {
  Json merged = Json::array();
  indices.assign(fresh.size(), -1);
  const auto place = [&](size_t c) {
    if (indices[c] >= 0) return;
    indices[c] = static_cast<int>(merged.size());
    merged.push_back(fresh[c]);
  };
  for (size_t a = 0; a < old.size(); ++a) {
    if (std::binary_search(stay.begin(), stay.end(), static_cast<int>(a))) {
      merged.push_back(old[a]);
      continue;
    }
    for (size_t c = 0; c < fresh.size(); ++c)
      if (name_of(fresh[c]) && *name_of(fresh[c]) == *name_of(old[a])) place(c);
  }
  for (size_t c = 0; c < fresh.size(); ++c) place(c);
  return merged;
}

/// Poses may be finite and their local transforms not: under a parent of almost no scale they outgrow floats.
void check_finite(const std::vector<Channels>& channels, const std::vector<SolvedClip>& clips,
                  const Scene& scene) {
  for (size_t c = 0; c < clips.size(); ++c)
    for (const auto& [target, values] : channels[c])
      if (!values.allFinite())
        throw WriteError(scene.file + ": clip '" + clips[c].name + "': " + path_name(target.second) +
                         " of node " + std::to_string(target.first) + " ('" + scene.nodes[target.first].name +
                         "') is not finite as floats");
}

}  // namespace

Document with_clips(const Document& document, const Scene& scene, const SceneRig& rig,
                    const std::vector<SolvedClip>& clips, const WriteSettings& settings,
                    WriteOutcome& outcome) {
  for (const SolvedClip& clip : clips) check(clip, rig, scene.file);
  Document edited = document;
  const Json none = Json::array();
  const bool keep = !settings.drop_existing_clips && document.json.contains("animations");
  const Json& old = keep ? document.json["animations"] : none;
  const std::vector<int> stay = staying(old, clips, settings);
  outcome.names = settle_names(clips, old, stay, outcome);

  std::vector<Json> fresh;
  if (!clips.empty()) {
    const LocalTracks tracks = local_tracks(scene, rig, clips, settings.rigid_bones);
    const std::vector<Channels> channels = channels_of(scene, rig, clips, tracks, stay);
    check_finite(channels, clips, scene);
    tell_shear(scene, rig, tracks, outcome);
    replace_matrices(edited, scene, channels, outcome);
    std::vector<NewAccessor> accessors;
    std::vector<std::vector<SamplerAccessors>> of_clip;
    for (size_t c = 0; c < clips.size(); ++c)
      of_clip.push_back(add_accessors(clips[c], channels[c], accessors));
    const int first = append_accessors(edited, accessors);
    for (size_t c = 0; c < clips.size(); ++c)
      fresh.push_back(
          animation_json(channels[c], of_clip[c], first, clips[c].has_name ? &outcome.names[c] : nullptr));
  }
  Json animations = merged_animations(old, stay, fresh, outcome.indices);
  if (animations.empty())
    edited.json.erase("animations");
  else
    edited.json["animations"] = std::move(animations);
  return edited;
}

}  // namespace pelt
