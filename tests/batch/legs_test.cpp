// Legs of hand-built skeletons, whose bends and asymmetries are known.
#include "batch/legs.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "batch/rig_health.h"
#include "skeleton_builder.h"

namespace pelt {
namespace {

using namespace test;

using Names = std::vector<std::string>;

Names leg_names(const RigHealth& health) {
  Names names;
  for (const LegHealth& leg : health.legs) names.push_back(leg.joint);
  return names;
}

const Names kFour{"hind-left-hip", "hind-right-hip", "front-left-hip", "front-right-hip"};

RigHealth health_of(const std::vector<JointPlan>& joints) { return rig_health(rig_of(joints)); }

double diag_of(const std::vector<JointPlan>& joints) { return bounding_diagonal(rig_of(joints).rest); }

Eigen::Matrix4d turned(const Eigen::Vector3d& axis, double degrees, double scale = 1) {
  Eigen::Affine3d transform = Eigen::Affine3d::Identity();
  transform.linear() =
      scale * Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()).matrix();
  transform.translation() << 3, -2, 5;
  return transform.matrix();
}

}  // namespace

TEST_CASE("Legs are found and their bends measured", "[health]") {
  for (const double bend : {0.0, 0.5, 30.0, 90.0}) {
    CAPTURE(bend);
    const RigHealth health = health_of(quadruped(bend));
    REQUIRE(leg_names(health) == kFour);
    for (const LegHealth& leg : health.legs) {
      REQUIRE(leg.bends.size() == 1);
      CHECK(leg.bends[0] == Approx(bend).margin(1e-9));
      CHECK(leg.weighted);
    }
    CHECK(*health.asymmetry == Approx(0).margin(1e-9));
    CHECK(*health.symmetric());
    CHECK(*health.drivable(20) == (bend >= 20));
  }
}

TEST_CASE("Place, size, facing and the axis that points up do not change what legs are", "[health]") {
  using Eigen::Vector3d;
  for (const Eigen::Matrix4d& transform :
       {turned(Vector3d::UnitY(), 90), turned(Vector3d::UnitY(), 33), turned(Vector3d::UnitX(), 90, 0.01),
        turned(Vector3d::UnitX(), -90), turned({1, 1, 1}, 120, 100)}) {
    CAPTURE(transform);
    const RigHealth health = rig_health(rig_of(quadruped(25), transform));
    REQUIRE(leg_names(health) == kFour);
    CHECK(*health.least_bend() == Approx(25));
    CHECK(*health.asymmetry == Approx(0).margin(1e-6));
  }
}

TEST_CASE("The straightest leg and the largest asymmetry are what counts", "[health]") {
  std::vector<JointPlan> joints = quadruped(40);
  const double diag = diag_of(joints);
  JointPlan& knee = named(joints, "front-left-knee");
  knee.place = {0.3, 0.5, 1.2};
  const RigHealth health = health_of(joints);
  CHECK(*health.least_bend() == Approx(0).margin(1e-9));
  CHECK_FALSE(*health.drivable(10));
  const double moved = 0.5 * std::tan(20 * std::numbers::pi / 180);
  CHECK(*health.asymmetry == Approx(100 * moved / diag_of(joints)).epsilon(0.01));
  CHECK(diag == Approx(diag_of(joints)));
  CHECK_FALSE(*health.symmetric());
}

TEST_CASE("Legs that are posed are still pairs", "[health]") {
  std::vector<JointPlan> joints = quadruped(40);
  for (const char* name : {"hind-left", "front-right"}) {
    named(joints, std::string(name) + "-knee").place.z() += 0.25;
    named(joints, std::string(name) + "-end").place.z() += 0.5;
  }
  const RigHealth health = health_of(joints);
  CHECK(leg_names(health) == kFour);
  CHECK(*health.asymmetry == Approx(100 * 0.25 / diag_of(joints)).epsilon(1e-6));
}

