#pragma once

#include "../solver/surface.h"

namespace pelt {

/// Flips inner edges where that makes the smallest angle of the two triangles larger, until no flip does.
/// Boundary edges stay, no edge is made twice, and none is made between two vertices on the plane x = 0 (a
/// mirror image would double it).
void flip_edges(Surface& surface);

}  // namespace pelt
