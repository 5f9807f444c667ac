#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "io/rig_file.h"

namespace pelt::test {

/// A joint of a hand-built rig, model space, no rotation of its own. Parents come first.
struct JointPlan {
  std::string name;
  std::string parent;  ///< empty for a root
  Eigen::Vector3d place;
  bool weighted = true;
  bool joint = true;  ///< false: a plain node, such as the end of a bone
};

/// A rig whose every weighted joint holds, alone, two upright quads around each of its bones: 0.1 thick, from
/// the joint to each node below it. `model_from_plan` moves everything.
RigFile rig_of(const std::vector<JointPlan>& joints,
               const Eigen::Matrix4d& model_from_plan = Eigen::Matrix4d::Identity());

/// A leg from a hip 1 above the ground to the ground straight below, as two bones that meet half way down,
/// turned by `bend` degrees against each other; joints NAME-hip and NAME-knee, a node NAME-end.
std::vector<JointPlan> leg(const std::string& name, const std::string& parent, const Eigen::Vector2d& x_and_z,
                           double bend);

/// Pelvis, chest, head and tail with the four legs left and right (x), front and hind (z); the legs bend by
/// so many degrees.
std::vector<JointPlan> quadruped(double bend);

/// Of a joint in a plan. \throw std::out_of_range
JointPlan& named(std::vector<JointPlan>& joints, const std::string& name);

}  // namespace pelt::test
