#include "batch/regions.h"

#include <catch2/catch.hpp>
#include <set>

#include "skeleton_builder.h"

namespace pelt {
namespace {

using namespace test;

}  // namespace

TEST_CASE("Regions are the limbs by their first joints, and the trunk", "[regions]") {
  RigFile file = rig_of(quadruped(20));
  for (std::size_t n = 0; n < file.scene.nodes.size(); ++n)
    if (file.scene.nodes[n].name == "tail") file.scene.nodes[n].name.clear();
  const Regions regions = regions_of(file);
  const std::vector<std::string> expected{
      "head", "hind-left-hip", "hind-right-hip", "front-left-hip", "front-right-hip", "nodes[5]", "trunk"};
  CHECK(std::set(regions.names.begin(), regions.names.end()) == std::set(expected.begin(), expected.end()));
  CHECK(regions.names.back() == "trunk");
  for (int j = 0; j < file.rig.rig.joints(); ++j) {
    const std::string name = joint_name(file, j), region = regions.names[regions.of_joint[j]];
    CAPTURE(name);
    if (name == "pelvis" || name == "chest")
      CHECK(region == "trunk");
    else if (name.ends_with("-knee"))
      CHECK(region == name.substr(0, name.find("-knee")) + "-hip");
    else
      CHECK(region == name);
  }
}

TEST_CASE("Shares of the error add up to one, weighted by surface", "[regions]") {
  const Regions regions{{"leg", "trunk"}, {1, 0, 0, 1}};
  Figures figures;
  figures.joint_mean = {1, 4, 2, 0};
  figures.joint_share = {0.5, 0.2, 0.3, 0};  // losses 0.5, 0.8, 0.6, 0: in all 1.9
  const std::vector<JointError> joints = joint_errors({"a", "b", "c", "bare"}, figures);
  REQUIRE(joints.size() == 3);
  CHECK(joints[1].joint == "b");
  CHECK(joints[1].mean == 4);
  CHECK(joints[1].share == Approx(0.8 / 1.9));
  CHECK(joints[0].share + joints[1].share + joints[2].share == Approx(1));
  const std::vector<RegionError> found = region_errors(regions, figures);
  REQUIRE(found.size() == 2);
  CHECK(found[0].region == "leg");
  CHECK(found[0].mean == Approx(1.4 / 0.5));
  CHECK(found[0].share == Approx(1.4 / 1.9));
  CHECK(found[1].mean == Approx(1));
  CHECK(found[1].share == Approx(0.5 / 1.9));
}

TEST_CASE("Where nothing is lost no one has a share of it", "[regions]") {
  Figures figures;
  figures.joint_mean = {0, 0};
  figures.joint_share = {0.5, 0.5};
  for (const JointError& joint : joint_errors({"a", "b"}, figures)) CHECK(joint.share == 0);
  const std::vector<RegionError> regions = region_errors({{"leg", "trunk"}, {1, 1}}, figures);
  REQUIRE(regions.size() == 1);  // no surface hangs on the leg
  CHECK(regions[0].share == 0);
}

}  // namespace pelt
