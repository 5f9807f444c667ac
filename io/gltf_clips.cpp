// Animations as in glTF 2.0, section 3.11.
#include "gltf_clips.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "gltf_nodes.h"
#include "trs.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

/// One channel of one animation, with what messages about it need.
struct Channel {
  const Json& sampler;
  std::string place;  ///< of the sampler
  int node;
  TrackPath path;
  Eigen::Index components;
};

std::optional<TrackPath> path_of(const std::string& name) {
  if (name == "translation") return TrackPath::translation;
  if (name == "rotation") return TrackPath::rotation;
  if (name == "scale") return TrackPath::scale;
  if (name == "weights") return TrackPath::weights;
  return std::nullopt;
}

Interpolation interpolation_of(const GltfSource& source, const Channel& channel) {
  const std::string name =
      channel.sampler.contains("interpolation") ? string_of(channel.sampler, "interpolation") : "LINEAR";
  if (name == "LINEAR") return Interpolation::linear;
  if (name == "STEP") return Interpolation::step;
  if (name == "CUBICSPLINE") return Interpolation::cubic;
  fail(source, channel.place + ".interpolation", "'" + name + "' is none of LINEAR, STEP and CUBICSPLINE");
}

std::vector<float> read_times(const GltfSource& source, const Channel& channel) {
  const std::string place = channel.place + ".input";
  const Eigen::RowVectorXd stored =
      source.accessors.read(integer_of(channel.sampler, "input"), {place, "SCALAR", true});
  if (stored.size() == 0) fail(source, place, "no keys");
  for (Eigen::Index k = 0; k < stored.size(); ++k) {
    const std::string key = place + ", key " + std::to_string(k);
    if (!std::isfinite(stored(k))) fail(source, key, "a time that is not finite");
    if (stored(k) < 0) fail(source, key, "a time of " + number(stored(k)) + " s");
    if (k > 0 && stored(k) <= stored(k - 1))
      fail(source, key, "at " + number(stored(k)) + " s, not after " + number(stored(k - 1)) + " s");
  }
  std::vector<float> times(stored.size());
  Eigen::RowVectorXf::Map(times.data(), stored.size()) = stored.cast<float>();
  return times;
}

/// Most of any part of each node.
std::vector<Eigen::Index> morph_targets(const Scene& scene) {
  std::vector<Eigen::Index> count(scene.nodes.size(), 0);
  for (const Part& part : scene.parts)
    count[part.node] = std::max(count[part.node], part.morph_weights.size());
  return count;
}

/// Values and tangents: a column a key, as they are in the file. For cubic splines the file holds in-tangent,
/// value and out-tangent of each key in turn.
void read_values(const GltfSource& source, const Channel& channel, Track& track) {
  const Eigen::Index components = channel.components;
  const std::string place = channel.place + ".output";
  const char* type = components == 3 ? "VEC3" : "VEC4";
  if (track.path == TrackPath::weights) type = "SCALAR";
  const Eigen::MatrixXd stored = source.accessors.read(integer_of(channel.sampler, "output"), {place, type});
  const auto keys = static_cast<Eigen::Index>(track.times.size());
  const bool cubic = track.interpolation == Interpolation::cubic;
  const Eigen::Index columns = keys * (cubic ? 3 : 1);
  if (stored.size() != columns * components)
    fail(source, place,
         std::to_string(stored.size()) + " numbers for " + std::to_string(keys) + " keys of " +
             std::to_string(components * (cubic ? 3 : 1)));
  if (!stored.allFinite()) fail(source, place, "a number that is not finite");
  const auto by_key = stored.reshaped(components, columns);
  if (!cubic) {
    track.values = by_key;
    return;
  }
  track.in_tangents = by_key(Eigen::all, Eigen::seqN(0, keys, 3));
  track.values = by_key(Eigen::all, Eigen::seqN(1, keys, 3));
  track.out_tangents = by_key(Eigen::all, Eigen::seqN(2, keys, 3));
}

/// Returns the length that is furthest from 1.
double normalise_rotations(const GltfSource& source, const Channel& channel, Track& track) {
  double worst = 1;
  for (Eigen::Index k = 0; k < track.values.cols(); ++k) {
    const double length = track.values.col(k).norm();
    if (!(length > 0))
      fail(source, channel.place + ".output, key " + std::to_string(k), "a quaternion of length zero");
    if (std::abs(length - 1) > std::abs(worst - 1)) worst = length;
    track.values.col(k) /= length;
  }
  return worst;
}

