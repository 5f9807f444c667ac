#include "weld.h"

#include <nanoflann.hpp>
#include <numeric>
#include <utility>

namespace pelt {

namespace {

/// The used vertices of a surface, as nanoflann wants to see them.
struct UsedVertices {
  const Surface& surface;
  std::vector<int> vertex;

  explicit UsedVertices(const Surface& s) : surface(s) {
    const std::vector<char> used = used_vertices(s);
    for (int i = 0; i < static_cast<int>(used.size()); ++i) {
      if (used[i]) vertex.push_back(i);
    }
  }
  std::size_t kdtree_get_point_count() const { return vertex.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const {
    return surface.positions(static_cast<Eigen::Index>(axis), vertex[i]);
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

}  // namespace

struct VertexFinder::Tree {
  UsedVertices used;
  nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, UsedVertices>, UsedVertices, 3,
                                      int>
      index;

  explicit Tree(const Surface& surface) : used(surface), index(3, used, {10}) {}
};

VertexFinder::VertexFinder(const Surface& surface) : tree_(std::make_unique<Tree>(surface)) {}
VertexFinder::~VertexFinder() = default;

std::vector<int> VertexFinder::within(const Eigen::Vector3d& p, double radius) const {
  std::vector<std::pair<int, double>> near;  // index into used.vertex, squared distance
  tree_->index.radiusSearch(p.data(), radius * radius, near, {});
  std::vector<int> vertices;
  for (const auto& [index, sq_dist] : near) vertices.push_back(tree_->used.vertex[index]);
  return vertices;
}

std::vector<int> welded(const Surface& surface, double tolerance) {
  const VertexFinder finder(surface);
  const std::vector<char> used = used_vertices(surface);
  std::vector<int> weld(used.size(), -1);
  for (int i = 0; i < static_cast<int>(used.size()); ++i) {
    if (!used[i] || weld[i] >= 0) continue;
    weld[i] = i;
    for (const int other : finder.within(surface.positions.col(i), tolerance))
      if (weld[other] < 0) weld[other] = i;
  }
  return weld;
}

Lists triangles_around(const Surface& surface) {
  std::vector<int> each(static_cast<std::size_t>(surface.positions.cols()));
  std::iota(each.begin(), each.end(), 0);
  return triangles_around(surface, each);
}

Lists triangles_around(const Surface& surface, const std::vector<int>& weld) {
  Lists lists;
  lists.first.assign(weld.size() + 1, 0);
  lists.item.resize(static_cast<std::size_t>(surface.triangles.size()));
  for (const int vertex : surface.triangles.reshaped()) ++lists.first[weld[vertex] + 1];
  for (std::size_t i = 1; i < lists.first.size(); ++i) lists.first[i] += lists.first[i - 1];
  std::vector<int> next(lists.first.begin(), lists.first.end() - 1);
  for (int t = 0; t < surface.triangles.cols(); ++t)
    for (const int vertex : surface.triangles.col(t)) lists.item[next[weld[vertex]]++] = t;
  return lists;
}

}  // namespace pelt
