#include "channels.h"

#include <algorithm>

#include "trs.h"

namespace pelt {
namespace {

/// Nodes whose transform moves the surface: joints, carriers of rigid parts, and all above them.
std::vector<char> shaping_nodes(const Scene& scene, const SceneRig& rig) {
  std::vector<char> shaping(scene.nodes.size(), 0);
  const auto mark = [&](int node) {
    for (; node >= 0 && !shaping[node]; node = scene.nodes[node].parent) shaping[node] = 1;
  };
  for (const int node : rig.node_of_joint) mark(node);
  for (const Part& part : scene.parts)
    if (part.skin < 0) mark(part.node);
  return shaping;
}

Eigen::VectorXf rest_value(const Scene& scene, const Target& target) {
  const auto [node, path] = target;
  const Trs rest = rest_trs(scene.nodes[node]);
  if (path == TrackPath::translation) return rest.translation.cast<float>();
  if (path == TrackPath::rotation) return rest.rotation.coeffs().cast<float>();
  if (path == TrackPath::scale) return rest.scale.cast<float>();
  for (const Part& part : scene.parts)
    if (part.node == node) return part.morph_weights.cast<float>();
  return {};
}

/// Rest values for what a clip that stays in the file moves. Without them a player that does not reset
/// between clips would keep the last pose of that clip.
std::map<Target, Eigen::VectorXf> held_by_others(const Scene& scene, const SceneRig& rig,
                                                 const std::vector<int>& stay) {
  const std::vector<char> shaping = shaping_nodes(scene, rig);
  std::map<Target, Eigen::VectorXf> held;
  for (const Clip& clip : scene.clips) {
    if (std::find(stay.begin(), stay.end(), clip.index) == stay.end()) continue;
    for (const Track& track : clip.tracks) {
      const Target target{track.node, track.path};
      if (track.path != TrackPath::weights && !shaping[track.node]) continue;
      const Eigen::VectorXf rest = rest_value(scene, target);
      if (rest.size() > 0) held[target] = rest;
    }
  }
  return held;
}

}  // namespace

std::vector<Channels> channels_of(const Scene& scene, const SceneRig& rig,
                                  const std::vector<SolvedClip>& clips, const LocalTracks& tracks,
                                  const std::vector<int>& stay) {
  std::vector<Channels> channels(clips.size());
  const auto held = held_by_others(scene, rig, stay);
  for (size_t c = 0; c < clips.size(); ++c) {
    for (const auto& [target, rest] : held)
      channels[c][target] = rest.replicate(1, static_cast<Eigen::Index>(clips[c].times.size()));
    for (int j = 0; j < rig.rig.joints(); ++j) {
      const int node = rig.node_of_joint[j];
      const auto add = [&](TrackPath path, const PropertyKeys& keys) {
        if (keys.moves) channels[c][{node, path}] = keys.of_clip[c];
      };
      add(TrackPath::translation, tracks.joints[j].translation);
      add(TrackPath::rotation, tracks.joints[j].rotation);
      add(TrackPath::scale, tracks.joints[j].scale);
    }
    // A clip in which nothing moves still has its length; an animation without channels would not be valid.
    if (channels[c].empty())
      channels[c][{rig.node_of_joint[0], TrackPath::rotation}] = tracks.joints[0].rotation.of_clip[c];
  }
  return channels;
}

}  // namespace pelt
