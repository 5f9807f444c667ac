#pragma once

#include <string>
#include <vector>

#include "gltf_source.h"
#include "scene.h"

namespace pelt {

/// Fills influences, joints and weights of a part from all its JOINTS_n and WEIGHTS_n; weights of each used
/// vertex sum to 1. A part with neither loses its skin and is drawn with its node, as viewers do. `used`: a
/// flag a vertex. \throw ReadError naming mesh, primitive and vertex.
void read_influences(const GltfSource& source, const std::string& place, const std::vector<char>& used,
                     Scene& scene, Part& part);

}  // namespace pelt
