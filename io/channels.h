#pragma once

#include <Eigen/Core>
#include <map>
#include <vector>

#include "kept_keys.h"
#include "local_tracks.h"

namespace pelt {

/// The channels of a clip: components x keys, a column for each of the clip's key times, also where the
/// values are constant, so that a clip's length does not hang on which of its joints move.
using Channels = std::map<Target, Eigen::MatrixXf>;

/// The channels that each clip needs. A property is left out only if neither the new clips nor an animation
/// that stays in the file
/// (`stay`, file indices in increasing order) moves it: a player that does not reset between clips would keep
/// the other clip's last pose. What only a staying animation moves (joints, nodes above them, morph weights)
/// is held at rest.
std::vector<Channels> channels_of(const Scene& scene, const SceneRig& rig,
                                  const std::vector<SolvedClip>& clips, const LocalTracks& tracks,
                                  const std::vector<int>& stay);

}  // namespace pelt
