#pragma once

#include "gltf_source.h"
#include "scene.h"

namespace pelt {

/// Fills parts and triangles: every primitive of triangles, strips or fans that a node of the scene draws.
/// Primitives of points and lines, and those without POSITION, are not parts. \pre read_nodes, read_skins
/// \throw ReadError for data that cannot be drawn; what no triangle uses may be anything and is set to zero.
void read_parts(const GltfSource& source, Scene& scene);

}  // namespace pelt
