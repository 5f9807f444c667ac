#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "closest_point.h"
#include "weld.h"

namespace pelt {

/// A surface as something to walk on: triangles hang together where corners are the same or welded.
struct Ground {
  const IndexedSurface& indexed;  ///< must outlive it
  Eigen::Matrix3Xd normals;       ///< of the triangles
  std::vector<int> weld;
  Lists around;

  /// Vertices within `coincidence` of each other are welded.
  Ground(const IndexedSurface& surface, double coincidence);

  int corner(int triangle, int k) const { return weld[indexed.surface.triangles(k, triangle)]; }
  bool touch(int a, int b) const;
};

/// Walks from triangle to triangle of a ground. One thread's own: it remembers where it was.
class Walk {
 public:
  explicit Walk(const Ground& ground);

  /// Do triangles lead from one to the other that come within `radius` of the goal, a point of the latter?
  bool leads(int from, int to, const Eigen::Vector3d& goal, double radius);

  /// Numbers the triangles of a list by what hangs together within the list; numbers are places in it.
  std::vector<int> parts(const std::vector<SurfacePoint>& list);

 private:
  bool step_over(int vertex, int to, const Eigen::Vector3d& goal, double radius);
  double sq_distance(int triangle, const Eigen::Vector3d& goal, double radius) const;

  const Ground& ground_;
  int round_ = 0;
  std::vector<int> round_of_triangle_, round_of_vertex_;  // in which each was visited last
  std::vector<int> last_at_;                              // in the list, of the triangles at a vertex
  std::vector<std::pair<double, int>> pending_;           // squared distance to the goal, triangle
};

}  // namespace pelt