TEST_CASE("A leg with a joint more than its partner is not symmetric", "[health]") {
  std::vector<JointPlan> joints = quadruped(40);
  joints.push_back({"hock", "hind-left-knee", {0.3, 0.25, 0.1}});
  joints.push_back({"hock-end", "hock", {0.3, 0, 0}, false, false});
  const RigHealth health = health_of(joints);
  REQUIRE(health.legs.size() == 4);
  CHECK(*health.asymmetry > 5);
}

TEST_CASE("A leg with a bone that moves nothing cannot be driven", "[health]") {
  std::vector<JointPlan> joints = quadruped(40);
  named(joints, "hind-left-hip").weighted = false;
  const RigHealth health = health_of(joints);
  CHECK(health.joints_without_weights == 1);
  REQUIRE(leg_names(health) == kFour);
  CHECK_FALSE(health.legs[0].weighted);
  CHECK_FALSE(*health.drivable(10));
}

TEST_CASE("Twist joints, helpers and control joints bend no leg", "[health]") {
  std::vector<JointPlan> joints = quadruped(0);
  std::vector<JointPlan> more;
  for (const JointPlan& joint : joints) {
    more.push_back(joint);
    if (joint.name.ends_with("-hip")) {
      more.push_back({joint.name + "-twist", joint.name, joint.place + Eigen::Vector3d(0, -0.001, 0.001)});
      more.push_back({joint.name + "-pole", joint.name, {0, 0.5, 3}, false});
    }
  }
  for (JointPlan& joint : more)
    if (joint.name.ends_with("-knee")) joint.parent.replace(joint.parent.find("-hip"), 4, "-hip-twist");
  const RigHealth health = health_of(more);
  REQUIRE(leg_names(health) == kFour);
  CHECK(*health.least_bend() < 0.2);
  CHECK(health.joints_without_weights == 4);
}

TEST_CASE("Neither the way from the trunk to the hip nor the foot is a bend of the leg", "[health]") {
  std::vector<JointPlan> joints;
  for (JointPlan joint : quadruped(12)) {
    if (joint.name.ends_with("-hip")) {
      joints.push_back({joint.name + "-girdle", joint.parent, {0, 1.05, joint.place.z()}});
      joint.parent = joint.name + "-girdle";
    }
    if (joint.name.ends_with("-end")) {
      joint.joint = joint.weighted = true;
      joint.place.y() = 0.08;
    }
    joints.push_back(joint);
    if (joint.name.ends_with("-end"))
      joints.push_back(
          {joint.name + "-toe", joint.name, joint.place + Eigen::Vector3d(0, -0.08, 0.2), false, false});
  }
  const RigHealth health = health_of(joints);
  REQUIRE(health.legs.size() == 4);
  for (const LegHealth& leg : health.legs) {
    REQUIRE(leg.bends.size() == 1);
    CHECK(leg.bends[0] == Approx(12).margin(1.5));  // the ankle is a little higher than the end was
  }
}

TEST_CASE("Toes are no limbs of their own", "[health]") {
  std::vector<JointPlan> joints = quadruped(20);
  for (const char* name : {"hind-left", "hind-right", "front-left", "front-right"}) {
    JointPlan& end = named(joints, std::string(name) + "-end");
    end.joint = end.weighted = true;
    const Eigen::Vector3d place = end.place;
    for (const double x : {-0.2, 0.0, 0.2}) {
      const std::string toe = std::string(name) + (x < 0 ? "-a" : x > 0 ? "-b" : "-c");
      joints.push_back({toe, std::string(name) + "-end", place + Eigen::Vector3d(x / 2, 0, 0.1)});
      joints.push_back({toe + "-end", toe, place + Eigen::Vector3d(x, 0, 0.25), false, false});
    }
  }
  const RigHealth health = health_of(joints);
  CHECK(leg_names(health) == kFour);
  CHECK(*health.least_bend() == Approx(20));
}

