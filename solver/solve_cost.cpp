#include "solve_cost.h"

#include <set>
#include <vector>

#include "elimination.h"

namespace pelt {
namespace {

/// Pairs of joints with a block A_jk, each joint with itself among them, and what the factor is made of.
struct Size {
  std::size_t joints = 0, pairs = 0, blocks = 0, products = 0;
};

// What each of them stands for in bytes: 4x4 blocks of moments and systems, 6x6 blocks of each thread's
// Hessian, its damped copy and its factor, and the places where products go.
constexpr std::size_t kPairBytes = 2200, kBlockBytes = 700, kProductBytes = 12;
// Of mode rotate: sums over pairs of subtrees, Hessian and factor, which are dense in a chain; where they are
// factored by blocks they take less.
constexpr std::size_t kChainBytes = 550;

std::size_t bytes_of(const Size& s, Freedom freedom) {
  const std::size_t dense = freedom == Freedom::rotate ? kChainBytes * s.joints * s.joints : 0;
  return kPairBytes * s.pairs + kBlockBytes * s.blocks + kProductBytes * s.products + dense;
}

Size if_all_met(std::size_t joints) {
  return {joints, joints * joints, joints * joints / 2, joints * joints * joints / 6};
}

/// The influences of each joint: those of joint j are influence[first[j]] .. influence[first[j + 1]).
struct ByJoint {
  std::vector<int> first, vertex;
};

ByJoint vertices_by_joint(const Rig& rig) {
  ByJoint lists{std::vector<int>(rig.joints() + 1, 0), std::vector<int>(rig.influences())};
  for (const int j : rig.joint) ++lists.first[j + 1];
  for (int j = 0; j < rig.joints(); ++j) lists.first[j + 1] += lists.first[j];
  std::vector<int> next(lists.first.begin(), lists.first.end() - 1);
  for (int i = 0; i < rig.vertices(); ++i)
    for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k)
      lists.vertex[next[rig.joint[k]]++] = i;
  return lists;
}

/// Joints that share a vertex, and those next to each other in the tree; cut short where there are more
/// than `most`.
std::vector<std::set<int>> neighbours(const Rig& rig, std::size_t most, std::size_t& pairs) {
  std::vector<std::set<int>> graph(rig.joints());
  for (int j = 0; j < rig.joints(); ++j) {
    if (rig.parent[j] < 0) continue;
    graph[j].insert(rig.parent[j]);
    graph[rig.parent[j]].insert(j);
  }
  const ByJoint lists = vertices_by_joint(rig);
  std::vector<int> met_by(rig.joints(), -1);
  pairs = rig.joints();
  for (int j = 0; j < rig.joints() && pairs <= most; ++j) {
    met_by[j] = j;
    for (int n = lists.first[j]; n < lists.first[j + 1]; ++n) {
      const int i = lists.vertex[n];
      for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k)
        if (met_by[rig.joint[k]] != j) {
          met_by[rig.joint[k]] = j;
          graph[j].insert(rig.joint[k]);
        }
    }
    pairs += graph[j].size();
  }
  return graph;
}

}  // namespace

std::size_t solve_bytes(const Rig& rig, Freedom freedom, std::size_t most) {
  const auto joints = static_cast<std::size_t>(rig.joints());
  if (const std::size_t dense = bytes_of(if_all_met(joints), freedom); dense <= most) return dense;
  Size size{joints, 0, 0, 0};
  std::vector<std::set<int>> graph = neighbours(rig, most / kPairBytes, size.pairs);
  if (const std::size_t bytes = bytes_of(size, freedom); bytes > most) return bytes;
  const Elimination elimination = eliminate(std::move(graph), most / kProductBytes);
  size.blocks = elimination.blocks;
  size.products = elimination.products;
  return bytes_of(size, freedom);
}

}  // namespace pelt
