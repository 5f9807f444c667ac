// Connected components by disjoint sets with path halving (Tarjan and van Leeuwen 1984).
#include "weight_islands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>

namespace pelt {
namespace {

constexpr double kSamePlace = 1e-5;  // of diag

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), 0); }

  int root(int n) {
    while (above_[n] != n) n = above_[n] = above_[above_[n]];
    return n;
  }
  void join(int a, int b) { above_[root(a)] = root(b); }

 private:
  std::vector<int> above_;
};

/// The same number for vertices at one place; -1 for those that no triangle uses.
std::vector<int> places_of(const Surface& rest) {
  const double cell = kSamePlace * bounding_diagonal(rest);
  const std::vector<char> used = used_vertices(rest);
  using Cell = std::array<std::int64_t, 3>;
  std::vector<std::pair<Cell, int>> cells;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (!used[v]) continue;
    const Eigen::Vector3d p = rest.positions.col(static_cast<Eigen::Index>(v)) / cell;
    cells.push_back({{std::llround(p.x()), std::llround(p.y()), std::llround(p.z())}, static_cast<int>(v)});
  }
  std::sort(cells.begin(), cells.end());
  std::vector<int> place(used.size(), -1);
  int count = 0;
  for (std::size_t k = 0; k < cells.size(); ++k)
    place[cells[k].second] = k > 0 && cells[k].first != cells[k - 1].first ? ++count : count;
  return place;
}

/// A joint's influence at a place.
struct Hold {
  int place, joint;
  auto operator<=>(const Hold&) const = default;
};

/// Sorted, each once.
std::vector<Hold> holds_of(const Rig& rig, const std::vector<int>& place, double least) {
  std::vector<Hold> holds;
  for (int i = 0; i < rig.vertices(); ++i)
    for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k)
      if (place[i] >= 0 && rig.weight[k] >= least) holds.push_back({place[i], rig.joint[k]});
  std::sort(holds.begin(), holds.end());
  holds.erase(std::unique(holds.begin(), holds.end()), holds.end());
  return holds;
}

/// Joins the holds of each joint that holds both ends of an edge.
void join_across(const std::vector<Hold>& holds, const Hold& from, int to_place, DisjointSets& patches) {
  auto a = std::lower_bound(holds.begin(), holds.end(), from);
  auto b = std::lower_bound(holds.begin(), holds.end(), Hold{to_place, -1});
  while (a != holds.end() && b != holds.end() && a->place == from.place && b->place == to_place) {
    if (a->joint == b->joint)
      patches.join(static_cast<int>(a++ - holds.begin()), static_cast<int>(b++ - holds.begin()));
    else
      a->joint < b->joint ? ++a : ++b;
  }
}

}  // namespace

std::vector<int> weight_islands(const Rig& rig, const Surface& rest, double least) {
  std::vector<int> islands(rig.joints(), 0);
  if (!(bounding_diagonal(rest) > 0)) return islands;
  const std::vector<int> place = places_of(rest);
  const std::vector<Hold> holds = holds_of(rig, place, least);
  DisjointSets pieces(place.size()), patches(holds.size());
  for (const auto& triangle : rest.triangles.colwise())
    for (int c = 0; c < 3; ++c) {
      const int a = place[triangle[c]], b = place[triangle[(c + 1) % 3]];
      pieces.join(a, b);
      join_across(holds, {a, -1}, b, patches);
    }
  std::set<std::array<int, 2>> seen;  // joint and piece
  for (std::size_t h = 0; h < holds.size(); ++h) {
    if (patches.root(static_cast<int>(h)) != static_cast<int>(h)) continue;
    if (!seen.insert({holds[h].joint, pieces.root(holds[h].place)}).second) ++islands[holds[h].joint];
  }
  return islands;
}

}  // namespace pelt