TEST_CASE("Several roots part like a fork", "[health]") {
  std::vector<JointPlan> joints = quadruped(15);
  for (JointPlan& joint : joints)
    if (joint.name.ends_with("-hip")) joint.parent = "";
  const RigHealth health = health_of(joints);
  CHECK(leg_names(health) == kFour);
  CHECK(*health.least_bend() == Approx(15));
}

TEST_CASE("A biped has two legs, whose arms are none", "[health]") {
  std::vector<JointPlan> joints{{"hips", "", {0, 1, 0}},
                                {"chest", "hips", {0, 1.5, -0.15}},
                                {"head", "chest", {0, 1.7, -0.05}},
                                {"top", "head", {0, 1.9, 0}, false, false}};
  for (const JointPlan& joint : leg("left", "hips", {0.15, 0}, 5)) joints.push_back(joint);
  for (const JointPlan& joint : leg("right", "hips", {-0.15, 0}, 5)) joints.push_back(joint);
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left-" : "right-";
    joints.push_back({name + "shoulder", "chest", {0.2 * side, 1.5, 0}});
    joints.push_back({name + "elbow", name + "shoulder", {0.5 * side, 1.4, 0}});
    joints.push_back({name + "hand", name + "elbow", {0.8 * side, 1.4, 0.1}, false, false});
  }
  const RigHealth health = health_of(joints);
  CHECK(leg_names(health) == Names{"left-hip", "right-hip"});
  CHECK(*health.least_bend() == Approx(5));
  CHECK_FALSE(*health.drivable(10));
}

TEST_CASE("What has no legs is told so", "[health]") {
  std::vector<JointPlan> snake{{"a", "", {0, 0.1, 0}}};
  for (int k = 1; k < 8; ++k)
    snake.push_back(
        {std::string(1, static_cast<char>('a' + k)), snake.back().name, {0.02 * (k % 2), 0.1, 0.3 * k}});
  snake.push_back({"end", "h", {0, 0.1, 2.4}, false, false});
  const RigHealth health = health_of(snake);
  CHECK(health.legs.empty());
  CHECK_FALSE(health.asymmetry);
  CHECK_FALSE(health.symmetric());
  CHECK_FALSE(health.least_bend());
  CHECK_FALSE(health.drivable());
  const RigHealth one = health_of({{"only", "", {0, 0, 0}}, {"end", "only", {0, 1, 0}, false, false}});
  CHECK(one.joints == 1);
  CHECK(one.legs.empty());
}

TEST_CASE("The end of a bone is a node, an axis, or where its points are", "[health]") {
  const auto ends = [](bool end_node, double sideways) {
    std::vector<JointPlan> joints{
        {"a", "", {0, 2, 0}}, {"b", "a", {sideways, 1, 0}}, {"c", "b", {sideways, 0.4, 0}}};
    joints.push_back({"c-end", "c", {0.2, 0.1, 0}, false, !end_node});
    joints[3].joint = false;
    RigFile file = rig_of(joints);
    if (!end_node) {
      for (Node& node : file.scene.nodes)
        if (node.name == "c-end") node.parent = 0;
    }
    return bones_of(file);
  };
  const Bones node = ends(true, 0);
  CHECK(node.tip_from[2] == TipFrom::node);
  CHECK((node.tip.col(2) - Eigen::Vector3d(0.2, 0.1, 0)).norm() == Approx(0).margin(1e-12));
  // Two quads from (0, 0.4) to (0.2, 0.1): their centroid is half way; bones lie along y.
  const Bones axis = ends(false, 0);
  CHECK(axis.tip_from[2] == TipFrom::axis);
  CHECK((axis.tip.col(2) - Eigen::Vector3d(0, 0.1, 0)).norm() == Approx(0).margin(1e-12));
  const Bones points = ends(false, 0.7);
  CHECK(points.tip_from[2] == TipFrom::points);
  CHECK((points.tip.col(2) - Eigen::Vector3d(0.2, 0.1, 0)).norm() == Approx(0).margin(1e-12));
}

}  // namespace pelt
