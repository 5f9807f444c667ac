#pragma once

#include <vector>

#include "scene.h"

namespace pelt {

/// Indices of the keys that a LINEAR track can do with: interpolated between them it comes within `tolerance`
/// of every key that is left out, in the unit of its values, rotations in radians. The first and the last key
/// stay. Rotations turn by clearly less than 180 degrees from one key that stays to any that is left out
/// before the next, and to that one, so that the shortest path between the two is the way they went.
std::vector<int> choose_keys(const Track& track, double tolerance);

/// The track with these of its keys alone.
Track with_keys(const Track& track, const std::vector<int>& keys);

}  // namespace pelt
