#include "solver/solve_cost.h"

#include <catch2/catch.hpp>
#include <utility>

using namespace pelt;

namespace {

/// A rig of so many root joints; each list is a vertex of theirs.
Rig rig_of(int joints, const std::vector<std::vector<int>>& vertices) {
  Rig rig;
  rig.parent.assign(joints, -1);
  rig.model_from_joint.assign(joints, Eigen::Matrix4d::Identity());
  rig.first_influence.push_back(0);
  for (const std::vector<int>& vertex : vertices) {
    for (const int j : vertex) {
      rig.joint.push_back(j);
      rig.weight.push_back(1.0 / static_cast<double>(vertex.size()));
    }
    rig.first_influence.push_back(rig.influences());
  }
  rig.rest_point = Eigen::Matrix3Xd::Zero(3, rig.influences());
  return rig;
}

std::vector<int> first_joints(int count) {
  std::vector<int> list;
  for (int j = 0; j < count; ++j) list.push_back(j);
  return list;
}

constexpr std::size_t kMost = 100 << 20;

}  // namespace

TEST_CASE("a chain costs by its joints, however many they are") {
  std::vector<std::vector<int>> vertices;
  for (int j = 0; j + 1 < 5000; ++j) vertices.push_back({j, j + 1});
  const std::size_t bytes = solve_bytes(rig_of(5000, vertices), Freedom::free, kMost);
  // 5000 pairs of a joint with itself, 4999 both ways, and the 4999 blocks and products of elimination
  CHECK(bytes == 2200 * (5000 + 2 * 4999) + (700 + 12) * 4999);
  Rig tree = rig_of(5000, {});
  for (int j = 1; j < 5000; ++j) tree.parent[j] = j - 1;
  CHECK(solve_bytes(tree, Freedom::free, kMost) == bytes);
}

TEST_CASE("joints that share one vertex cost by their square") {
  CHECK(solve_bytes(rig_of(180, {first_joints(180)}), Freedom::free, kMost) ==
        2200 * 32400 + 700 * 16200 + 12 * (5832000 / 6));
  CHECK(solve_bytes(rig_of(2000, {first_joints(200)}), Freedom::free, kMost) ==
        2200 * (40000 + 1800) + 700 * (200 * 199 / 2) + 12 * (199 * 200 * 201 / 6));
  CHECK(solve_bytes(rig_of(2000, {first_joints(400)}), Freedom::free, kMost) > kMost);
}

// 9000 joints in a torus of 60 x 150: few pairs, but each elimination of a plane fills in.
TEST_CASE("fill counts where pairs alone would not") {
  const auto at = [](int x, int y) { return x % 60 + 60 * (y % 150); };
  std::vector<std::vector<int>> vertices;
  for (int y = 0; y < 150; ++y)
    for (int x = 0; x < 60; ++x) vertices.push_back({at(x, y), at(x + 1, y), at(x, y + 1)});
  const Rig rig = rig_of(9000, vertices);
  const std::size_t pairs_alone = 2200 * 9000 * 7;
  const std::size_t most = pairs_alone + (10 << 20);
  CHECK(solve_bytes(rig, Freedom::free, most) > most);
}

TEST_CASE("joints that only turn cost by their square even as a chain") {
  std::vector<std::vector<int>> vertices;
  for (int j = 0; j + 1 < 1000; ++j) vertices.push_back({j, j + 1});
  const Rig rig = rig_of(1000, vertices);
  CHECK(solve_bytes(rig, Freedom::rotate, std::size_t{1} << 30) ==
        solve_bytes(rig, Freedom::free, std::size_t{1} << 30) + 550 * 1000 * 1000);
  CHECK(solve_bytes(rig, Freedom::rotate, kMost) > kMost);
  CHECK(solve_bytes(rig, Freedom::free, kMost) < kMost);
}
