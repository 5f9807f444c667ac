#pragma once

#include <vector>

#include "motive.h"
#include "transfer.h"

namespace pelt {

/// What clips of a rig are measured against, and how.
struct ClipMeasure {
  const Motive& motive;
  const RigFile& rig;
  double diag;  ///< the artist's, in the rig's unit
  const MeasureSettings& settings;
  int threads = 1;
};

/// A clip as it was read from a rig's file, and the artist's clip that it should follow.
struct WrittenClip {
  const Clip& source;
  const Scene& scene;
  const Clip& clip;
};

/// The written clip against the targets at the keys `which` (indices into clip.times) and between them, and
/// at those keys the affine floor where the clip has one.
void measure_surface(const ClipMeasure& measure, const WrittenClip& written, const std::vector<int>& which,
                     ClipTransfer& clip);

/// Travel and smoothness of the written joints.
void measure_joints(const ClipMeasure& measure, const WrittenClip& written, ClipTransfer& clip);

/// Vertices of a share above 0.
std::vector<int> counted_vertices(const MeasureSettings& settings);

}  // namespace pelt
