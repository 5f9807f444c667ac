#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "transfer.h"

namespace pelt {

/// J; the rest origin of each joint that has weights and a parent, in its parent's space: where the parent
/// carries it. None elsewhere, nor under a singular rest transform.
std::vector<std::optional<Eigen::Vector4d>> origins_in_parents(const SceneRig& rig);

/// Fills travel and joint_travel of a clip from the joints as the written file moves them, at the clip's
/// keys: how far each joint's origin is from where its parent's motion away from rest would put it. Joints
/// under a singular rest transform are left out.
void measure_travel(const RigFile& rig, const Scene& written, const Clip& written_clip, double diag,
                    ClipTransfer& clip);

}  // namespace pelt
