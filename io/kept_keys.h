#pragma once

#include <map>
#include <utility>
#include <vector>

#include "scene.h"

namespace pelt {

/// A property of a node that a channel animates.
using Target = std::pair<int, TrackPath>;

/// Keys that the tracks of a clip keep: increasing indices into the clip's times. A track that is not named
/// keeps all of them.
using KeptKeys = std::map<Target, std::vector<int>>;

}  // namespace pelt
