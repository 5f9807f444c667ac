#pragma once

#include "transfer.h"

namespace pelt {

/// Fills travel and joint_travel of a clip from the joints as the written file moves them, at the clip's
/// keys: how far each joint's origin is from where its parent's motion away from rest would put it. Joints
/// under a singular rest transform are left out.
void measure_travel(const RigFile& rig, const Scene& written, const Clip& written_clip, double diag,
                    ClipTransfer& clip);

}  // namespace pelt
