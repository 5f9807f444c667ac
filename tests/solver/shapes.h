#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "solver/surface.h"

namespace shapes {

inline pelt::Surface surface(const std::vector<Eigen::Vector3d>& positions,
                             const std::vector<Eigen::Vector3i>& triangles) {
  pelt::Surface s;
  s.positions.resize(3, static_cast<Eigen::Index>(positions.size()));
  s.triangles.resize(3, static_cast<Eigen::Index>(triangles.size()));
  for (std::size_t i = 0; i < positions.size(); ++i)
    s.positions.col(static_cast<Eigen::Index>(i)) = positions[i];
  for (std::size_t t = 0; t < triangles.size(); ++t)
    s.triangles.col(static_cast<Eigen::Index>(t)) = triangles[t];
  return s;
}

/// The rectangle [x0, x0 + width] x [0, height] at height z, facing +z: two triangles.
inline pelt::Surface rectangle(double width, double height, double x0 = 0, double z = 0) {
  return surface({{x0, 0, z}, {x0 + width, 0, z}, {x0 + width, height, z}, {x0, height, z}},
                 {{0, 1, 2}, {0, 2, 3}});
}

/// Both surfaces in one, `a` first.
inline pelt::Surface join(const pelt::Surface& a, const pelt::Surface& b) {
  pelt::Surface s;
  s.positions.resize(3, a.positions.cols() + b.positions.cols());
  s.triangles.resize(3, a.triangles.cols() + b.triangles.cols());
  s.positions << a.positions, b.positions;
  s.triangles << a.triangles, (b.triangles.array() + static_cast<int>(a.positions.cols())).matrix();
  return s;
}

/// A box around the origin whose six faces share no vertex: 24 vertices, four a face, outward normals.
inline pelt::Surface split_box(const Eigen::Vector3d& size) {
  pelt::Surface s;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-0.5, 0.5}) {
      const Eigen::Vector3d normal = side * size[axis] * Eigen::Vector3d::Unit(axis);
      Eigen::Vector3d u = size[(axis + 1) % 3] / 2 * Eigen::Vector3d::Unit((axis + 1) % 3);
      Eigen::Vector3d v = size[(axis + 2) % 3] / 2 * Eigen::Vector3d::Unit((axis + 2) % 3);
      if (side < 0) std::swap(u, v);
      const pelt::Surface face =
          surface({normal - u - v, normal + u - v, normal + u + v, normal - u + v}, {{0, 1, 2}, {0, 2, 3}});
      s = s.triangles.cols() == 0 ? face : join(s, face);
    }
  }
  return s;
}

/// Each triangle into four by the midpoints of its edges; the old vertices come first.
inline pelt::Surface subdivided(const pelt::Surface& coarse) {
  std::vector<Eigen::Vector3d> positions;
  for (Eigen::Index i = 0; i < coarse.positions.cols(); ++i) positions.push_back(coarse.positions.col(i));
  std::vector<Eigen::Vector3i> triangles;
  std::map<std::pair<int, int>, int> midpoint;
  const auto middle = [&](int i, int k) {
    const auto [place, fresh] = midpoint.try_emplace(std::minmax(i, k), static_cast<int>(positions.size()));
    if (fresh) positions.push_back((coarse.positions.col(i) + coarse.positions.col(k)) / 2);
    return place->second;
  };
  for (Eigen::Index t = 0; t < coarse.triangles.cols(); ++t) {
    const Eigen::Vector3i c = coarse.triangles.col(t);
    const Eigen::Vector3i m(middle(c[0], c[1]), middle(c[1], c[2]), middle(c[2], c[0]));
    triangles.insert(triangles.end(), {{c[0], m[0], m[2]}, {m[0], c[1], m[1]}, {m[2], m[1], c[2]}, m});
  }
  return surface(positions, triangles);
}

/// The eight faces of the octahedron with corners at `radius`, outward normals.
inline pelt::Surface octahedron(double radius) {
  return surface(
      {{radius, 0, 0}, {-radius, 0, 0}, {0, radius, 0}, {0, -radius, 0}, {0, 0, radius}, {0, 0, -radius}},
      {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
}

/// A triangulated sphere: the octahedron, subdivided `levels` times, vertices pushed onto the sphere.
inline pelt::Surface sphere(int levels, double radius) {
  pelt::Surface s = octahedron(radius);
  for (int level = 0; level < levels; ++level) {
    s = subdivided(s);
    for (Eigen::Index i = 0; i < s.positions.cols(); ++i) {
      s.positions.col(i) *= radius / s.positions.col(i).norm();
    }
  }
  return s;
}

inline Eigen::Vector3d random_point(std::mt19937& random) {
  std::uniform_real_distribution<double> coordinate(-1, 1);
  return {coordinate(random), coordinate(random), coordinate(random)};
}

/// Unconnected triangles of all sizes in the cube of half-width 1; every tenth is a segment, every eleventh a
/// point, every seventh repeats an earlier one.
inline pelt::Surface soup(int triangles, std::mt19937& random) {
  pelt::Surface s;
  s.positions.resize(3, 3 * triangles);
  s.triangles.resize(3, triangles);
  for (int t = 0; t < triangles; ++t) {
    const Eigen::Vector3d centre = random_point(random);
    const double size = std::pow(10.0, -3 * std::abs(random_point(random)[0]));
    for (int k = 0; k < 3; ++k) {
      s.positions.col(3 * t + k) = centre + size * random_point(random);
      s.triangles(k, t) = 3 * t + k;
    }
    auto corners = s.positions.middleCols<3>(3 * t);
    if (t % 10 == 9) corners.col(2) = (corners.col(0) + corners.col(1)) / 2;
    if (t % 11 == 10) corners = corners.col(0).replicate<1, 3>().eval();
    if (t % 7 == 6) corners = s.positions.middleCols<3>(3 * (t / 2)).eval();
  }
  return s;
}

}  // namespace shapes
