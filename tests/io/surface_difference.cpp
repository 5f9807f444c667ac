#include "surface_difference.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "io/pose.h"

namespace pelt::test {
namespace {

/// Vertices in an order that the file does not decide.
std::vector<int> sorted_vertices(const Eigen::Matrix3Xd& rest) {
  std::vector<int> order(static_cast<std::size_t>(rest.cols()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Eigen::Vector3d p = rest.col(a), q = rest.col(b);
    return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
  });
  return order;
}

/// Triangles over sorted vertices, each from its first vertex on; the way round counts.
std::set<std::array<int, 3>> triangles_of(const Scene& scene, const std::vector<int>& order) {
  std::vector<int> rank(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) rank[order[k]] = static_cast<int>(k);
  std::set<std::array<int, 3>> triangles;
  for (const auto& corners : scene.triangles.colwise()) {
    std::array<int, 3> t = {rank[corners(0)], rank[corners(1)], rank[corners(2)]};
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    triangles.insert(t);
  }
  return triangles;
}

}  // namespace

double largest_difference(const Scene& a, const Scene& b) {
  REQUIRE(a.vertices() == b.vertices());
  const std::vector<int> order_a = sorted_vertices(rest_surface(a).positions),
                         order_b = sorted_vertices(rest_surface(b).positions);
  CHECK(triangles_of(a, order_a) == triangles_of(b, order_b));
  double largest = 0;
  for (const double time : {0.0, 0.3, 1.0}) {
    const Eigen::Matrix3Xd in_a = surface_at(a, pose_at(a, a.clips[0], time)),
                           in_b = surface_at(b, pose_at(b, b.clips[0], time));
    for (std::size_t k = 0; k < order_a.size(); ++k)
      largest = std::max(largest, (in_a.col(order_a[k]) - in_b.col(order_b[k])).norm());
  }
  return largest;
}

}  // namespace pelt::test
