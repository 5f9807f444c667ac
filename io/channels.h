#pragma once

#include <Eigen/Core>
#include <map>
#include <utility>
#include <vector>

#include "local_tracks.h"

namespace pelt {

/// A property of a node that a channel animates.
using Target = std::pair<int, TrackPath>;

/// The channels of a clip: components x keys, a column for each of the clip's key times, also where the
/// values are constant. So a clip has one input accessor, and its length does not hang on which of its joints
/// move.
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
