#pragma once

#include <vector>

#include "../solver/surface.h"
#include "animal.h"

namespace pelt {

struct MeshSettings {
  double grid = 0.024;           ///< width of the first grid, metres; finer than every edge wanted
  double edge_base = 0.0134;     ///< wanted edge length, metres: this much,
  double edge_a_radius = 0.222;  ///< and so much of the local radius, so that thin parts get shorter edges
  int rounds = 10;               ///< rounds of collapses, flips, smoothing and projection
};

/// The zero set of the shape's field as a closed mesh, the same to the bit on both sides of the plane x = 0.
/// \pre the shape is symmetric, and every part of it is wider than two grid cells.
Surface mesh_of_shape(const std::vector<Capsule>& shape, const MeshSettings& settings = {});

}  // namespace pelt
