#include "travel.h"

#include <Eigen/LU>
#include <algorithm>

#include "pose.h"

namespace pelt {

std::vector<std::optional<Eigen::Vector4d>> origins_in_parents(const SceneRig& rig) {
  std::vector<std::optional<Eigen::Vector4d>> origins(rig.rig.parent.size());
  std::vector<char> weighted(rig.rig.parent.size(), 0);
  for (const int j : rig.rig.joint) weighted[j] = 1;
  for (int j = 0; j < rig.rig.joints(); ++j) {
    const int p = rig.rig.parent[j];
    if (p < 0 || !weighted[j]) continue;
    const Eigen::FullPivLU<Eigen::Matrix4d> parent(rig.rig.model_from_joint[p]);
    if (parent.isInvertible()) origins[j] = parent.solve(rig.rig.model_from_joint[j].col(3));
  }
  return origins;
}

void measure_travel(const RigFile& rig, const Scene& written, const Clip& written_clip, double diag,
                    ClipTransfer& clip) {
  const auto origins = origins_in_parents(rig.rig);
  clip.travel = {};
  clip.joint_travel.assign(origins.size(), 0.0);
  int joints = 0;
  for (const auto& origin : origins) joints += origin.has_value();
  const double frames = static_cast<double>(clip.sampled.size());
  for (const int f : clip.sampled) {
    const ScenePose pose = pose_at(written, written_clip, clip.times[f]);
    for (std::size_t j = 0; j < origins.size(); ++j) {
      if (!origins[j]) continue;
      const auto model_from = [&](int joint) { return pose.model_from_node[rig.rig.node_of_joint[joint]]; };
      const Eigen::Vector4d carried = model_from(rig.rig.rig.parent[j]) * *origins[j];
      const double distance =
          100 * (model_from(static_cast<int>(j)).col(3) - carried).head<3>().norm() / diag;
      clip.joint_travel[j] += distance / frames;
      clip.travel.mean += distance / (frames * std::max(joints, 1));
      clip.travel.max = std::max(clip.travel.max, distance);
    }
  }
}

}  // namespace pelt
