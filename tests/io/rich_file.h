#pragma once

#include "tests/gltf_builder.h"

namespace pelt::test {

/// A file that has a bit of everything: sparse morph targets with animated weights, strides, quantised
/// weights, a second set of influences, a matrix node, clips of all interpolations.
GltfBuilder rich_file();

}  // namespace pelt::test
