#pragma once

#include <Eigen/Core>

#include "../gltf_builder.h"

namespace pelt::test {

/// Vertices of all triangle primitives of the scene by node and primitive, at a time of a clip (-1: at rest):
/// glTF 2.0 by the letter, straight from the JSON and the bytes, element by element, one vertex after the
/// other. Shares no code with the reader or the player under test. The file has to be valid.
Eigen::Matrix3Xd play_slowly(const GltfBuilder& file, int clip, double time);

}  // namespace pelt::test
