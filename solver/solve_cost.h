#pragma once

#include <cstddef>

#include "local_model.h"
#include "rig.h"

namespace pelt {

/// Bytes that a solve of the rig takes with two threads at work, whatever its frames: an estimate that is
/// seldom too small, made without taking them. They grow with the pairs of joints that share a vertex and
/// with what eliminating them fills in. Counting ends where there are more than `most`.
std::size_t solve_bytes(const Rig& rig, Freedom freedom, std::size_t most);

/// The same for each frame of each joint, of all clips that are solved at a time.
constexpr std::size_t kFrameBytes = 400;

}  // namespace pelt
