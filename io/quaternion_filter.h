#pragma once

#include <cstdint>
#include <span>

namespace pelt {

/// Undoes the QUATERNION filter of EXT_meshopt_compression in place: three components of four 16-bit
/// integers, the fourth holding 1 and the place of the component left out, become unit quaternions of
/// normalised 16-bit integers, x y z w. Each component is the nearest integer but for single-precision
/// rounding (0.502 steps at most). meshoptimizer 0.18 scales before it squares, which rounds about one in a
/// thousand components to the other neighbour; this rounds as the newer decoder does that three.js and
/// glTF-Transform have, so that a file plays alike here and there.
void undo_quaternion_filter(std::span<std::uint8_t> elements);

}  // namespace pelt
