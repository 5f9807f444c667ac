#pragma once

#include <Eigen/Core>
#include <random>
#include <vector>

#include "solver/rig.h"
#include "solver/rigid_fit.h"

namespace pelt::test {

/// Seeded numbers, the same on every run.
class Random {
 public:
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967295.0);
  }
  int below(int count) { return static_cast<int>(engine_() % static_cast<unsigned>(count)); }
  Eigen::Vector3d vector(double size = 1) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  /// A rigid motion of up to `angle` radians an axis and `distance` a coordinate.
  Motion motion(double angle, double distance) {
    Motion m;
    m.leftCols<3>() = rotation_of(vector(angle));
    m.col(3) = vector(distance);
    return m;
  }

 private:
  std::mt19937 engine_{12345};
};

struct RigPlan {
  int joints = 8, vertices = 300, influences = 3;
  double split = 0;  ///< how far the rest points of one vertex lie apart: 0 where rest is bind
  double size = 1;
};

/// A binary tree of joints in a cloud of vertices, each bound to joints near each other in the tree.
inline Rig make_rig(const RigPlan& plan, Random& random) {
  Rig rig;
  for (int j = 0; j < plan.joints; ++j) {
    rig.parent.push_back(j == 0 ? -1 : (j - 1) / 2);
    Eigen::Matrix4d rest = Eigen::Matrix4d::Identity();
    rest.topRightCorner<3, 1>() = random.vector(plan.size);
    rig.model_from_joint.push_back(rest);
  }
  std::vector<Eigen::Vector3d> points;
  rig.first_influence.push_back(0);
  for (int i = 0; i < plan.vertices; ++i) {
    const Eigen::Vector3d p = random.vector(plan.size);
    int joint = random.below(plan.joints);
    double left = 1;
    for (int k = 0; k < plan.influences; ++k) {
      const bool last = k + 1 == plan.influences || joint == 0;
      const double w = last ? left : left * random.uniform(0.2, 0.8);
      rig.joint.push_back(joint);
      rig.weight.push_back(w);
      points.push_back(p + random.vector(plan.split));
      left -= w;
      if (last) break;
      joint = rig.parent[joint];
    }
    rig.first_influence.push_back(rig.influences());
  }
  rig.rest_point.resize(3, rig.influences());
  for (int k = 0; k < rig.influences(); ++k) rig.rest_point.col(k) = points[k];
  return rig;
}

inline Pose random_pose(const Rig& rig, double angle, double distance, Random& random) {
  Pose pose;
  for (int j = 0; j < rig.joints(); ++j) pose.push_back(random.motion(angle, distance));
  return pose;
}

/// Equal shares that sum to 1.
inline Eigen::VectorXd equal_shares(const Rig& rig) {
  return Eigen::VectorXd::Constant(rig.vertices(), 1.0 / rig.vertices());
}

inline double largest_distance(const Eigen::Matrix3Xd& a, const Eigen::Matrix3Xd& b) {
  return (a - b).colwise().norm().maxCoeff();
}

}  // namespace pelt::test
