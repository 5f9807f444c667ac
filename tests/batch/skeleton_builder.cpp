#include "skeleton_builder.h"

#include <Eigen/LU>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

namespace pelt::test {
namespace {

constexpr double kThick = 0.1;

/// Corners and joints of the surface while it grows.
struct Body {
  std::vector<Eigen::Vector3d> points;
  std::vector<int> holder;
  std::vector<Eigen::Vector3i> triangles;

  void add_quads(const Eigen::Vector3d& from, const Eigen::Vector3d& to, int joint) {
    for (const int axis : {0, 2}) {
      const Eigen::Vector3d side = kThick / 2 * Eigen::Vector3d::Unit(axis);
      const int first = static_cast<int>(points.size());
      for (const Eigen::Vector3d& p : {Eigen::Vector3d(from - side), Eigen::Vector3d(from + side),
                                       Eigen::Vector3d(to + side), Eigen::Vector3d(to - side)}) {
        points.push_back(p);
        holder.push_back(joint);
      }
      triangles.push_back({first, first + 1, first + 2});
      triangles.push_back({first, first + 2, first + 3});
    }
  }
};

Part part_of(const Body& body, int mesh_node) {
  Part part;
  part.node = mesh_node;
  part.mesh = part.primitive = part.skin = 0;
  part.vertices = static_cast<int>(body.points.size());
  part.triangles = static_cast<int>(body.triangles.size());
  part.positions.resize(3, part.vertices);
  part.influences = 1;
  part.joints.resize(1, part.vertices);
  part.weights = Eigen::MatrixXd::Ones(1, part.vertices);
  for (int v = 0; v < part.vertices; ++v) {
    part.positions.col(v) = body.points[v];
    part.joints(0, v) = body.holder[v];
  }
  return part;
}

}  // namespace

RigFile rig_of(const std::vector<JointPlan>& joints, const Eigen::Matrix4d& model_from_plan) {
  Scene scene;
  scene.file = "plan";
  scene.skins.emplace_back();
  scene.nodes.push_back({"armature", -1, {}, model_from_plan, true});
  std::map<std::string, int> node_of;
  Body body;
  for (const JointPlan& plan : joints) {
    Node node{plan.name, plan.parent.empty() ? 0 : node_of.at(plan.parent), {}, {}, true};
    const auto place_of = [&](const std::string& name) -> Eigen::Vector3d {
      for (const JointPlan& other : joints)
        if (other.name == name) return other.place;
      return Eigen::Vector3d::Zero();
    };
    node.trs.translation = plan.place - place_of(plan.parent);
    const int index = static_cast<int>(scene.nodes.size());
    node_of[plan.name] = index;
    scene.nodes.push_back(node);
    if (!plan.joint) continue;
    Eigen::Matrix4d plan_from_joint = Eigen::Matrix4d::Identity();
    plan_from_joint.topRightCorner<3, 1>() = plan.place;
    const int slot = static_cast<int>(scene.skins[0].joints.size());
    scene.skins[0].joints.push_back(index);
    scene.skins[0].joint_from_bind.push_back(plan_from_joint.inverse());
    for (const JointPlan& other : joints)
      if (plan.weighted && other.parent == plan.name) body.add_quads(plan.place, other.place, slot);
  }
  Node mesh{"mesh", -1, {}, {}, true};
  mesh.mesh = mesh.skin = 0;
  scene.nodes.push_back(mesh);
  for (int n = 0; n < static_cast<int>(scene.nodes.size()); ++n) scene.parents_first.push_back(n);
  scene.parts.push_back(part_of(body, static_cast<int>(scene.nodes.size()) - 1));
  scene.triangles.resize(3, static_cast<Eigen::Index>(body.triangles.size()));
  for (std::size_t t = 0; t < body.triangles.size(); ++t)
    scene.triangles.col(static_cast<Eigen::Index>(t)) = body.triangles[t];
  return make_rig_file(std::move(scene));
}

std::vector<JointPlan> leg(const std::string& name, const std::string& parent, const Eigen::Vector2d& x_and_z,
                           double bend) {
  const double forward = 0.5 * std::tan(bend / 2 * std::numbers::pi / 180);
  const double x = x_and_z.x(), z = x_and_z.y();
  return {{name + "-hip", parent, {x, 1, z}},
          {name + "-knee", name + "-hip", {x, 0.5, z + forward}},
          {name + "-end", name + "-knee", {x, 0, z}, false, false}};
}

std::vector<JointPlan> quadruped(double bend) {
  std::vector<JointPlan> joints{
      {"pelvis", "", {0, 1.1, 0}},        {"chest", "pelvis", {0, 1.1, 1.2}},
      {"head", "chest", {0, 1.5, 1.6}},   {"nose", "head", {0, 1.4, 1.9}, false, false},
      {"tail", "pelvis", {0, 1.1, -0.3}}, {"tail-end", "tail", {0, 0.8, -0.6}, false, false}};
  const auto add = [&](const std::string& name, const std::string& parent, double x, double z) {
    for (const JointPlan& joint : leg(name, parent, {x, z}, bend)) joints.push_back(joint);
  };
  add("hind-left", "pelvis", 0.3, 0);
  add("hind-right", "pelvis", -0.3, 0);
  add("front-left", "chest", 0.3, 1.2);
  add("front-right", "chest", -0.3, 1.2);
  return joints;
}

JointPlan& named(std::vector<JointPlan>& joints, const std::string& name) {
  for (JointPlan& joint : joints)
    if (joint.name == name) return joint;
  throw std::out_of_range(name);
}

}  // namespace pelt::test
