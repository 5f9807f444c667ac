#include "solver/chain_pairs.h"

#include <array>
#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <vector>

#include "solver/chain_model.h"
#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

/// Vertices of each joint alone, and one a pair.
Rig rig_of(const std::vector<int>& parent, const std::vector<std::array<int, 2>>& shared, Random& random) {
  Rig rig;
  rig.parent = parent;
  rig.first_influence = {0};
  const auto bind = [&](int joint, double weight) {
    rig.joint.push_back(joint), rig.weight.push_back(weight);
  };
  const auto end_vertex = [&] { rig.first_influence.push_back(rig.influences()); };
  for (int j = 0; j < rig.joints(); ++j) {
    rig.model_from_joint.push_back(Eigen::Matrix4d::Identity());
    for (int n = 0; n < 4; ++n) bind(j, 1), end_vertex();
  }
  for (const auto& [a, b] : shared) bind(a, 0.5), bind(b, 0.5), end_vertex();
  rig.rest_point.resize(3, rig.influences());
  for (auto point : rig.rest_point.colwise()) point = random.vector(1);
  return rig;
}

/// One row a joint, x where it couples.
std::vector<std::string> couplings(const Rig& rig) {
  const System system = make_system(rig, rig_moments(rig, test::equal_shares(rig)));
  const ChainPairs pairs = chain_pairs(system);
  std::vector<std::string> rows(system.unknowns, std::string(system.unknowns, '.'));
  for (int a = 0; a < system.unknowns; ++a)
    for (int n = pairs.row[a]; n < pairs.row[a + 1]; ++n) rows[a][pairs.column[n]] = 'x';
  return rows;
}

}  // namespace

TEST_CASE("Two legs couple with the trunk and, where they share a vertex, with each other") {
  Random random;
  const std::vector<int> legs = {-1, 0, 1, 0, 3};  // the trunk, thigh and shin, thigh and shin
  CHECK(couplings(rig_of(legs, {}, random)) ==
        std::vector<std::string>{"xxxxx", "xxx..", "xxx..", "x..xx", "x..xx"});
  CHECK(couplings(rig_of(legs, {{1, 3}}, random)) ==
        std::vector<std::string>{"xxxxx", "xxxx.", "xxx..", "xx.xx", "x..xx"});
  CHECK(couplings(rig_of(legs, {{2, 3}}, random)) ==
        std::vector<std::string>{"xxxxx", "xxxx.", "xxxx.", "xxxxx", "x..xx"});
}

TEST_CASE("Two trees couple from the joints that share a vertex up to their roots") {
  Random random;
  const std::vector<int> trees = {-1, -1, 0, 1, 2};
  CHECK(couplings(rig_of(trees, {}, random)) ==
        std::vector<std::string>{"x.x.x", ".x.x.", "x.x.x", ".x.x.", "x.x.x"});
  CHECK(couplings(rig_of(trees, {{2, 3}}, random)) ==
        std::vector<std::string>{"xxxxx", "xxxx.", "xxxxx", "xxxx.", "x.x.x"});
}

TEST_CASE("A step of the turns solves its equations, by blocks for limbs and as a full matrix for a chain") {
  Random random;
  for (const bool is_chain : {false, true}) {
    Rig rig = test::make_rig({.joints = 40, .vertices = 400, .influences = 2}, random);
    for (int j = 1; j < rig.joints() && is_chain; ++j) rig.parent[j] = j - 1;
    const RigMoments moments = rig_moments(rig, test::equal_shares(rig));
    const System system = make_system(rig, moments);
    const ChainPairs pairs = chain_pairs(system);
    CHECK((pairs.column.size() == 1600) == is_chain);
    const Eigen::Matrix3Xd target = skin(rig, test::random_pose(rig, 0.3, 0.1, random));
    const FrameMoments frame = frame_moments(system, target_moments(moments, std::span(&target, 1)), 0);
    Pose pose;
    for (int u = 0; u < system.unknowns; ++u) pose.push_back(random.motion(0.3, 0.1));
    ChainModel model(system);
    model.expand(frame, on_chain(system, pose), Curvature::convex);
    REQUIRE(model.factor(0));
    const Eigen::VectorXd left = model.hessian() * model.step() + model.gradient();
    CHECK(left.norm() < 1e-9 * model.gradient().norm());
  }
}
