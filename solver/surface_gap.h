#pragma once

#include <Eigen/Core>
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

/// Measures `samples` points a side, spread by area, the rig being laid on the artist by a similarity.
/// \throw InvalidInput if a surface has no area, or if samples < 1.
SurfaceGap surface_gap(const IndexedSurface& artist, const IndexedSurface& rig,
                       const Eigen::Matrix4d& artist_from_rig, int samples = 4000);

/// The same where both lie in one space. \throw InvalidInput also if a surface is not valid.
SurfaceGap surface_gap(const Surface& artist, const Surface& rig, int samples = 4000);

/// The figures of the samples that are no farther than `limit`. \pre the nearest is not
GapFigures within(const GapFigures& figures, double limit);

/// Share of a surface's area that is farther from the other than `limit`, the unit of the surfaces.
double share_beyond(const GapFigures& figures, double limit);

}  // namespace pelt
