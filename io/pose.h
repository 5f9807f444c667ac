#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "scene.h"
#include "track.h"

namespace pelt {

/// Model transforms of all nodes, and morph weights of all parts, at one time of a clip; rest where the clip
/// does not speak.
struct ScenePose {
  std::vector<Eigen::Matrix4d> model_from_node;  ///< a node each
  std::vector<Eigen::VectorXd> morph_weights;    ///< a part each
  std::optional<Eigen::Matrix3Xd> vertices;      ///< the whole surface, where a point cache moves it
};

/// The nodes as stored in the file.
ScenePose rest_pose(const Scene& scene);

/// The nodes at a time of a clip.
ScenePose pose_at(const Scene& scene, const Clip& clip, double time);

/// POSITION with its morph displacements added, 3 x vertices, mesh space.
Eigen::Matrix3Xd morphed(const Part& part, const Eigen::VectorXd& morph_weights);

/// model_from_bind = G_j IBM_j of each joint of the skin, in the order of its joints.
std::vector<Eigen::Matrix4d> skin_matrices(const Skin& skin, const ScenePose& pose);

/// The skinned surface, 3 x scene.vertices(), model space (glTF 2.0 section 3.7.3.3: sum of w * G_j * IBM_j *
/// p), or the pose's own vertices. A vertex without weights (no triangle uses it) lies at the origin.
Eigen::Matrix3Xd surface_at(const Scene& scene, const ScenePose& pose);

/// surface_at(rest_pose) with the scene's triangles.
Surface rest_surface(const Scene& scene);

/// The surface in its bind pose (DESIGN section 1, "matching pose"): raw POSITION of each skin under the
/// similarity that lays most of it on the rest surface; rigid parts go along with their joint. False where a
/// skin's matrices allow no such pose or no part is skinned; `out` is then left alone.
bool bind_surface(const Scene& scene, Surface& out);

}  // namespace pelt
