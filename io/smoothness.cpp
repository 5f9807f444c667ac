#include "smoothness.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
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

double largest_acceleration(const PointsInTime& first, const PointsInTime& second, const PointsInTime& third,
                            const std::vector<int>& counted) {
  const double before = second.time - first.time, after = third.time - second.time;
  double sq_largest = 0;
  for (const int i : counted) {
    const Eigen::Vector3d change = (third.points.col(i) - second.points.col(i)) / after -
                                   (second.points.col(i) - first.points.col(i)) / before;
    sq_largest = std::max(sq_largest, change.squaredNorm());
  }
  return 2 * std::sqrt(sq_largest) / (before + after);
}

void measure_smoothness(const RigFile& rig, const Scene& written, const Clip& written_clip,
                        const MeasureSettings& measure, ClipTransfer& clip) {
  const std::vector<Carried> joints = carried_centroids(rig.rig, measure.weight);
  std::vector<int> all(joints.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<Eigen::Matrix3Xd> places;
  for (const int f : clip.sampled) {
    const ScenePose pose = pose_at(written, written_clip, clip.times[f]);
    Eigen::Matrix3Xd& place = places.emplace_back(3, joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j)
      place.col(j) = (pose.model_from_node[joints[j].node] * joints[j].in_joint).head<3>();
  }
  const auto at = [&](std::size_t n) { return PointsInTime{clip.times[clip.sampled[n]], places[n]}; };
  double largest = 0;
  for (std::size_t n = 2; n < places.size(); ++n)
    largest = std::max(largest, largest_acceleration(at(n - 2), at(n - 1), at(n), all));
  clip.acceleration.joints = 100 * largest / measure.diag;
}

}  // namespace pelt
