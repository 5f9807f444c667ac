#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "surface.h"

namespace pelt {

/// The used vertices of a surface, to be found by place. The surface must outlive it.
class VertexFinder {
 public:
  explicit VertexFinder(const Surface& surface);
  ~VertexFinder();

  /// The used vertices within `radius` of p, in any order.
  std::vector<int> within(const Eigen::Vector3d& p, double radius) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

/// For each used vertex the first used one that lies within `tolerance` of it; -1 for vertices that no
/// triangle uses. Exporters split vertices along seams; here a surface hangs together again.
std::vector<int> welded(const Surface& surface, double tolerance);

/// Which items belong to each of a row of things: item[first[i]] to item[first[i + 1] - 1].
struct Lists {
  std::vector<int> first, item;
};

/// The triangles around each vertex.
Lists triangles_around(const Surface& surface);

/// The triangles around each vertex, those of the vertices welded to it included; all are listed with the
/// first of the vertices, the lists of the others are empty.
Lists triangles_around(const Surface& surface, const std::vector<int>& weld);

}  // namespace pelt
