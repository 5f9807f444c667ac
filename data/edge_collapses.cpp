// Botsch and Kobbelt, "A remeshing approach to multiresolution modeling" (2004), section 4: edges shorter
// than 4/5 of the target go, unless that makes one longer than 4/3. The link condition is that of Dey et al.,
// "Topology preserving edge contraction" (1999).

#include "edge_collapses.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <vector>

namespace pelt {
namespace {

using Lists = std::vector<std::vector<int>>;

struct Rings {
  Lists triangles, neighbours;  ///< of each vertex; neighbours sorted
};

Rings rings_of(const Surface& surface) {
  Rings rings{Lists(surface.positions.cols()), Lists(surface.positions.cols())};
  for (int t = 0; t < surface.triangles.cols(); ++t)
    for (int corner = 0; corner < 3; ++corner) {
      const int v = surface.triangles(corner, t);
      rings.triangles[v].push_back(t);
      rings.neighbours[v].push_back(surface.triangles((corner + 1) % 3, t));
      rings.neighbours[v].push_back(surface.triangles((corner + 2) % 3, t));
    }
  for (auto& list : rings.neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return rings;
}

std::vector<int> common(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

/// One edge on its way out: vertex `gone` merges into `kept`, which moves to `place`.
struct Collapse {
  int kept, gone;
  Eigen::Vector3d place;
};

bool keeps_topology(const Surface& surface, const Rings& rings, const Collapse& edge) {
  const auto on_plane = [&](int v) { return surface.positions(0, v) == 0; };
  const auto shared = common(rings.neighbours[edge.kept], rings.neighbours[edge.gone]);
  const bool boundary_edge = on_plane(edge.kept) && on_plane(edge.gone);
  if (shared.size() != (boundary_edge ? 1 : 2)) return false;
  if (!on_plane(edge.kept) || boundary_edge) return true;
  for (const int v : rings.neighbours[edge.gone])
    if (v != edge.kept && on_plane(v) && !std::binary_search(shared.begin(), shared.end(), v)) return false;
  return true;
}

/// No triangle that stays turns over, and no edge of it outgrows the limit.
bool keeps_shape(const Surface& surface, const Rings& rings, const Collapse& edge, double longest) {
  for (const int moved : {edge.kept, edge.gone})
    for (const int t : rings.triangles[moved]) {
      const Eigen::Vector3i tri = surface.triangles.col(t);
      if ((tri.array() == edge.kept).any() && (tri.array() == edge.gone).any()) continue;
      const int corner = tri[0] == moved ? 0 : tri[1] == moved ? 1 : 2;
      const Eigen::Vector3d b = surface.positions.col(tri[(corner + 1) % 3]);
      const Eigen::Vector3d c = surface.positions.col(tri[(corner + 2) % 3]);
      const Eigen::Vector3d before = (b - surface.positions.col(moved)).cross(c - b);
      const Eigen::Vector3d after = (b - edge.place).cross(c - b);
      if (before.dot(after) < 0.5 * before.norm() * after.norm()) return false;
      if ((b - edge.place).norm() > longest || (c - edge.place).norm() > longest) return false;
    }
  return true;
}

Collapse collapse_of(const Surface& surface, int a, int b) {
  const Eigen::Vector3d at_a = surface.positions.col(a), at_b = surface.positions.col(b);
  if ((at_a.x() == 0) == (at_b.x() == 0)) return {a, b, 0.5 * (at_a + at_b)};
  return at_a.x() == 0 ? Collapse{a, b, at_a} : Collapse{b, a, at_b};
}

/// One pass over all edges; around each collapse nothing else collapses in the same pass. Returns the number
/// of collapses.
int collapse_pass(Surface& surface, const TargetLength& target_length) {
  const Rings rings = rings_of(surface);
  std::vector<char> locked(surface.positions.cols(), 0);
  int collapses = 0;
  for (int a = 0; a < surface.positions.cols(); ++a)
    for (const int b : rings.neighbours[a]) {
      if (b < a || locked[a] || locked[b]) continue;
      const Collapse edge = collapse_of(surface, a, b);
      const double target = target_length(edge.place);
      if ((surface.positions.col(a) - surface.positions.col(b)).norm() > 0.8 * target) continue;
      if (!keeps_topology(surface, rings, edge)) continue;
      if (!keeps_shape(surface, rings, edge, 4.0 / 3 * target)) continue;
      for (const int end : {a, b})
        for (const int v : rings.neighbours[end]) locked[v] = 1;
      for (const int t : rings.triangles[edge.gone])
        for (int corner = 0; corner < 3; ++corner)
          if (surface.triangles(corner, t) == edge.gone) surface.triangles(corner, t) = edge.kept;
      surface.positions.col(edge.kept) = edge.place;
      ++collapses;
    }
  return collapses;
}

/// Drops triangles that have become segments and vertices without a triangle; the order of the others stays.
void drop_unused(Surface& surface) {
  std::vector<int> new_index(surface.positions.cols(), -1);
  int triangles = 0, vertices = 0;
  for (int t = 0; t < surface.triangles.cols(); ++t) {
    const Eigen::Vector3i tri = surface.triangles.col(t);
    if (tri[0] == tri[1] || tri[1] == tri[2] || tri[2] == tri[0]) continue;
    surface.triangles.col(triangles++) = tri;
    for (const int v : tri) new_index[v] = 0;
  }
  surface.triangles.conservativeResize(3, triangles);
  for (int v = 0; v < surface.positions.cols(); ++v)
    if (new_index[v] == 0) {
      surface.positions.col(vertices) = surface.positions.col(v);
      new_index[v] = vertices++;
    }
  surface.positions.conservativeResize(3, vertices);
  for (int& v : surface.triangles.reshaped()) v = new_index[v];
}

}  // namespace

void collapse_short_edges(Surface& surface, const TargetLength& target_length) {
  const int most_passes = 10;
  for (int pass = 0; pass < most_passes && collapse_pass(surface, target_length) > 0; ++pass)
    drop_unused(surface);
}

}  // namespace pelt
