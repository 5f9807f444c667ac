#include "surface_pack.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

std::vector<float> floats(const Eigen::Matrix3Xd& points) {
  const Eigen::Matrix3Xf rounded = points.cast<float>();
  return {rounded.data(), rounded.data() + rounded.size()};
}

/// The influences of all vertices, one vertex after the other.
struct Influences {
  std::vector<int> count, bone;
  std::vector<float> weight;

  void add(int b, double w) {
    ++count.back();
    bone.push_back(b);
    weight.push_back(static_cast<float>(w));
  }
};

void add_part(const Part& part, int rigid_bone, const std::vector<int>* bone_of_joint, Influences& out) {
  for (int v = 0; v < part.vertices; ++v) {
    out.count.push_back(0);
    if (!bone_of_joint) out.add(rigid_bone, 1);
    for (int k = 0; bone_of_joint && k < part.influences; ++k)
      if (part.weights(k, v) != 0) out.add((*bone_of_joint)[part.joints(k, v)], part.weights(k, v));
  }
}

Json skin_entry(const Scene& scene, const PageBones& bones, Pack& pack) {
  Influences influences;
  Eigen::Matrix3Xd positions(3, scene.vertices());
  const ScenePose rest = rest_pose(scene);
  for (std::size_t p = 0; p < scene.parts.size(); ++p) {
    const Part& part = scene.parts[p];
    add_part(part, bones.of_part[p], part.skin < 0 ? nullptr : &bones.of_skin[part.skin], influences);
    positions.middleCols(part.first_vertex, part.vertices) = morphed(part, rest.morph_weights[p]);
  }
  return {{"position", pack.add(floats(positions))},
          {"influences", pack.add(influences.count)},
          {"bone", pack.add(influences.bone)},
          {"weight", pack.add(influences.weight)},
          {"bones", bones.list.size()}};
}

/// Does the clip move vertices otherwise than by matrices?
bool deforms(const Scene& scene, const Clip& clip) {
  if (clip.points) return true;
  const auto morphs = [&](const Track& track) {
    return track.path == TrackPath::weights &&
           std::any_of(scene.parts.begin(), scene.parts.end(),
                       [&](const Part& part) { return part.node == track.node && !part.morphs.empty(); });
  };
  return std::any_of(clip.tracks.begin(), clip.tracks.end(), morphs);
}

Json matrices_entry(const Placed& placed, const std::vector<ScenePose>& poses, Pack& pack) {
  std::vector<float> numbers;
  for (const ScenePose& pose : poses) append_matrices(placed.bones, pose, placed.artist_from_model, numbers);
  return {{"matrices", pack.add(numbers)}};
}

/// Vertices to a 65535th of the box of the whole clip.
Json positions_entry(const Placed& placed, const Clip& clip, const std::vector<float>& times, Pack& pack) {
  std::vector<Eigen::Matrix3Xf> surfaces;
  Eigen::Array3f low = Eigen::Array3f::Constant(HUGE_VALF), high = -low;
  for (const float time : times) {
    const Eigen::Matrix3Xd surface = surface_at(placed.scene, pose_at(placed.scene, clip, time));
    surfaces.push_back(
        (placed.artist_from_model * surface.colwise().homogeneous()).topRows<3>().cast<float>());
    low = low.min(surfaces.back().rowwise().minCoeff().array());
    high = high.max(surfaces.back().rowwise().maxCoeff().array());
  }
  const Eigen::Array3f steps = 65535 / (high - low).max(1e-30f);
  std::vector<std::uint16_t> numbers;
  for (const Eigen::Matrix3Xf& surface : surfaces)
    for (const auto& point : surface.colwise()) {
      const Eigen::Array3f step = ((point.array() - low) * steps).round().max(0).min(65535);
      for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<std::uint16_t>(step[k]));
    }
  return {{"positions", pack.add(numbers)},
          {"low", {low[0], low[1], low[2]}},
          {"high", {high[0], high[1], high[2]}}};
}

}  // namespace

void add_surface(const Placed& placed, Pack& pack, Json& header) {
  Eigen::Matrix3Xi triangles = placed.scene.triangles;
  if (placed.artist_from_model.topLeftCorner<3, 3>().determinant() < 0)
    triangles.row(1).swap(triangles.row(2));
  header["vertices"] = placed.scene.vertices();
  header["triangles"] = pack.add(std::span<const int>(triangles.data(), triangles.size()));
  header["skin"] = skin_entry(placed.scene, placed.bones, pack);
}

Json motion_entry(const Placed& placed, const Clip& clip, const std::vector<float>& times, Pack& pack) {
  if (deforms(placed.scene, clip)) return positions_entry(placed, clip, times, pack);
  std::vector<ScenePose> poses;
  for (const float time : times) poses.push_back(pose_at(placed.scene, clip, time));
  return matrices_entry(placed, poses, pack);
}

Json rest_entry(const Placed& placed, Pack& pack) {
  return matrices_entry(placed, {rest_pose(placed.scene)}, pack);
}

}  // namespace pelt
