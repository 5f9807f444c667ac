#pragma once

#include <vector>

#include "../solver/rig.h"
#include "../solver/surface.h"

namespace pelt {

/// Patches of a joint's influence beyond the first in each connected piece of the mesh, for each joint. A
/// patch is a set of triangles' vertices connected by edges, all with a weight of at least `least` on the
/// joint; vertices at one place are one. A joint that holds both eyes whole has no island.
std::vector<int> weight_islands(const Rig& rig, const Surface& rest, double least);

}  // namespace pelt
