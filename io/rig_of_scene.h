#pragma once

#include <vector>

#include "../solver/rig.h"
#include "scene.h"

namespace pelt {

/// The rig of a scene and which node each of its joints is.
struct SceneRig {
  Rig rig;
  std::vector<int> node_of_joint;  ///< J
  std::vector<int> joint_of_node;  ///< N; -1 where the node is no joint
};

/// Flags of the vertices that a triangle uses.
std::vector<char> used_vertices(const Scene& scene);

/// Joints are the joints of all skins, plus, for meshes without a skin, the nearest node at or above the mesh
/// that is a joint or that a clip of the file animates. A joint used by several skins is one joint. A vertex
/// of a mesh that nothing moves has no influence. Morph targets stand at their rest weights. Rest points are
/// double, from the file's matrices as they are.
SceneRig rig_of_scene(const Scene& scene);

}  // namespace pelt
