#pragma once

#include <optional>
#include <string>
#include <vector>

#include "health.h"
#include "pose.h"

namespace pelt {

/// A scene with what several checks need of it.
struct Examined {
  const Document& document;
  const Scene& scene;
  ScenePose rest;
  Surface surface;                          ///< at rest
  double diag = 0;                          ///< of its box
  std::vector<std::vector<char>> weighted;  ///< of each skin, a flag a joint
  std::vector<char> carries;                ///< a flag a node: does its transform move the surface?
};

using Findings = std::vector<Finding>;

/// A node as messages name it: nodes[3] 'tail'.
std::string node_at(const Scene& scene, int node);

/// Does any track of the clip move the surface?
bool moves_surface(const Examined& file, const Clip& clip);

// Skeleton and weights.
void check_surface_exists(const Examined& file, Findings& findings);
void check_weights_have_skin(const Examined& file, Findings& findings);
void check_something_moves(const Examined& file, Findings& findings);
void check_bind_matrices(const Examined& file, Findings& findings);
void check_mesh_nodes(const Examined& file, Findings& findings);
void check_scales(const Examined& file, Findings& findings);
void check_influences(const Examined& file, Findings& findings);

// Size and shape of the surface at rest.
void check_unit(const Examined& file, Findings& findings);
void check_skeleton_size(const Examined& file, Findings& findings);
void check_torn_at_rest(const Examined& file, Findings& findings);

// Clips.
void check_clip_targets(const Examined& file, Findings& findings);
void check_left_behind(const Examined& file, Findings& findings);
void check_clip_names(const Examined& file, Findings& findings);
void check_turns(const Examined& file, Findings& findings);
void check_torn_in_clips(const Examined& file, Findings& findings);

}  // namespace pelt
