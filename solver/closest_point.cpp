// Closest point of a triangle: the foot of the perpendicular where it lies inside, else the nearest point of
// the three edges. The barycentric coordinates of the foot are ratios of areas (Ericson, "Real-Time Collision
// Detection", 2005, section 3.4). Hierarchy: split at the median centroid along the longest axis, children
// visited nearest first with pruning by the best distance so far (Roussopoulos, Kelley, Vincent 1995, on
// boxes of points).
#include "closest_point.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pelt {

namespace {

constexpr int leaf_size = 8;
constexpr int deepest = 64;  // halving reaches leaves after 31 levels at most

void keep_closer(SurfacePoint& best, double sq_dist, const Eigen::Vector3d& barycentric) {
  if (sq_dist >= best.sq_dist) return;
  best.sq_dist = sq_dist;
  best.barycentric = barycentric;
}

/// Edge from corner i to the next. Ends are measured from the corner itself, so that triangles which share it
/// agree on the distance to the bit.
void keep_closer_edge(SurfacePoint& best, const Eigen::Vector3d& p, const Triangle& corner, int i) {
  const int k = (i + 1) % 3;
  const Eigen::Vector3d edge = corner[k] - corner[i];
  const Eigen::Vector3d to_p = p - corner[i];
  const double sq_length = edge.squaredNorm();
  const double along = to_p.dot(edge);
  if (along <= 0) return keep_closer(best, to_p.squaredNorm(), Eigen::Vector3d::Unit(i));
  if (along >= sq_length) return keep_closer(best, (p - corner[k]).squaredNorm(), Eigen::Vector3d::Unit(k));
  const double t = along / sq_length;
  keep_closer(best, (to_p - t * edge).squaredNorm(),
              (1 - t) * Eigen::Vector3d::Unit(i) + t * Eigen::Vector3d::Unit(k));
}

double sq_distance_of_box(const Triangle& corner, const Eigen::Vector3d& p) {
  const Eigen::Vector3d low = corner[0].cwiseMin(corner[1]).cwiseMin(corner[2]),
                        high = corner[0].cwiseMax(corner[1]).cwiseMax(corner[2]);
  return (low - p).cwiseMax(p - high).cwiseMax(0.0).squaredNorm();
}

}  // namespace

SurfacePoint closest_on_triangle(const Eigen::Vector3d& p, const Triangle& corner) {
  SurfacePoint best;
  best.sq_dist = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) keep_closer_edge(best, p, corner, i);

  // The edges count even where the foot is inside: the normal of a sliver may be little but rounding.
  const Eigen::Vector3d ab = corner[1] - corner[0];
  const Eigen::Vector3d ac = corner[2] - corner[0];
  const Eigen::Vector3d to_p = p - corner[0];
  const Eigen::Vector3d normal = ab.cross(ac);
  const double sq_normal = normal.squaredNorm();
  const double v = to_p.cross(ac).dot(normal) / sq_normal;
  const double w = ab.cross(to_p).dot(normal) / sq_normal;
  if (v > 0 && w > 0 && v + w < 1) {  // false for a triangle without area, where both are NaN
    keep_closer(best, (to_p - v * ab - w * ac).squaredNorm(), {1 - v - w, v, w});
  }
  return best;
}

SurfacePoint closest_on(const Surface& surface, int triangle, const Eigen::Vector3d& p) {
  const Eigen::Vector3i corner = surface.triangles.col(triangle);
  SurfacePoint point = closest_on_triangle(
      p,
      {surface.positions.col(corner[0]), surface.positions.col(corner[1]), surface.positions.col(corner[2])});
  point.triangle = triangle;
  return point;
}

TriangleTree::TriangleTree(const Surface& surface) {
  const int count = static_cast<int>(surface.triangles.cols());
  const auto corner = [&](int triangle, int k) -> Eigen::Vector3d {
    return surface.positions.col(surface.triangles(k, triangle));
  };
  std::vector<Eigen::Vector3d> centroids(count);
  for (int t = 0; t < count; ++t) centroids[t] = (corner(t, 0) + corner(t, 1) + corner(t, 2)) / 3;
  split(centroids);
  corners_.resize(count);
  for (int s = 0; s < count; ++s) {
    for (int k = 0; k < 3; ++k) corners_[s][k] = corner(triangle_[s], k);
  }
  fit_boxes();
}

void TriangleTree::add_leaf(int first, int count) {
  Node leaf;
  leaf.first = first;
  leaf.count = count;
  nodes_.push_back(leaf);
}

