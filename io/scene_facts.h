#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "scene.h"

namespace pelt {

struct SkinFacts {
  int joints = 0;
  int weighted = 0;                     ///< joints that some vertex has a weight on
  int influences = 0;                   ///< most non-zero weights of any vertex
  std::optional<double> off_bind_mean;  ///< bind surface from rest surface, by area, % of diag; none where
                                        ///< the skin shapes nothing or allows no bind pose
  double off_bind_max = 0;
};

/// What only the decoded scene tells.
struct SceneFacts {
  double diag = 0;                                 ///< diagonal of the rest surface's box
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< sides of that box
  std::vector<SkinFacts> skins;
  int odd_sums = 0;      ///< vertices whose stored weights do not sum to 1
  double worst_sum = 1;  ///< the stored sum furthest from 1
  std::vector<std::optional<double>>
      key_rate;  ///< of each clip, keys per second; 0: no two keys; none: mixed
};

SceneFacts scene_facts(const Scene& scene);

/// A flag a joint of the skin: has some vertex a weight on it?
std::vector<char> weighted_joints(const Scene& scene, int skin);

/// The box of the vertices that a triangle uses; zeros for an empty surface.
Eigen::AlignedBox3d box_of(const Surface& surface);

/// Keys per second of the grid that all keys of a clip lie on: the shortest interval, of which all others are
/// multiples to 2 %. 0 where no track has two keys; none where there is no such grid.
std::optional<double> key_rate(const Clip& clip);

}  // namespace pelt
