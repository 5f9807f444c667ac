#pragma once

#include "gltf_source.h"
#include "scene.h"

namespace pelt {

/// Fills skins. Matrices that are absent are the identity, surplus ones are ignored. \pre read_nodes
/// \throw ReadError for no joints, a joint named twice, fewer matrices than joints, a matrix that is not
/// affine.
void read_skins(const GltfSource& source, Scene& scene);

}  // namespace pelt