void TriangleTree::split(const std::vector<Eigen::Vector3d>& centroids) {
  triangle_.resize(centroids.size());
  std::iota(triangle_.begin(), triangle_.end(), 0);
  add_leaf(0, static_cast<int>(triangle_.size()));
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const int first = nodes_[n].first;
    const int count = nodes_[n].count;
    if (count <= leaf_size) continue;
    Eigen::AlignedBox3d box;
    for (int s = first; s < first + count; ++s) box.extend(centroids[triangle_[s]]);
    Eigen::Index axis = 0;
    box.sizes().maxCoeff(&axis);
    const auto order = [&](int s, int t) {
      return std::pair(centroids[s][axis], s) < std::pair(centroids[t][axis], t);
    };
    const auto begin = triangle_.begin() + first;
    std::nth_element(begin, begin + count / 2, begin + count, order);
    nodes_[n].first = static_cast<int>(nodes_.size());
    nodes_[n].count = 0;
    add_leaf(first, count / 2);
    add_leaf(first + count / 2, count - count / 2);
  }
}

void TriangleTree::fit_boxes() {
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    Eigen::AlignedBox3d box;
    for (int s = node->first; s < node->first + node->count; ++s) {
      for (const Eigen::Vector3d& corner : corners_[s]) box.extend(corner);
    }
    for (int child = 0; node->count == 0 && child < 2; ++child) {
      box.extend(nodes_[node->first + child].low).extend(nodes_[node->first + child].high);
    }
    node->low = box.min();
    node->high = box.max();
  }
}

double TriangleTree::sq_distance(int node, const Eigen::Vector3d& p) const {
  const Node& box = nodes_[node];
  return (box.low - p).cwiseMax(p - box.high).cwiseMax(0.0).squaredNorm();
}

SurfacePoint TriangleTree::closest_in_slot(int slot, const Eigen::Vector3d& p) const {
  SurfacePoint point = closest_on_triangle(p, corners_[slot]);
  point.triangle = triangle_[slot];
  return point;
}

template <class Visit>
void TriangleTree::descend(const Eigen::Vector3d& p, const double& sq_limit, Visit&& visit) const {
  struct Pending {
    int node;
    double sq_dist;
  };
  const auto pending = [&](int node) { return Pending{node, sq_distance(node, p)}; };
  std::array<Pending, deepest> stack;
  int top = 0;
  stack[top++] = pending(0);
  while (top > 0) {
    const Pending next = stack[--top];
    if (next.sq_dist > sq_limit) continue;
    const Node& node = nodes_[next.node];
    for (int s = node.first; s < node.first + node.count; ++s)
      if (sq_distance_of_box(corners_[s], p) <= sq_limit) visit(s);
    if (node.count > 0) continue;
    Pending near = pending(node.first);
    Pending far = pending(node.first + 1);
    if (far.sq_dist < near.sq_dist) std::swap(near, far);
    stack[top++] = far;
    stack[top++] = near;
  }
}

SurfacePoint TriangleTree::closest(const Eigen::Vector3d& p, double sq_bound) const {
  SurfacePoint best;
  best.sq_dist = sq_bound;
  descend(p, best.sq_dist, [&](int slot) {
    const SurfacePoint point = closest_in_slot(slot, p);
    const bool first_of_equals =
        point.sq_dist == best.sq_dist && (best.triangle < 0 || point.triangle < best.triangle);
    if (point.sq_dist < best.sq_dist || first_of_equals) best = point;
  });
  return best;
}

std::vector<SurfacePoint> TriangleTree::within(const Eigen::Vector3d& p, double radius,
                                               const std::function<bool(int)>& wanted) const {
  const double sq_radius = radius * radius;
  std::vector<SurfacePoint> found;
  descend(p, sq_radius, [&](int slot) {
    if (!wanted(triangle_[slot])) return;
    const SurfacePoint point = closest_in_slot(slot, p);
    if (point.sq_dist <= sq_radius) found.push_back(point);
  });
  std::sort(found.begin(), found.end(),
            [](const SurfacePoint& a, const SurfacePoint& b) { return a.triangle < b.triangle; });
  return found;
}

void TriangleTree::closest_few(const Eigen::Vector3d& p, double slack,
                               std::vector<SurfacePoint>& found) const {
  found.clear();
  double sq_least = std::numeric_limits<double>::infinity(), sq_limit = sq_least;
  descend(p, sq_limit, [&](int slot) {
    const SurfacePoint point = closest_in_slot(slot, p);
    if (point.sq_dist > sq_limit) return;
    found.push_back(point);
    if (point.sq_dist >= sq_least) return;
    sq_least = point.sq_dist;
    const double limit = std::sqrt(sq_least) + slack;
    sq_limit = std::max(sq_least, limit * limit);  // the square root may round down
  });
  std::erase_if(found, [&](const SurfacePoint& point) { return point.sq_dist > sq_limit; });
}

IndexedSurface::IndexedSurface(Surface s, const std::string& name)
    : surface((validate(s, name), std::move(s))), tree(surface) {}

}  // namespace pelt
