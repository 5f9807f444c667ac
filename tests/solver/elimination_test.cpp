#include "solver/elimination.h"

#include <catch2/catch.hpp>
#include <utility>

using namespace pelt;

namespace {

std::vector<std::set<int>> graph_of(int unknowns, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<std::set<int>> graph(unknowns);
  for (const auto& [a, b] : pairs) graph[a].insert(b), graph[b].insert(a);
  return graph;
}

std::vector<std::set<int>> ring(int unknowns) {
  std::vector<std::pair<int, int>> pairs;
  for (int u = 0; u < unknowns; ++u) pairs.push_back({u, (u + 1) % unknowns});
  return graph_of(unknowns, pairs);
}

std::vector<std::set<int>> everybody(int unknowns) {
  std::vector<std::pair<int, int>> pairs;
  for (int u = 0; u < unknowns; ++u)
    for (int v = 0; v < u; ++v) pairs.push_back({u, v});
  return graph_of(unknowns, pairs);
}

}  // namespace

TEST_CASE("a tree is eliminated from its leaves without fill") {
  const Elimination e = eliminate(graph_of(5, {{0, 1}, {1, 2}, {1, 3}, {0, 4}}));
  CHECK(e.blocks == 4);
  CHECK(e.products == 4);
  CHECK(e.order.size() == 5);
  CHECK(e.order.front() == 4);
  CHECK(e.below.front() == std::vector<int>{0});
}

TEST_CASE("a ring fills in as a triangulated polygon does") {
  const Elimination e = eliminate(ring(9));  // 9 sides and 6 diagonals
  CHECK(e.blocks == 2 * 9 - 3);
  CHECK(e.products == 3 * 7 + 1);  // seven corners with two neighbours, then one
}

TEST_CASE("where all meet all the factor is dense") {
  const Elimination e = eliminate(everybody(20));
  CHECK(e.blocks == 20 * 19 / 2);
  CHECK(e.products == 19 * 20 * 21 / 6);
}

TEST_CASE("an elimination stops where there are more products than asked for") {
  CHECK(eliminate(everybody(100), 4950).order.size() == 2);
  CHECK(eliminate(everybody(100), 4949).order.size() == 1);
}
