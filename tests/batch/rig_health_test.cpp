#include "batch/rig_health.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "skeleton_builder.h"
#include "solver/error.h"

namespace pelt {
namespace {

using namespace test;
namespace fs = std::filesystem;

/// Bones from the origin to y = 1 and 2, and two like triangles: one at the origin that the lower bone holds,
/// one at a height that it holds with a weight, the upper one with the rest.
RigFile bone_and_triangle(double height, double weight) {
  RigFile file =
      rig_of({{"low", "", {0, 0, 0}}, {"high", "low", {0, 1, 0}}, {"end", "high", {0, 2, 0}, false, false}});
  Rig& rig = file.rig.rig;
  file.rest.triangles.resize(3, 2);
  file.rest.triangles << 0, 3, 1, 4, 2, 5;
  file.rest.positions.resize(3, 6);
  file.rest.positions << 0, 0.2, 0, 0, 0.2, 0, 0, 0, 1, height, height, height + 1, 0, 0, 0, 0, 0, 0;
  rig.first_influence = {0, 1, 2, 3, 5, 7, 9};
  rig.joint = {0, 0, 0, 0, 1, 0, 1, 0, 1};
  rig.weight = {1, 1, 1, weight, 1 - weight, weight, 1 - weight, weight, 1 - weight};
  rig.rest_point = Eigen::Matrix3Xd::Zero(3, 9);
  return file;
}

}  // namespace

TEST_CASE("Influences are counted over vertices that count", "[health]") {
  const RigHealth health = rig_health(bone_and_triangle(0, 0.5));
  CHECK(health.joints == 2);
  CHECK(health.joints_without_weights == 0);
  CHECK(health.mean_influences == Approx(1.5));
  CHECK(health.max_influences == 2);
}

TEST_CASE("A vertex is far where it is far from each bone that holds it", "[health]") {
  // The box is 0.2 wide and h + 1 high; the farthest vertex is (0, h + 1).
  const auto diag = [](double height) { return std::hypot(0.2, height + 1); };
  const RigHealth near = rig_health(bone_and_triangle(1.5, 0.5));
  CHECK(near.far_vertices == 0);
  CHECK(near.farthest == Approx(100 * 0.5 / diag(1.5)));
  const RigHealth held_low = rig_health(bone_and_triangle(9, 0.97));
  CHECK(held_low.farthest == Approx(100 * 9 / diag(9)));  // 3 % on the near joint do not count
  CHECK(held_low.far_vertices == Approx(50));
  const RigHealth held_high = rig_health(bone_and_triangle(9, 0.9));
  CHECK(held_high.farthest == Approx(100 * 8 / diag(9)));
}

TEST_CASE("A rig without a surface is refused", "[health]") {
  RigFile file = bone_and_triangle(1, 0.5);
  file.rest.positions.setZero();
  CHECK_THROWS_WITH(rig_health(file), Catch::Contains("no area"));
}

TEST_CASE("Health comes back from its JSON", "[health]") {
  std::vector<JointPlan> joints = quadruped(17.25);
  named(joints, "hind-left-hip").weighted = false;
  for (const RigHealth& health : {rig_health(rig_of(joints)), rig_health(bone_and_triangle(9, 0.97))}) {
    const nlohmann::ordered_json json = to_json(health);
    CHECK(to_json(health_from_json(nlohmann::ordered_json::parse(json.dump()))) == json);
  }
  nlohmann::ordered_json broken = to_json(RigHealth{});
  broken["weight_islands"] = "none";
  CHECK_THROWS_WITH(health_from_json(broken), Catch::Contains("weight_islands"));
  broken.erase("weight_islands");
  CHECK_THROWS_AS(health_from_json(broken), InvalidInput);
}

TEST_CASE("Real rigs look as a rigger would say", "[health]") {
  const char* given = std::getenv("PELT_CORPORA");
  const fs::path corpora = given ? given : PELT_SOURCE_DIR "/../shared/corpora";
  const std::vector<std::string> animals = {"Cow",   "Deer",        "Donkey", "Fox",
                                            "Horse", "Horse_White", "Husky",  "Wolf"};
  if (!fs::is_directory(corpora)) {
    std::cout << "skipped: " << 4 * animals.size() << " corpus checks (no corpora folder)\n";
    return;
  }
  for (const std::string& animal : animals) {
    CAPTURE(animal);
    const auto health_of = [&](const std::string& rig) {
      return rig_health(open_rig_file(corpora / "autorig-blender" / (animal + "." + rig + ".glb")));
    };
    const RigHealth straight = health_of("straight-legs-boneheat"), bent = health_of("bent-legs-scattered");
    const RigHealth heat = health_of("artist-skeleton-boneheat"),
                    envelope = health_of("artist-skeleton-envelope");
    for (const RigHealth& health : {straight, bent, heat, envelope}) {
      CHECK(health.legs.size() == 4);
      CHECK(*health.symmetric());
      CHECK(health.joints_without_weights == 0);
      CHECK(health.far_vertices == 0);
    }
    CHECK(*straight.least_bend() < 0.1);
    CHECK_FALSE(*straight.drivable());
    CHECK(*bent.least_bend() > 25);
    CHECK(*bent.drivable());
    CHECK(*heat.drivable());
    CHECK(bent.weight_islands > 3 * straight.weight_islands);
    CHECK(envelope.weight_islands > 3 * heat.weight_islands);
    CHECK(envelope.mean_influences > 1.5 * heat.mean_influences);
  }
}

}  // namespace pelt
