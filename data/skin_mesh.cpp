// Rounds of collapses, flips, tangential smoothing and projection, as in Botsch and Kobbelt, "A remeshing
// approach to multiresolution modeling" (2004), section 4, without their splits: the first grid is finer than
// every edge wanted.

#include "skin_mesh.h"

#include "edge_collapses.h"
#include "edge_flips.h"
#include "marching_tetrahedra.h"

namespace pelt {
namespace {

/// Means of the neighbours, those of mirror-plane vertices taken over both halves.
Eigen::Matrix3Xd neighbour_means(const Surface& half) {
  Eigen::Matrix3Xd sum = Eigen::Matrix3Xd::Zero(3, half.positions.cols());
  Eigen::VectorXd count = Eigen::VectorXd::Zero(half.positions.cols());
  for (int t = 0; t < half.triangles.cols(); ++t)
    for (int corner = 0; corner < 3; ++corner) {
      const int v = half.triangles(corner, t);
      for (int step = 1; step < 3; ++step) {  // every inner edge is met from both its triangles
        sum.col(v) += half.positions.col(half.triangles((corner + step) % 3, t));
        count[v] += 1;
      }
    }
  return sum * count.cwiseInverse().asDiagonal();
}

/// Newton steps along the gradient onto the zero set; x = 0 stays x = 0.
Eigen::Vector3d project(const std::vector<Capsule>& shape, Eigen::Vector3d p) {
  const bool on_plane = p.x() == 0;
  for (int step = 0; step < 2; ++step) {
    Eigen::Vector3d gradient = field_gradient(shape, p);
    if (on_plane) gradient.x() = 0;
    p -= field(shape, p) / gradient.squaredNorm() * gradient;
  }
  return p;
}

void smooth_and_project(const std::vector<Capsule>& shape, Surface& half) {
  const double pace = 0.5;
  const Eigen::Matrix3Xd means = neighbour_means(half);
  for (int v = 0; v < half.positions.cols(); ++v) {
    const Eigen::Vector3d p = half.positions.col(v);
    const Eigen::Vector3d normal = field_gradient(shape, p).normalized();
    Eigen::Vector3d move = means.col(v) - p;
    move -= normal.dot(move) * normal;
    if (p.x() == 0) move.x() = 0;
    half.positions.col(v) = project(shape, p + pace * move);
  }
}

/// Both halves in one, sharing the vertices on the mirror plane. Left and mirrored vertices alternate.
Surface with_mirror_image(const Surface& half) {
  const int count = static_cast<int>(half.positions.cols()),
            triangles = static_cast<int>(half.triangles.cols());
  std::vector<int> left(count), right(count);
  int next = 0;
  for (int v = 0; v < count; ++v) {
    left[v] = next++;
    right[v] = half.positions(0, v) == 0 ? left[v] : next++;
  }
  Surface whole;
  whole.positions.resize(3, next);
  for (int v = 0; v < count; ++v) {
    whole.positions.col(right[v]) = mirrored(half.positions.col(v));
    whole.positions.col(left[v]) = half.positions.col(v);
  }
  whole.triangles.resize(3, 2 * triangles);
  for (int t = 0; t < triangles; ++t) {
    const Eigen::Vector3i tri = half.triangles.col(t);
    whole.triangles.col(2 * t) << left[tri[0]], left[tri[1]], left[tri[2]];
    whole.triangles.col(2 * t + 1) << right[tri[0]], right[tri[2]], right[tri[1]];
  }
  return whole;
}

}  // namespace

Surface mesh_of_shape(const std::vector<Capsule>& shape, const MeshSettings& settings) {
  const auto target_length = [&](const Eigen::Vector3d& p) {
    return settings.edge_base + settings.edge_a_radius * nearest_capsule(shape, p).radius;
  };
  Surface half = half_zero_set(shape, settings.grid);
  for (int round = 0; round < settings.rounds; ++round) {
    collapse_short_edges(half, target_length);
    flip_edges(half);
    smooth_and_project(shape, half);
  }
  flip_edges(half);
  return with_mirror_image(half);
}

}  // namespace pelt
