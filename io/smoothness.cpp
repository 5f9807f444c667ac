#include "smoothness.h"

#include <Eigen/LU>
#include <algorithm>
#include <numeric>

#include "pose.h"

namespace pelt {
namespace {

/// What a joint carries: the centroid of its points, in its own space.
struct Carried {
  int node = -1;
  Eigen::Vector4d in_joint;
};

std::vector<Carried> carried_centroids(const SceneRig& scene_rig, const Eigen::VectorXd& share) {
  const Rig& rig = scene_rig.rig;
  Eigen::Matrix4Xd sum = Eigen::Matrix4Xd::Zero(4, rig.joints());
  for (int i = 0; i < rig.vertices(); ++i)
    for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k)
      if (share(i) > 0)
        sum.col(rig.joint[k]) += share(i) * rig.weight[k] * rig.rest_point.col(k).homogeneous();
  std::vector<Carried> list;
  for (int j = 0; j < rig.joints(); ++j) {
    const Eigen::FullPivLU<Eigen::Matrix4d> rest(rig.model_from_joint[j]);
    if (sum(3, j) > 0 && rest.isInvertible())
      list.push_back({scene_rig.node_of_joint[j], rest.solve(sum.col(j) / sum(3, j))});
  }
  return list;
}

}  // namespace

void LargestAcceleration::add(double time, const Eigen::Matrix3Xd& points, const std::vector<int>& counted) {
  if (frames_.size() < 2) {
    times_.push_back(time), frames_.push_back(points);
    return;
  }
  const double before = times_[1] - times_[0], after = time - times_[1];
  const Eigen::Matrix3Xd &x0 = frames_[0], &x1 = frames_[1];
  for (const int i : counted) {
    const Eigen::Vector3d change = (points.col(i) - x1.col(i)) / after - (x1.col(i) - x0.col(i)) / before;
    largest_ = std::max(largest_, 2 * change.norm() / (before + after));
  }
  frames_[0].swap(frames_[1]);
  frames_[1] = points;
  times_ = {times_[1], time};
}

void measure_smoothness(const RigFile& rig, const Scene& written, const Clip& written_clip,
                        const MeasureSettings& measure, ClipTransfer& clip) {
  const std::vector<Carried> joints = carried_centroids(rig.rig, measure.weight);
  std::vector<int> all(joints.size());
  std::iota(all.begin(), all.end(), 0);
  LargestAcceleration acceleration;
  Eigen::Matrix3Xd place(3, joints.size());
  for (const int f : clip.sampled) {
    const ScenePose pose = pose_at(written, written_clip, clip.times[f]);
    for (std::size_t j = 0; j < joints.size(); ++j)
      place.col(j) = (pose.model_from_node[joints[j].node] * joints[j].in_joint).head<3>();
    acceleration.add(clip.times[f], place, all);
  }
  clip.acceleration.joints = 100 * acceleration.value() / measure.diag;
}

}  // namespace pelt
