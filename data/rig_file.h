#pragma once

#include <cstdint>
#include <vector>

#include "quadruped.h"

namespace pelt {

/// What goes into one file.
struct QuadrupedRig {
  RiggedSkin rig;
  Eigen::Matrix3Xd normals;
  JointMotions rest;               ///< of the nodes as stored, away from bind; empty: at bind
  std::vector<Gait> clips;         ///< only for the artist's skeleton
  double armature_scale = 1;       ///< of the node above the joints; their own lengths are divided by it
  bool joints_backwards = false;   ///< skin.joints lists the joints last to first
  bool mesh_below_joints = false;  ///< the mesh node hangs below the armature; a skinned mesh must not care
};

/// The file as a .glb.
std::vector<std::uint8_t> glb_of(const QuadrupedRig& file);

}  // namespace pelt
