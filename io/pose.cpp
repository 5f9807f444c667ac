#include "pose.h"

#include <optional>

#include "../solver/kernels.h"
#include "point_clip.h"
#include "trs.h"

namespace pelt {
namespace {

void apply(const Track& track, const TrsValue& value, Trs& trs) {
  if (track.path == TrackPath::translation) trs.translation = value;
  if (track.path == TrackPath::rotation) trs.rotation.coeffs() = value;
  if (track.path == TrackPath::scale) trs.scale = value;
}

std::vector<Eigen::VectorXd> rest_morph_weights(const Scene& scene) {
  std::vector<Eigen::VectorXd> weights;
  for (const Part& part : scene.parts) weights.push_back(part.morph_weights);
  return weights;
}

/// Composes locals in place: parent_from_local in, model_from_node out.
void compose(const Scene& scene, std::vector<Eigen::Matrix4d>& matrices) {
  for (const int node : scene.parents_first) {
    const int parent = scene.nodes[node].parent;
    if (parent >= 0) matrices[node] = matrices[parent] * matrices[node];
  }
}

/// Writes the part's vertices. `matrices`: a zero matrix, then those of the skin's joints.
void skin_part(const Part& part, const Eigen::Matrix3Xd& mesh_points,
               const std::vector<Eigen::Matrix4d>& matrices, Eigen::Matrix3Xd& surface) {
  kernels::skin_slots({part.joints.data(), part.weights.data(), mesh_points.data(), part.influences},
                      part.vertices, matrices.data()->data(), surface.data() + 3L * part.first_vertex);
}

/// Does a morph move the part away from its stored positions?
bool is_morphed(const Part& part, const Eigen::VectorXd& morph_weights) {
  return !part.morphs.empty() && !morph_weights.head(static_cast<Eigen::Index>(part.morphs.size())).isZero(0);
}

}  // namespace

ScenePose rest_pose(const Scene& scene) {
  ScenePose pose;
  for (const Node& node : scene.nodes) pose.model_from_node.push_back(rest_local(node));
  compose(scene, pose.model_from_node);
  pose.morph_weights = rest_morph_weights(scene);
  return pose;
}

ScenePose pose_at(const Scene& scene, const Clip& clip, double time) {
  std::vector<std::optional<Trs>> animated(scene.nodes.size());
  ScenePose pose;
  pose.morph_weights = rest_morph_weights(scene);
  for (const Track& track : clip.tracks) {
    if (track.path == TrackPath::weights) {
      const Eigen::VectorXd value = sample(track, time);
      for (size_t p = 0; p < scene.parts.size(); ++p)
        if (scene.parts[p].node == track.node) pose.morph_weights[p] = value;
      continue;
    }
    std::optional<Trs>& trs = animated[track.node];
    if (!trs) trs = rest_trs(scene.nodes[track.node]);
    apply(track, sample_trs(track, time), *trs);
  }
  pose.model_from_node.reserve(scene.nodes.size());
  for (size_t n = 0; n < scene.nodes.size(); ++n)
    pose.model_from_node.push_back(animated[n] ? matrix_of(*animated[n]) : rest_local(scene.nodes[n]));
  compose(scene, pose.model_from_node);
  if (clip.points) pose.vertices = vertices_at(*clip.points, time);
  return pose;
}

Eigen::Matrix3Xd morphed(const Part& part, const Eigen::VectorXd& morph_weights) {
  Eigen::Matrix3Xd points = part.positions;
  for (size_t m = 0; m < part.morphs.size(); ++m)
    if (morph_weights[m] != 0) points += morph_weights[m] * part.morphs[m];
  return points;
}

std::vector<Eigen::Matrix4d> skin_matrices(const Skin& skin, const ScenePose& pose) {
  std::vector<Eigen::Matrix4d> model_from_bind;
  for (size_t j = 0; j < skin.joints.size(); ++j)
    model_from_bind.push_back(pose.model_from_node[skin.joints[j]] * skin.joint_from_bind[j]);
  return model_from_bind;
}

Eigen::Matrix3Xd surface_at(const Scene& scene, const ScenePose& pose) {
  if (pose.vertices) return *pose.vertices;
  std::vector<std::vector<Eigen::Matrix4d>> matrices;
  for (const Skin& skin : scene.skins) {
    matrices.push_back(skin_matrices(skin, pose));
    matrices.back().insert(matrices.back().begin(), Eigen::Matrix4d::Zero());
  }
  Eigen::Matrix3Xd surface(3, scene.vertices());
  for (size_t p = 0; p < scene.parts.size(); ++p) {
    const Part& part = scene.parts[p];
    const bool moved = is_morphed(part, pose.morph_weights[p]);
    const Eigen::Matrix3Xd morphed_points = moved ? morphed(part, pose.morph_weights[p]) : Eigen::Matrix3Xd();
    const Eigen::Matrix3Xd& points = moved ? morphed_points : part.positions;
    if (part.skin >= 0)
      skin_part(part, points, matrices[part.skin], surface);
    else
      surface.middleCols(part.first_vertex, part.vertices) =
          (pose.model_from_node[part.node] * points.colwise().homogeneous()).topRows<3>();
  }
  return surface;
}

Surface rest_surface(const Scene& scene) { return {surface_at(scene, rest_pose(scene)), scene.triangles}; }

}  // namespace pelt
