#pragma once

#include <vector>

#include "scene.h"

namespace pelt {

/// Which vertices of a scene stand for all. A file splits a vertex where normals or texture coordinates jump,
/// three or four times on a faceted animal; those that move alike are solved and measured once.
struct DistinctVertices {
  std::vector<int> kept;    ///< ascending, the first of each group of vertices that move alike
  std::vector<int> group;   ///< a vertex each: index into `kept`
  std::vector<int> copies;  ///< of each group, the vertices that a triangle uses

  bool is_all() const { return kept.empty(); }  ///< are no vertices alike, or too few to matter?
  int group_of(int vertex) const { return is_all() ? vertex : group[vertex]; }
  int vertex_of(int kept_one) const { return is_all() ? kept_one : kept[kept_one]; }
};

/// Vertices of one part at one place under the same weights and morphs are alike. All are distinct where too
/// few are for that to pay, and where a point cache moves each on its own.
DistinctVertices distinct_vertices(const Scene& scene);

/// The groups of the scene's vertices. `like`: a vertex each, the first of its group. All are distinct where
/// too few are alike.
DistinctVertices grouped(const Scene& scene, const std::vector<int>& like);

/// Leaves the kept vertices in the scene; triangles get those that their corners are like.
void keep_distinct(const DistinctVertices& distinct, Scene& scene);

}  // namespace pelt
