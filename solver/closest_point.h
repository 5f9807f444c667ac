#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "surface.h"

namespace pelt {

/// A point of a triangle: p = sum_k barycentric[k] * corner k.
struct SurfacePoint {
  int triangle = -1;
  Eigen::Vector3d barycentric = Eigen::Vector3d::Zero();
  double sq_dist = 0;
};

/// The corners of a triangle.
using Triangle = std::array<Eigen::Vector3d, 3>;

/// Closest point of one triangle. Degenerate triangles are the segments or points that they are; barycentric
/// coordinates are exactly 0 and 1 where a corner is closest. `triangle` is left at -1.
SurfacePoint closest_on_triangle(const Eigen::Vector3d& p, const Triangle& corner);

/// Closest point of a triangle of a surface.
SurfacePoint closest_on(const Surface& surface, int triangle, const Eigen::Vector3d& p);

/// Bounding-volume hierarchy over the triangles of a surface, for exact closest-point queries in double
/// precision. Queries are const and may run in parallel.
class TriangleTree {
 public:
  /// Keeps a copy of the corners. \pre validate(surface) passes.
  explicit TriangleTree(const Surface& surface);

  /// The closest point; of equally close triangles the one of the lowest index. Nothing farther than
  /// `sq_bound`, a squared distance, is looked for: where no triangle is that close, `triangle` is -1 and
  /// `sq_dist` is `sq_bound`.
  SurfacePoint closest(const Eigen::Vector3d& p,
                       double sq_bound = std::numeric_limits<double>::infinity()) const;

  /// The closest point of each triangle that comes within `radius` of p and is wanted, in increasing order of
  /// triangles.
  std::vector<SurfacePoint> within(
      const Eigen::Vector3d& p, double radius,
      const std::function<bool(int)>& wanted = [](int) { return true; }) const;

  /// The same of each triangle that is farther than the closest by no more than `slack`, in any order; what
  /// was in `found` is forgotten.
  void closest_few(const Eigen::Vector3d& p, double slack, std::vector<SurfacePoint>& found) const;

 private:
  struct Node {
    Eigen::Vector3d low = Eigen::Vector3d::Zero();
    Eigen::Vector3d high = Eigen::Vector3d::Zero();
    int first = 0;  ///< first slot of a leaf; else the left child, which the right one follows
    int count = 0;  ///< slots of a leaf; 0 for an inner node
  };

  void add_leaf(int first, int count);
  void split(const std::vector<Eigen::Vector3d>& centroids);
  void fit_boxes();
  double sq_distance(int node, const Eigen::Vector3d& p) const;
  SurfacePoint closest_in_slot(int slot, const Eigen::Vector3d& p) const;
  /// Visits the slots of all triangles but those of boxes beyond `sq_limit`, which may sink meanwhile.
  template <class Visit>
  void descend(const Eigen::Vector3d& p, const double& sq_limit, Visit&& visit) const;

  std::vector<Node> nodes_;        ///< children behind their parent, the root first
  std::vector<int> triangle_;      ///< of each slot
  std::vector<Triangle> corners_;  ///< of each slot
};

/// A surface that is ready for queries.
struct IndexedSurface {
  Surface surface;
  TriangleTree tree;

  /// \throw InvalidInput, with `name`, if the surface is not valid.
  IndexedSurface(Surface s, const std::string& name);
};

}  // namespace pelt
