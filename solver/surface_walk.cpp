#include "surface_walk.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace pelt {

Ground::Ground(const IndexedSurface& surface, double coincidence)
    : indexed(surface),
      normals(face_normals(surface.surface)),
      weld(welded(surface.surface, coincidence)),
      around(triangles_around(surface.surface, weld)) {}

bool Ground::touch(int a, int b) const {
  for (int k = 0; k < 9; ++k)
    if (corner(a, k / 3) == corner(b, k % 3)) return true;
  return false;
}

Walk::Walk(const Ground& ground)
    : ground_(ground),
      round_of_triangle_(static_cast<std::size_t>(ground.normals.cols()), 0),
      round_of_vertex_(ground.weld.size(), 0),
      last_at_(ground.weld.size()) {}

/// What is nearest to the goal is tried first.
bool Walk::leads(int from, int to, const Eigen::Vector3d& goal, double radius) {
  if (from == to || ground_.touch(from, to)) return true;
  ++round_;
  round_of_triangle_[from] = round_;
  pending_.assign(1, {0, from});
  while (!pending_.empty()) {
    std::pop_heap(pending_.begin(), pending_.end(), std::greater());
    const int triangle = pending_.back().second;
    pending_.pop_back();
    for (int k = 0; k < 3; ++k)
      if (step_over(ground_.corner(triangle, k), to, goal, radius)) return true;
  }
  return false;
}

bool Walk::step_over(int vertex, int to, const Eigen::Vector3d& goal, double radius) {
  if (std::exchange(round_of_vertex_[vertex], round_) == round_) return false;
  for (int n = ground_.around.first[vertex]; n < ground_.around.first[vertex + 1]; ++n) {
    const int next = ground_.around.item[n];
    if (next == to) return true;
    if (std::exchange(round_of_triangle_[next], round_) == round_) continue;
    const double sq_dist = sq_distance(next, goal, radius);
    if (sq_dist > radius * radius) continue;
    pending_.emplace_back(sq_dist, next);
    std::push_heap(pending_.begin(), pending_.end(), std::greater());
  }
  return false;
}

/// To the nearest corner where that is within the radius, which costs less, else to the nearest point.
double Walk::sq_distance(int triangle, const Eigen::Vector3d& goal, double radius) const {
  const Surface& surface = ground_.indexed.surface;
  double least = std::numeric_limits<double>::infinity();
  for (const int v : surface.triangles.col(triangle))
    least = std::min(least, (surface.positions.col(v) - goal).squaredNorm());
  return least <= radius * radius ? least : closest_on(surface, triangle, goal).sq_dist;
}

std::vector<int> Walk::parts(const std::vector<SurfacePoint>& list) {
  ++round_;
  std::vector<int> parent(list.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int n) {
    while (parent[n] != n) n = parent[n] = parent[parent[n]];
    return n;
  };
  const auto count = static_cast<int>(list.size());
  for (int n = 0; n < count; ++n)
    for (int k = 0; k < 3; ++k) {
      const int vertex = ground_.corner(list[n].triangle, k);
      if (std::exchange(round_of_vertex_[vertex], round_) == round_) parent[root(n)] = root(last_at_[vertex]);
      last_at_[vertex] = n;
    }
  for (int n = 0; n < count; ++n) parent[n] = root(n);
  return parent;
}

}  // namespace pelt
