// Doi and Koide, "An efficient method of triangulating equi-valued surfaces by using tetrahedral cells"
// (1991), on Kuhn's six tetrahedra a cube, which fit together from cube to cube, so that the surface is a
// manifold without case tables.

#include "marching_tetrahedra.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace pelt {
namespace {

using Index3 = std::array<int, 3>;

/// Samples of the field; the nodes of layer x = 0 stand on the mirror plane.
struct Grid {
  Eigen::Vector3d origin;
  double width = 0;
  Index3 nodes{};
  std::vector<double> value;

  int index(const Index3& n) const { return (n[2] * nodes[1] + n[1]) * nodes[0] + n[0]; }
  Eigen::Vector3d position(const Index3& n) const {
    return origin + width * Eigen::Vector3d(n[0], n[1], n[2]);
  }
};

/// Calls visit for the lower corner of every cube, in the order of memory.
template <class Visit>
void for_each_index(const Index3& ends, const Visit& visit) {
  for (int z = 0; z < ends[2]; ++z)
    for (int y = 0; y < ends[1]; ++y)
      for (int x = 0; x < ends[0]; ++x) visit(Index3{x, y, z});
}

Grid sample_field(const std::vector<Capsule>& shape, double width) {
  Eigen::Vector3d low = shape.front().a, high = low;
  for (const auto& capsule : shape) {
    const double reach = std::max(capsule.radius_a, capsule.radius_b) + 0.5 * capsule.blend + width;
    low = low.cwiseMin((capsule.a.cwiseMin(capsule.b).array() - reach).matrix());
    high = high.cwiseMax((capsule.a.cwiseMax(capsule.b).array() + reach).matrix());
  }
  Grid grid;
  grid.width = width;
  grid.origin = {0, low.y(), low.z()};
  for (int axis = 0; axis < 3; ++axis)
    grid.nodes[axis] = static_cast<int>(std::ceil((high[axis] - grid.origin[axis]) / width)) + 1;
  for_each_index(grid.nodes,
                 [&](const Index3& node) { grid.value.push_back(field(shape, grid.position(node))); });
  return grid;
}

/// The growing mesh; one vertex for each grid edge that the surface crosses. Edges leave a node in one of 7
/// directions, each bit of which is a step along an axis.
class Mesher {
 public:
  explicit Mesher(const Grid& grid) : grid_(grid), vertex_of_edge_(7 * grid.value.size(), -1) {}

  void add_cube(const Index3& cube) {
    Index3 axes{0, 1, 2};
    do {
      std::array<Index3, 4> tetrahedron{cube, cube, cube, cube};
      for (int corner = 1; corner < 4; ++corner)
        for (int later = corner; later < 4; ++later) ++tetrahedron[later][axes[corner - 1]];
      add_tetrahedron(tetrahedron);
    } while (std::next_permutation(axes.begin(), axes.end()));
  }

  Surface surface() const {
    Surface result;
    result.positions = Eigen::Map<const Eigen::Matrix3Xd>(vertices_.data(), 3, vertices_.size() / 3);
    result.triangles = Eigen::Map<const Eigen::Matrix3Xi>(triangles_.data(), 3, triangles_.size() / 3);
    return result;
  }

 private:
  void add_tetrahedron(const std::array<Index3, 4>& corners) {
    std::vector<Index3> in, out;
    for (const auto& corner : corners) (grid_.value[grid_.index(corner)] < 0 ? in : out).push_back(corner);
    if (in.empty() || out.empty()) return;
    const Eigen::Vector3d outwards = mean(out) - mean(in);
    if (in.size() == 2) {
      const int a = vertex(in[0], out[0]), b = vertex(in[0], out[1]);
      const int c = vertex(in[1], out[1]), d = vertex(in[1], out[0]);
      add_triangle({a, b, c}, outwards);
      add_triangle({a, c, d}, outwards);
    } else {
      const auto& lone = in.size() == 1 ? in[0] : out[0];
      const auto& others = in.size() == 1 ? out : in;
      add_triangle({vertex(lone, others[0]), vertex(lone, others[1]), vertex(lone, others[2])}, outwards);
    }
  }

  Eigen::Vector3d mean(const std::vector<Index3>& nodes) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const auto& node : nodes) sum += grid_.position(node);
    return sum / static_cast<double>(nodes.size());
  }

  /// Kept off the nodes, so that no triangle has equal corners.
  int vertex(const Index3& one, const Index3& two) {
    const Index3 &from = std::min(one, two), &to = std::max(one, two);
    int direction = 0;
    for (int axis = 0; axis < 3; ++axis) direction |= (to[axis] - from[axis]) << axis;
    int& known = vertex_of_edge_[7 * grid_.index(from) + direction - 1];
    if (known >= 0) return known;
    const double a = grid_.value[grid_.index(from)], b = grid_.value[grid_.index(to)];
    const double along = std::clamp(a / (a - b), 0.05, 0.95);
    const Eigen::Vector3d p = grid_.position(from) + along * (grid_.position(to) - grid_.position(from));
    known = static_cast<int>(vertices_.size() / 3);
    vertices_.insert(vertices_.end(), p.begin(), p.end());
    return known;
  }

  Eigen::Vector3d position(int v) const { return Eigen::Map<const Eigen::Vector3d>(&vertices_[3 * v]); }

  void add_triangle(Index3 triangle, const Eigen::Vector3d& outwards) {
    const Eigen::Vector3d a = position(triangle[0]), b = position(triangle[1]), c = position(triangle[2]);
    if ((b - a).cross(c - a).dot(outwards) < 0) std::swap(triangle[1], triangle[2]);
    triangles_.insert(triangles_.end(), triangle.begin(), triangle.end());
  }

  const Grid& grid_;
  std::vector<int> vertex_of_edge_;
  std::vector<double> vertices_;
  std::vector<int> triangles_;
};

}  // namespace

Surface half_zero_set(const std::vector<Capsule>& shape, double grid_width) {
  const Grid grid = sample_field(shape, grid_width);
  Mesher mesher(grid);
  for_each_index({grid.nodes[0] - 1, grid.nodes[1] - 1, grid.nodes[2] - 1},
                 [&](const Index3& cube) { mesher.add_cube(cube); });
  return mesher.surface();
}

}  // namespace pelt
