#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "rig_of_scene.h"
#include "scene.h"
#include "solved_clip.h"

namespace pelt {

/// One property of a joint in every clip. `moves` is false where it keeps its rest value in all of them (to
/// the rounding of floats); the file then needs no track for it.
struct PropertyKeys {
  bool moves = false;
  std::vector<Eigen::MatrixXf> of_clip;  ///< components x keys; rotations x, y, z, w
};

/// Local keys of a joint, as a file stores them.
struct JointKeys {
  PropertyKeys translation, rotation, scale;
};

struct LocalTracks {
  std::vector<JointKeys> joints;
  double worst_shear = 0;  ///< largest |L - R S| / |L| left over; L: the local transform that was asked for
  int worst_joint = -1;
};

/// Local transforms of all joints, computed parents first: local = (G_parent as written)^-1 D_j G_j^rest,
/// where "as written" is what a reader makes of the float keys, so that rounding errors do not pile up along
/// a chain. Nodes between joints stay at rest.
///
/// Scale is the node's rest scale. Where a rotation and that scale miss the local transform by more than 1e-6
/// of it, the joint gets scale keys as well; what no TRS can say (shear) is measured. Under a singular parent
/// a joint keeps its rest transform. Rotation keys are of unit length and in one hemisphere from key to key.
/// With `rigid_bones` joints below others only turn and roots turn and translate, whatever the poses say, so
/// that every bone has its rest length to the bit.
/// \pre a pose of all joints for each time.
LocalTracks local_tracks(const Scene& scene, const SceneRig& rig, const std::vector<SolvedClip>& clips,
                         bool rigid_bones = false);

}  // namespace pelt
