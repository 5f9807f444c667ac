// Checks of clips.
#include <algorithm>
#include <cmath>
#include <map>

#include "gltf_json.h"
#include "gltf_nodes.h"
#include "health_checks.h"

namespace pelt {
namespace {

constexpr double kHalfTurn = 0.0175;  // cosine of half of 178 degrees

std::string clip_at(const Clip& clip) {
  return at("animations", clip.index) + (clip.has_name ? " '" + clip.name + "'" : "");
}

/// Where clips move nodes; a flag a node.
struct Animated {
  std::vector<char> self_or_above;  ///< a clip has a transform track for it or a node above it
  std::vector<char> tree;           ///< for any node of the tree that it is in
};

Animated animated_nodes(const Scene& scene) {
  std::vector<char> own(scene.nodes.size(), 0), any(scene.nodes.size(), 0);
  for (const Clip& clip : scene.clips)
    for (const Track& track : clip.tracks)
      if (track.path != TrackPath::weights) own[track.node] = 1;
  std::vector<int> root(scene.nodes.size());
  for (const int node : scene.parents_first) {
    const int parent = scene.nodes[node].parent;
    root[node] = parent < 0 ? node : root[parent];
    any[root[node]] |= own[node];
    if (parent >= 0) own[node] |= own[parent];
  }
  for (const int node : scene.parents_first) any[node] = any[root[node]];
  return {own, any};
}

/// Pairs of neighbouring rotation keys between which the way is open (half a turn apart) or, in a spline,
/// the long one (of opposite signs: only LINEAR chooses the shorter way).
struct Turns {
  int half = 0, first_half = -1;
  int opposite = 0, first_opposite = -1;  ///< node of the first
};

void add_turns(const Track& track, Turns& turns) {
  for (Eigen::Index k = 1; k < track.values.cols(); ++k) {
    const double dot = track.values.col(k).dot(track.values.col(k - 1));
    if (track.interpolation == Interpolation::linear && std::abs(dot) < kHalfTurn)
      if (turns.half++ == 0) turns.first_half = track.node;
    if (track.interpolation == Interpolation::cubic && dot < 0)
      if (turns.opposite++ == 0) turns.first_opposite = track.node;
  }
}

}  // namespace

bool moves_surface(const Examined& file, const Clip& clip) {
  return std::any_of(clip.tracks.begin(), clip.tracks.end(), [&](const Track& track) {
    return track.path == TrackPath::weights || file.carries[track.node];
  });
}

void check_clip_targets(const Examined& file, Findings& findings) {
  const Scene& scene = file.scene;
  if (std::none_of(scene.parts.begin(), scene.parts.end(), [](const Part& part) { return part.skin >= 0; }))
    return;
  for (const Clip& clip : scene.clips) {
    if (moves_surface(file, clip)) continue;
    const std::string first =
        clip.tracks.empty() ? "" : " (the first is " + node_at(scene, clip.tracks.front().node) + ")";
    findings.push_back(
        {"clip-moves-nothing",
         clip_at(clip) + ": none of the " + std::to_string(clip.tracks.size()) +
             " properties it animates moves the mesh" + first,
         "it animates another armature, control bones, or joints without weights; the character "
         "does not move",
         "bake the clip onto the joints that the mesh is weighted to, and export those"});
  }
}

void check_left_behind(const Examined& file, Findings& findings) {
  const Scene& scene = file.scene;
  const Animated animated = animated_nodes(scene);
  for (std::size_t s = 0; s < scene.skins.size(); ++s) {
    int left = 0, moved = 0, first = -1;
    for (std::size_t j = 0; j < scene.skins[s].joints.size(); ++j) {
      const int node = scene.skins[s].joints[j];
      if (!file.weighted[s][j]) continue;
      if (animated.self_or_above[node]) ++moved;
      if (animated.tree[node]) continue;
      if (left++ == 0) first = node;
    }
    const bool others_move =
        moved > 0 || std::any_of(scene.clips.begin(), scene.clips.end(),
                                 [&](const Clip& clip) { return moves_surface(file, clip); });
    if (left == 0 || !others_move) continue;
    findings.push_back(
        {"left-behind",
         at("skins", s) + ": " + std::to_string(left) + " joints with weights, the first " +
             node_at(scene, first) + ", hang on a root under which no clip moves anything",
         "these joints are not parented to the skeleton that moves; a limb or a piece of clothing "
         "is left behind",
         "parent them to the moving skeleton, or bind that part to it"});
  }
}

void check_clip_names(const Examined& file, Findings& findings) {
  std::map<std::string, const Clip*> seen;
  for (const Clip& clip : file.scene.clips) {
    if (!clip.has_name) continue;
    const auto [other, is_new] = seen.emplace(clip.name, &clip);
    if (!is_new)
      findings.push_back({"same-clip-name",
                          clip_at(clip) + ": has the name of " + at("animations", other->second->index),
                          "programs that find clips by name play the wrong one or miss one",
                          "rename one of them; pelt takes #" + std::to_string(clip.index) + " for its name"});
  }
}

void check_turns(const Examined& file, Findings& findings) {
  for (const Clip& clip : file.scene.clips) {
    Turns turns;
    for (const Track& track : clip.tracks)
      if (track.path == TrackPath::rotation && file.carries[track.node]) add_turns(track, turns);
    if (turns.half > 0)
      findings.push_back({"half-turn",
                          clip_at(clip) + ": " + std::to_string(turns.half) +
                              " times half a turn from key to key, first at " +
                              node_at(file.scene, turns.first_half),
                          "keys too far apart: which way round is open, and a limb swings through the body",
                          "export with more keys there"});
    if (turns.opposite > 0)
      findings.push_back(
          {"long-way-round",
           clip_at(clip) + ": " + std::to_string(turns.opposite) +
               " spline keys of the opposite sign to the rotation before, first at " +
               node_at(file.scene, turns.first_opposite),
           "a spline does not choose the shorter way: the joint spins once round between two frames",
           "make neighbouring quaternions agree in sign"});
  }
}

}  // namespace pelt
