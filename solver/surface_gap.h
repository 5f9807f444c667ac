#pragma once

#include <vector>

#include "closest_point.h"
#include "surface.h"

namespace pelt {

/// Distances from samples of one surface to another surface, in the unit of the surfaces.
struct GapFigures {
  double mean = 0, median = 0, p99 = 0, max = 0;
  std::vector<double> distances;  ///< of all samples, increasing
};

/// How far apart two surfaces are, seen from both sides: a one-sided gap is fooled by a small surface inside
/// a big one.
struct SurfaceGap {
  GapFigures artist_from_rig;  ///< rig samples to the artist's surface
  GapFigures rig_from_artist;  ///< artist samples to the rig's surface
  double two_sided_mean = 0;   ///< mean of the two means
  double two_sided_p99 = 0;    ///< larger of the two p99
};

/// Measures `samples` points a side, spread by area. Both surfaces in one space.
/// \throw InvalidInput if a surface is not valid or has no area, or if samples < 1.
SurfaceGap surface_gap(const Surface& artist, const Surface& rig, int samples = 4000);

/// The same where the artist's tree is at hand. \pre artist_tree is of `artist`, both surfaces are valid.
SurfaceGap surface_gap(const Surface& artist, const TriangleTree& artist_tree, const Surface& rig,
                       int samples);

/// Share of a surface's area that is farther from the other than `limit`, the unit of the surfaces.
double share_beyond(const GapFigures& figures, double limit);

}  // namespace pelt
