#include "rig.h"

#include <cmath>
#include <limits>
#include <string>

#include "error.h"
#include "kernels.h"

namespace pelt {
namespace {

void check_joints(const Rig& rig) {
  if (static_cast<int>(rig.model_from_joint.size()) != rig.joints())
    throw InvalidInput("rig: " + std::to_string(rig.joints()) + " parents but " +
                       std::to_string(rig.model_from_joint.size()) + " rest transforms");
  for (int j = 0; j < rig.joints(); ++j) {
    if (rig.parent[j] < -1 || rig.parent[j] >= j)
      throw InvalidInput("rig: joint " + std::to_string(j) + " has parent " + std::to_string(rig.parent[j]) +
                         ", parents must come first");
    if (!rig.model_from_joint[j].allFinite())
      throw InvalidInput("rig: joint " + std::to_string(j) + " has a rest transform that is not finite");
  }
}

void check_shapes(const Rig& rig) {
  const int influences = rig.influences();
  if (rig.first_influence.empty() || rig.first_influence.front() != 0 ||
      rig.first_influence.back() != influences)
    throw InvalidInput("rig: first_influence must run from 0 to the number of influences");
  if (static_cast<int>(rig.weight.size()) != influences || rig.rest_point.cols() != influences)
    throw InvalidInput("rig: " + std::to_string(influences) + " influences but " +
                       std::to_string(rig.weight.size()) + " weights and " +
                       std::to_string(rig.rest_point.cols()) + " rest points");
}

void check_vertex(const Rig& rig, int i) {
  const int begin = rig.first_influence[i], end = rig.first_influence[i + 1];
  const auto fail = [i](const std::string& what) {
    throw InvalidInput("rig: vertex " + std::to_string(i) + ": " + what);
  };
  if (end < begin) fail("influences run backward");
  double sum = 0;
  for (int k = begin; k < end; ++k) {
    if (rig.joint[k] < 0 || rig.joint[k] >= rig.joints())
      fail("joint " + std::to_string(rig.joint[k]) + " out of range");
    if (!(rig.weight[k] > 0) || !std::isfinite(rig.weight[k]))
      fail("weight " + std::to_string(rig.weight[k]));
    if (!rig.rest_point.col(k).allFinite()) fail("a rest point is not finite");
    sum += rig.weight[k];
  }
  if (end > begin && std::abs(sum - 1) > 1e-6) fail("weights sum to " + std::to_string(sum));
}

}  // namespace

void validate(const Rig& rig) {
  check_joints(rig);
  check_shapes(rig);
  for (int i = 0; i < rig.vertices(); ++i) check_vertex(rig, i);
}

Pose rest_pose(const Rig& rig) { return Pose(rig.parent.size(), Motion::Identity()); }

Eigen::Matrix3Xd skin(const Rig& rig, const Pose& pose) {
  std::vector<Eigen::Matrix4d> matrices;
  for (const Motion& motion : pose) matrices.emplace_back(Eigen::Matrix4d::Zero()).topRows<3>() = motion;
  Eigen::Matrix3Xd skinned(3, rig.vertices());
  kernels::skin_influences(
      {rig.first_influence.data(), rig.joint.data(), rig.weight.data(), rig.rest_point.data()},
      rig.vertices(), matrices.data()->data(), skinned.data());
  for (int i = 0; i < rig.vertices(); ++i)
    if (rig.first_influence[i] == rig.first_influence[i + 1])
      skinned.col(i).setConstant(std::numeric_limits<double>::quiet_NaN());
  return skinned;
}

}  // namespace pelt
