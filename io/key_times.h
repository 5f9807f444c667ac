#pragma once

#include <vector>

#include "scene.h"

namespace pelt {

/// The times at which a clip must be sampled to lose nothing at its keys: 0, every key of every track and
/// every frame of a point cache, and for each STEP key that changes the value also the last float before it,
/// so that a jump stays a jump. Seconds, strictly increasing.
std::vector<float> key_times(const Clip& clip);

/// k / fps from 0 up to the clip's end, and the end itself. \throw UsageError unless fps is positive and
/// finite, or where it asks for more than a million frames.
std::vector<float> regular_times(const Clip& clip, double fps);

/// Three times inside every interval, at its quarters: where players interpolate. Jumps (neighbouring floats)
/// have none. `interval` receives the index of the interval of each, if given.
std::vector<double> between_times(const std::vector<float>& keys, std::vector<int>* interval = nullptr);

}  // namespace pelt
