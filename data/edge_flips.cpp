// Lawson, "Software for C1 surface interpolation" (1977): the max-min angle criterion, here on a curved
// surface, where a flip must also keep both normals.

#include "edge_flips.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <vector>

namespace pelt {
namespace {

/// An inner edge from a to b, with the triangles (a, b, left) and (b, a, right).
struct InnerEdge {
  int a, b, left, right, left_triangle, right_triangle;
};

struct HalfEdge {
  int low, high, triangle, corner;
  bool operator<(const HalfEdge& other) const {
    return std::pair(low, high) < std::pair(other.low, other.high);
  }
};

std::vector<InnerEdge> inner_edges(const Eigen::Matrix3Xi& triangles) {
  std::vector<HalfEdge> halves;
  for (int t = 0; t < triangles.cols(); ++t)
    for (int corner = 0; corner < 3; ++corner) {
      const int a = triangles(corner, t), b = triangles((corner + 1) % 3, t);
      halves.push_back({std::min(a, b), std::max(a, b), t, corner});
    }
  std::stable_sort(halves.begin(), halves.end());
  std::vector<InnerEdge> edges;
  for (std::size_t k = 0; k + 1 < halves.size(); ++k) {
    const HalfEdge &one = halves[k], &two = halves[k + 1];
    if (one < two) continue;
    edges.push_back({triangles(one.corner, one.triangle), triangles((one.corner + 1) % 3, one.triangle),
                     triangles((one.corner + 2) % 3, one.triangle),
                     triangles((two.corner + 2) % 3, two.triangle), one.triangle, two.triangle});
  }
  return edges;
}

/// Cosine of the smallest angle of a triangle: the largest of the three.
double smallest_angle_cosine(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const Eigen::Vector3d ab = (b - a).normalized(), bc = (c - b).normalized(), ca = (a - c).normalized();
  return std::max({-ab.dot(ca), -bc.dot(ab), -ca.dot(bc)});
}

bool flip_helps(const Eigen::Matrix3Xd& positions, const InnerEdge& edge) {
  const Eigen::Vector3d a = positions.col(edge.a), b = positions.col(edge.b);
  const Eigen::Vector3d left = positions.col(edge.left), right = positions.col(edge.right);
  if (left.x() == 0 && right.x() == 0) return false;
  const double before = std::max(smallest_angle_cosine(a, b, left), smallest_angle_cosine(b, a, right));
  const double after = std::max(smallest_angle_cosine(left, right, b), smallest_angle_cosine(right, left, a));
  if (after > before - 1e-6) return false;
  const Eigen::Vector3d normal = (b - a).cross(left - a) + (a - b).cross(right - b);
  return normal.dot((right - left).cross(b - left)) > 0 && normal.dot((left - right).cross(a - right)) > 0;
}

std::vector<std::vector<int>> neighbours(const std::vector<InnerEdge>& edges, Eigen::Index vertices) {
  std::vector<std::vector<int>> of(vertices);
  for (const auto& edge : edges) {
    of[edge.a].push_back(edge.b);
    of[edge.b].push_back(edge.a);
  }
  return of;
}

/// One pass over all edges, at most one flip a triangle. Returns the number of flips.
int flip_pass(Surface& surface) {
  const auto edges = inner_edges(surface.triangles);
  auto neighbours_of = neighbours(edges, surface.positions.cols());
  std::vector<char> changed(surface.triangles.cols(), 0);
  int flips = 0;
  for (const auto& edge : edges) {
    if (changed[edge.left_triangle] || changed[edge.right_triangle]) continue;
    auto& near = neighbours_of[edge.left];
    if (std::find(near.begin(), near.end(), edge.right) != near.end()) continue;
    if (!flip_helps(surface.positions, edge)) continue;
    surface.triangles.col(edge.left_triangle) << edge.left, edge.right, edge.b;
    surface.triangles.col(edge.right_triangle) << edge.right, edge.left, edge.a;
    near.push_back(edge.right);
    neighbours_of[edge.right].push_back(edge.left);
    changed[edge.left_triangle] = changed[edge.right_triangle] = 1;
    ++flips;
  }
  return flips;
}

}  // namespace

void flip_edges(Surface& surface) {
  const int most_passes = 20;
  for (int pass = 0; pass < most_passes && flip_pass(surface) > 0; ++pass) {
  }
}

}  // namespace pelt
