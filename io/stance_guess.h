#pragma once

#include <Eigen/Core>
#include <string>

#include "../solver/surface.h"

namespace pelt {

/// How an animal's rest surface seems to stand. For people to look at; no bake is computed from it.
struct StanceGuess {
  std::string unit;    ///< metres, centimetres, unit box, or unclear
  std::string up;      ///< +Y, +Z, -Z, or unclear where the surface is flat
  std::string facing;  ///< an axis, or unclear
};

/// Unit: by the longest side of the box. Up: the side away from the feet, which are where the outermost 3 %
/// of the surface spread widest: +Y, as glTF wants it, unless +Z or -Z does so by far. Facing: of
/// the two level axes the one that the surface is not symmetric along, towards the head (the top of a long
/// body) or the toes (the bottom of an upright one). \pre the surface has an area
StanceGuess guess_stance(const Surface& rest);

/// The same guess of up as a unit vector, where a level direction is known, such as the one from the animal's
/// left to its right: +Y, or +Z if Y is level, where the surface is flat. \pre the surface has an area
Eigen::Vector3d guess_up(const Surface& rest, const Eigen::Vector3d& level);

}  // namespace pelt
