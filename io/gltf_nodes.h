#pragma once

#include <Eigen/Core>
#include <string>

#include "gltf_source.h"
#include "scene.h"

namespace pelt {

/// Fills nodes, parents_first and in_scene. Without a `scene` the first one is drawn, without any scenes all
/// roots are. \throw ReadError for a node with two parents, a cycle, a rotation of length zero or a
/// projective matrix.
void read_nodes(const GltfSource& source, Scene& scene);

/// The matrix with its last row exactly 0 0 0 1. \throw ReadError if it is not finite or its last row is
/// another one.
Eigen::Matrix4d affine(const Eigen::Matrix4d& matrix, const GltfSource& source, const std::string& place);

/// A number for a message: six digits, no trailing zeros.
std::string number(double value);

}  // namespace pelt
