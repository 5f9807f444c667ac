#pragma once

#include "gltf_source.h"
#include "scene.h"

namespace pelt {

/// Fills clips. Channels without a node, or for something that does not shape the surface, are left out with
/// a warning; so is the second channel for one property. A node that has a matrix and is animated gets the
/// equal TRS. \pre read_parts \throw ReadError for keys that cannot be played.
void read_clips(const GltfSource& source, Scene& scene);

}  // namespace pelt
