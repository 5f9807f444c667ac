#pragma once

#include <Eigen/Core>
#include <vector>

namespace pelt {

/// Rows of [R | t]: model-space motion of a joint away from rest, D_j (rigid unless said otherwise).
using Motion = Eigen::Matrix<double, 3, 4>;

/// A motion for every joint of a rig, at one frame.
using Pose = std::vector<Motion>;

/// What linear blend skinning needs of a rig, seen from its rest pose.
///
/// A vertex i with influences (j, w_ij, q_ij) is skinned to sum_j w_ij D_j q_ij, where q_ij = G_j IBM_j p_i
/// is the *rest point* of vertex i under joint j (G_j = model_from_joint at rest). Rest points of one vertex
/// differ from joint to joint where the rest pose is not the bind pose; they are never merged.
struct Rig {
  std::vector<int> parent;  ///< J; nearest joint above, -1 for roots; parents come first
  std::vector<Eigen::Matrix4d> model_from_joint;  ///< J; at rest, model space
  std::vector<int> first_influence;  ///< V + 1; influences of vertex i are [first[i], first[i + 1])
  std::vector<int> joint;            ///< I
  std::vector<double> weight;        ///< I; positive, sums to 1 over a vertex
  Eigen::Matrix3Xd rest_point;       ///< 3 x I, model space

  int joints() const { return static_cast<int>(parent.size()); }
  int vertices() const { return static_cast<int>(first_influence.size()) - 1; }
  int influences() const { return static_cast<int>(joint.size()); }
};

/// Checks: 1. shapes agree; 2. parents come before their children; 3. joint indices in range; 4. weights
/// finite and positive, summing to 1 within 1e-6 over each vertex that has any; 5. rest points and rest
/// transforms finite. \throw InvalidInput with the number of the joint or vertex that breaks a rule.
void validate(const Rig& rig);

/// The identity motion for every joint.
Pose rest_pose(const Rig& rig);

/// Skinned vertices, 3 x V, model space. A vertex without influences is returned as NaN: the rig does not say
/// where it is. \pre pose has a motion for each joint.
Eigen::Matrix3Xd skin(const Rig& rig, const Pose& pose);

}  // namespace pelt
