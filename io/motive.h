#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "../solver/correspond.h"
#include "../solver/measure.h"
#include "rig_file.h"
#include "scene.h"
#include "surface_cache.h"

namespace pelt {

/// How vertices count in solve and measure: by area of the rig's triangles as they lie on the artist's rest
/// surface (a rig may rest in another pose, and scores compare across rigs), or all alike.
enum class Weighting { area, uniform };

/// The artist's surface in motion, as the rig's vertices should follow it.
struct Motive {
  const Scene* scene = nullptr;  ///< of the artist
  const Correspondence* correspondence =
      nullptr;  ///< nullptr: the rig is the artist's own, vertex for vertex
  Eigen::Matrix4d rig_from_artist = Eigen::Matrix4d::Identity();  ///< a similarity
  SurfaceCache* cache = nullptr;  ///< of the scene; nullptr: every surface is computed when asked for
};

/// The artist's surface at a time of a clip, neither looked up in the cache nor kept there.
Eigen::Matrix3Xd passing_surface_at(const Motive& motive, const Clip& clip, double time);

/// Targets on the artist's surface, 3 x V of the rig, in the rig's model space.
Eigen::Matrix3Xd targets_on(const Motive& motive, const Eigen::Matrix3Xd& surface,
                            Offset offset = Offset::carried);

/// Targets at a time of a clip.
Eigen::Matrix3Xd targets_at(const Motive& motive, const Clip& clip, double time);

/// Calls use(targets, artist's surface). Neither is copied where they are the same.
template <class Use>
void with_targets_at(const Motive& motive, const Clip& clip, double time, const Use& use) {
  const auto with_targets = [&](const Eigen::Matrix3Xd& surface) {
    if (motive.correspondence)
      use(targets_on(motive, surface), surface);
    else
      use(surface, surface);
  };
  if (motive.cache)
    motive.cache->with(clip, time, with_targets);
  else
    with_targets(passing_surface_at(motive, clip, time));
}

/// targets_at() where too many times are asked for to keep their surfaces.
Eigen::Matrix3Xd passing_targets_at(const Motive& motive, const Clip& clip, double time);

/// Targets at the artist's rest.
Eigen::Matrix3Xd targets_at_rest(const Motive& motive, Offset offset = Offset::carried);

/// What the measure needs of a rig: weights, rest targets, influences.
MeasureSettings measure_settings(const Motive& motive, const RigFile& rig, double diag, Weighting weighting);

/// V vertex shares (not normalised): areas or ones; zero where no triangle uses the vertex or it has no
/// counterpart on the artist's surface.
Eigen::VectorXd vertex_shares(const Motive& motive, const RigFile& rig, Weighting weighting);

}  // namespace pelt
