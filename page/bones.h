#pragma once

#include <Eigen/Core>
#include <vector>

#include "../io/pose.h"
#include "../io/scene.h"

namespace pelt {

/// What moves vertices of a scene: a joint with its inverse bind matrix, or the node of a mesh without a
/// skin.
struct PageBone {
  int node = -1;
  Eigen::Matrix4d node_from_vertex;
};

struct PageBones {
  std::vector<PageBone> list;
  std::vector<std::vector<int>> of_skin;  ///< a skin each, a joint of it each
  std::vector<int> of_part;               ///< a part each; -1 where it has a skin
  std::vector<int> of_node;               ///< the first of a node; -1 where it has none
};

/// Joints that several skins share with the same inverse bind matrix are one bone. `nodes` have a bone in any
/// case.
PageBones page_bones(const Scene& scene, const std::vector<int>& nodes = {});

/// The matrices of all bones in a pose, rows of three, one bone after the other: `to` after
/// model_from_vertex.
void append_matrices(const PageBones& bones, const ScenePose& pose, const Eigen::Matrix4d& to,
                     std::vector<float>& out);

}  // namespace pelt