Track read_track(const GltfSource& source, const Channel& channel, Scene& scene) {
  Track track;
  track.node = channel.node;
  track.path = channel.path;
  track.interpolation = interpolation_of(source, channel);
  track.times = read_times(source, channel);
  read_values(source, channel, track);
  if (track.path == TrackPath::rotation) {
    const double worst = normalise_rotations(source, channel, track);
    const double rounding = 2 * source.accessors.precision(integer_of(channel.sampler, "output"));  // of four
    if (std::abs(worst - 1) > 1e-3 + rounding)
      scene.warnings.push_back(channel.place + ".output: a rotation key of length " + number(worst) +
                               ", normalised");
  }
  return track;
}

/// The channels of a clip that shape the surface, and how many do not, by reason.
struct Channels {
  std::vector<Channel> played;
  int pointers = 0, without_node = 0, other_paths = 0, repeated = 0, without_targets = 0;

  void tell(const std::string& clip, std::vector<std::string>& warnings) const {
    const auto line = [&](int channels, const char* reason) {
      if (channels > 0)
        warnings.push_back(clip + ": " + std::to_string(channels) + " channels left out: " + reason);
    };
    line(pointers, "KHR_animation_pointer is not played");
    line(without_node, "no target node");
    line(other_paths, "what they animate does not shape the surface or is unknown");
    line(repeated, "their property has a channel already");
    line(without_targets, "the mesh of their node has no morph targets in the scene");
  }
};

const Json& sampler_of(const GltfSource& source, std::size_t clip, std::size_t channel) {
  const Json& animation = source.json["animations"][clip];
  const auto index = animation["channels"][channel]["sampler"].get<std::size_t>();
  const std::size_t count = animation["samplers"].size();
  if (index >= count)
    fail(source, at(at("animations", clip) + ".channels", channel) + ".sampler",
         std::to_string(index) + ", but there are " + std::to_string(count) + " samplers");
  return animation["samplers"][index];
}

Channels channels_of(const GltfSource& source, std::size_t clip,
                     const std::vector<Eigen::Index>& morph_targets_of_node) {
  Channels channels;
  std::set<std::pair<int, TrackPath>> properties;
  const Json& list = source.json["animations"][clip]["channels"];
  for (std::size_t c = 0; c < list.size(); ++c) {
    const Json& sampler = sampler_of(source, clip, c);
    const int node = integer_of(list[c]["target"], "node");
    const std::optional<TrackPath> path = path_of(string_of(list[c]["target"], "path"));
    Eigen::Index components = path == TrackPath::rotation ? 4 : 3;
    if (path == TrackPath::weights && node >= 0) components = morph_targets_of_node[node];
    if (member(list[c]["target"], "extensions").contains("KHR_animation_pointer")) {
      ++channels.pointers;
    } else if (!path) {
      ++channels.other_paths;
    } else if (node < 0) {
      ++channels.without_node;
    } else if (components == 0) {
      ++channels.without_targets;
    } else if (!properties.emplace(node, *path).second) {
      ++channels.repeated;
    } else {
      const std::string place = at(at("animations", clip) + ".samplers", integer_of(list[c], "sampler"));
      channels.played.push_back({sampler, place, node, *path, components});
    }
  }
  return channels;
}

Clip read_clip(const GltfSource& source, std::size_t index,
               const std::vector<Eigen::Index>& morph_targets_of_node, Scene& scene) {
  const Json& json = source.json["animations"][index];
  Clip clip;
  clip.name = string_of(json, "name");
  clip.has_name = json.contains("name");
  clip.index = static_cast<int>(index);
  const Channels channels = channels_of(source, index, morph_targets_of_node);
  channels.tell(at("animations", index), scene.warnings);
  for (const Channel& channel : channels.played) {
    clip.tracks.push_back(read_track(source, channel, scene));
    clip.end = std::max(clip.end, clip.tracks.back().times.back());
  }
  return clip;
}

void split_animated_matrices(Scene& scene) {
  for (const Clip& clip : scene.clips) {
    for (const Track& track : clip.tracks) {
      Node& node = scene.nodes[track.node];
      if (!node.matrix || track.path == TrackPath::weights) continue;
      node.trs = nearest_trs(*node.matrix);
      const double off = (matrix_of(node.trs) - *node.matrix).cwiseAbs().maxCoeff();
      const bool sheared = off > 1e-6 * node.matrix->cwiseAbs().maxCoeff();
      scene.warnings.push_back(at("nodes", track.node) +
                               ": is animated but has a matrix, split into translation, rotation and scale" +
                               (sheared ? ", its shear dropped (" + number(off) + ")" : ""));
      node.matrix.reset();
    }
  }
}

}  // namespace

void read_clips(const GltfSource& source, Scene& scene) {
  const std::size_t count = member(source.json, "animations").size();
  const std::vector<Eigen::Index> morph_targets_of_node = morph_targets(scene);
  for (std::size_t i = 0; i < count; ++i)
    scene.clips.push_back(read_clip(source, i, morph_targets_of_node, scene));
  split_animated_matrices(scene);
}

}  // namespace pelt
