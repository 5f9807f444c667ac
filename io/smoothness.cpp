#include "smoothness.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pose.h"

namespace pelt {
namespace {

using Affine = Eigen::Matrix<double, 3, 4>;

/// The second divided difference of vectors or matrices at three times.
struct SecondDifference {
  double before, after;

  template <class Matrix>
  typename Matrix::PlainObject operator()(const Matrix& first, const Matrix& second,
                                          const Matrix& third) const {
    return 2 / (before + after) * ((third - second) / after - (second - first) / before);
  }
};

template <class InTime>
SecondDifference second_difference(const InTime& first, const InTime& second, const InTime& third) {
  return {second.time - first.time, third.time - second.time};
}

/// What a joint carries: the mean of p p^T over its points, homogeneous, in its own space.
struct Carried {
  int node = -1;
  Eigen::Matrix4d in_joint;
};

std::vector<Carried> carried_points(const SceneRig& scene_rig, const Eigen::VectorXd& share) {
  const Rig& rig = scene_rig.rig;
  std::vector<Eigen::Matrix4d> sum(rig.joints(), Eigen::Matrix4d::Zero());
  for (int i = 0; i < rig.vertices(); ++i)
    for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k)
      if (share(i) > 0) {
        const Eigen::Vector4d point = rig.rest_point.col(k).homogeneous();
        sum[rig.joint[k]] += share(i) * rig.weight[k] * point * point.transpose();
      }
  std::vector<Carried> list;
  for (int j = 0; j < rig.joints(); ++j) {
    const Eigen::FullPivLU<Eigen::Matrix4d> rest(rig.model_from_joint[j]);
    if (!(sum[j](3, 3) > 0) || !rest.isInvertible()) continue;
    const Eigen::Matrix4d half = rest.solve(sum[j] / sum[j](3, 3));
    list.push_back({scene_rig.node_of_joint[j], rest.solve(half.transpose())});
  }
  return list;
}

/// Where the joints stand at a time of the written clip.
struct JointsInTime {
  double time;
  std::vector<Affine> model_from_joint;
};

/// Of three frames whose times increase, as largest_acceleration() has it.
double largest_acceleration(const JointsInTime& first, const JointsInTime& second, const JointsInTime& third,
                            const std::vector<Carried>& joints) {
  const SecondDifference difference = second_difference(first, second, third);
  double sq_largest = 0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Affine change =
        difference(first.model_from_joint[j], second.model_from_joint[j], third.model_from_joint[j]);
    sq_largest = std::max(sq_largest, (change * joints[j].in_joint * change.transpose()).trace());
  }
  return std::sqrt(sq_largest);
}

}  // namespace

double largest_acceleration(const PointsInTime& first, const PointsInTime& second, const PointsInTime& third,
                            const std::vector<int>& counted) {
  const SecondDifference difference = second_difference(first, second, third);
  double sq_largest = 0;
  for (const int i : counted)
    sq_largest = std::max(
        sq_largest, difference(first.points.col(i), second.points.col(i), third.points.col(i)).squaredNorm());
  return std::sqrt(sq_largest);
}

void measure_smoothness(const RigFile& rig, const Scene& written, const Clip& written_clip,
                        const MeasureSettings& measure, ClipTransfer& clip) {
  const std::vector<Carried> joints = carried_points(rig.rig, measure.weight);
  std::vector<JointsInTime> frames;
  for (const int f : clip.sampled) {
    const ScenePose pose = pose_at(written, written_clip, clip.times[f]);
    JointsInTime& frame = frames.emplace_back(JointsInTime{clip.times[f], {}});
    for (const Carried& joint : joints)
      frame.model_from_joint.push_back(pose.model_from_node[joint.node].topRows<3>());
  }
  double largest = 0;
  for (std::size_t n = 2; n < frames.size(); ++n)
    largest = std::max(largest, largest_acceleration(frames[n - 2], frames[n - 1], frames[n], joints));
  clip.acceleration.joints = 100 * largest / measure.diag;
}

}  // namespace pelt
