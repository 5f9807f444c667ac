#pragma once

#include <Eigen/Core>

#include "closest_point.h"
#include "similarity.h"
#include "surface.h"

namespace pelt {

/// How a rig's surface is laid on the artist's.
struct Alignment {
  /// A similarity: rotation, uniform scale, translation; of a mirrored rig with a reflection.
  Eigen::Matrix4d artist_from_rig = Eigen::Matrix4d::Identity();
  bool mirrored = false;
  double gap = 0;  ///< two-sided, of AlignSettings::far, unit of the artist's surface
};

/// Fractions are of the artist's diagonal.
struct AlignSettings {
  double coincidence = 1e-4;  ///< mean gap below which the surfaces lie on each other as they are
  double far = 0.05;   ///< distances count as no more than this: a part that one side lacks costs little
  int samples = 2000;  ///< area samples a side
  int few = 200;       ///< the same while there are many starts
};

/// Finds the similarity that lays the rig on the artist: any rotation, any scale, mirrored or not, parts
/// missing on either side. What is simpler is kept unless the next is clearly better, that is, has less than
/// half its gap: first the surfaces as they lie (identity to the bit), then un-mirrored ones, then mirrored
/// ones. A symmetric animal is therefore never taken for a mirrored one. Identical for any number of threads.
/// \throw InvalidInput if a surface has no area.
Alignment align(const IndexedSurface& artist, const IndexedSurface& rig, const AlignSettings& settings = {});

/// The same. \throw InvalidInput also if a surface is not valid.
Alignment align(const Surface& artist, const Surface& rig, const AlignSettings& settings = {});

/// The rig's surface in the artist's space. Triangles of a mirrored rig face outwards where the artist's do.
Surface in_artist_space(const Surface& artist, const Surface& rig, const Alignment& alignment);

/// Angle of the rotation, of a mirrored rig that of the rotation which comes with the mirroring of x.
double rotation_degrees(const Alignment& alignment);

}  // namespace pelt
