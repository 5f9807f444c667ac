// Sampling by area: one sample in each of `count` equal strata of the running area (Neyman 1934), placed
// inside its triangle by the R2 sequence (Roberts 2018), whose steps are the first two negative powers of the
// plastic number.
#include "surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "error.h"

namespace pelt {

namespace {

/// Twice the area of a triangle, along its normal.
Eigen::Vector3d area_vector(const Surface& surface, Eigen::Index triangle) {
  const Eigen::Vector3i corner = surface.triangles.col(triangle);
  const Eigen::Vector3d a = surface.positions.col(corner[0]);
  const Eigen::Vector3d b = surface.positions.col(corner[1]);
  const Eigen::Vector3d c = surface.positions.col(corner[2]);
  return (b - a).cross(c - a);
}

/// T running sums of the triangles' areas.
std::vector<double> running_area(const Surface& surface) {
  std::vector<double> sum(static_cast<std::size_t>(surface.triangles.cols()));
  double total = 0;
  for (std::size_t t = 0; t < sum.size(); ++t) {
    total += area_vector(surface, static_cast<Eigen::Index>(t)).norm() / 2;
    sum[t] = total;
  }
  return sum;
}

/// Point k of the R2 sequence in the unit square, folded onto the triangle of barycentric coordinates.
Eigen::Vector3d barycentric_of_sample(int k) {
  constexpr double plastic = 1.3247179572447460260;
  const auto fraction = [](double x) { return x - std::floor(x); };
  double u = fraction(0.5 + k / plastic);
  double v = fraction(0.5 + k / (plastic * plastic));
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  return {1 - u - v, u, v};
}

}  // namespace

void validate(const Surface& surface, const std::string& name) {
  if (surface.triangles.cols() == 0) throw InvalidInput(name + " surface has no triangle");
  for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
    for (const int vertex : surface.triangles.col(t)) {
      if (vertex < 0 || vertex >= surface.positions.cols()) {
        throw InvalidInput(name + " surface: triangle " + std::to_string(t) + " uses vertex " +
                           std::to_string(vertex) + " of " + std::to_string(surface.positions.cols()));
      }
      if (!surface.positions.col(vertex).allFinite()) {
        throw InvalidInput(name + " surface: vertex " + std::to_string(vertex) +
                           " has a non-finite position");
      }
    }
  }
}

std::vector<char> used_vertices(const Surface& surface) {
  std::vector<char> used(static_cast<std::size_t>(surface.positions.cols()), 0);
  for (const int vertex : surface.triangles.reshaped()) used[static_cast<std::size_t>(vertex)] = 1;
  return used;
}

Eigen::Matrix3Xd face_normals(const Surface& surface) {
  Eigen::Matrix3Xd normals(3, surface.triangles.cols());
  for (Eigen::Index t = 0; t < normals.cols(); ++t) normals.col(t) = area_vector(surface, t).normalized();
  return normals;
}

Eigen::VectorXd vertex_areas(const Surface& surface) {
  Eigen::VectorXd areas = Eigen::VectorXd::Zero(surface.positions.cols());
  for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
    const double share = area_vector(surface, t).norm() / 6;
    for (const int vertex : surface.triangles.col(t)) areas[vertex] += share;
  }
  return areas;
}

Eigen::Matrix3Xd vertex_normals(const Surface& surface) {
  Eigen::Matrix3Xd normals = Eigen::Matrix3Xd::Zero(3, surface.positions.cols());
  for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
    const Eigen::Vector3d normal = area_vector(surface, t);
    for (const int vertex : surface.triangles.col(t)) normals.col(vertex) += normal;
  }
  for (Eigen::Index i = 0; i < normals.cols(); ++i) normals.col(i).normalize();  // leaves zero as it is
  return normals;
}

double bounding_diagonal(const Surface& surface) {
  if (surface.triangles.cols() == 0) return 0;
  Eigen::Vector3d low = surface.positions.col(surface.triangles(0, 0));
  Eigen::Vector3d high = low;
  for (const int vertex : surface.triangles.reshaped()) {
    low = low.cwiseMin(surface.positions.col(vertex));
    high = high.cwiseMax(surface.positions.col(vertex));
  }
  return (high - low).norm();
}

Eigen::Matrix3Xd sample_by_area(const Surface& surface, int count) {
  const std::vector<double> area = running_area(surface);
  if (area.empty() || !(area.back() > 0)) throw InvalidInput("surface has no area to sample");
  Eigen::Matrix3Xd samples(3, count);
  for (int k = 0; k < count; ++k) {
    const double at = (k + 0.5) / count * area.back();
    const auto triangle = std::upper_bound(area.begin(), area.end(), at) - area.begin();
    const Eigen::Vector3i corner = surface.triangles.col(triangle);
    samples.col(k).noalias() = surface.positions(Eigen::all, corner) * barycentric_of_sample(k);
  }
  return samples;
}

}  // namespace pelt
