#pragma once

#include <Eigen/Core>
#include <vector>

#include "closest_point.h"

namespace pelt {

/// In the unit of the surfaces.
struct SheetSettings {
  double coincidence = 0;  ///< vertices this close to the artist's surface stay where they are
  double reach = 0;        ///< a sheet farther than this is none of a vertex's
};

/// Where surfaces lie close to each other (legs, lips, a folded ear, a cloth on the body) the closest points
/// of neighbouring vertices may lie on different sheets of the artist's surface, or on one that faces away.
/// `places` holds the closest point of each used vertex of the rig; around such vertices it gets the closest
/// point of the sheet that is the nearest on average over the neighbours along the sheet. Both surfaces in
/// one space, `normals` are the rig's vertex normals; what no triangle of the rig uses is not looked at.
/// Identical for any number of threads.
void keep_to_sheets(const IndexedSurface& artist, const Surface& rig, const Eigen::Matrix3Xd& normals,
                    const SheetSettings& settings, std::vector<SurfacePoint>& places);

}  // namespace pelt
