#pragma once

#include <vector>

#include "../solver/surface.h"
#include "animal.h"

namespace pelt {

/// The half x >= 0 of the shape's zero set, polygonised on a grid: a manifold whose boundary is where it
/// meets the plane x = 0. Vertices there have x = 0 exactly, all others are off the plane.
Surface half_zero_set(const std::vector<Capsule>& shape, double grid_width);

}  // namespace pelt
