#pragma once

#include "gait.h"
#include "skeleton.h"
#include "skin_weights.h"

namespace pelt {

/// A surface with the joints that move it.
struct RiggedSkin {
  Surface skin;
  Skeleton skeleton;
  WeightMatrix weights;
};

/// The artist's rig: bent legs, smooth weights.
RiggedSkin artist_rig();

/// The same skin on straight legs with weights of its own.
RiggedSkin straight_rig(const Surface& skin);

/// Each triangle cut in four at the midpoints of its edges; new vertices have the mean of the weights of the
/// edge's ends.
RiggedSkin subdivided(const RiggedSkin& rig);

/// The skinned surface: the sum over joints of weight * motion * place at bind.
Eigen::Matrix3Xd skinned(const RiggedSkin& rig, const JointMotions& motions);

/// Unit vertex normals, area-weighted.
Eigen::Matrix3Xd normals_of(const Surface& skin);

}  // namespace pelt
