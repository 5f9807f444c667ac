#pragma once

#include <string>

#include "../gltf_builder.h"
#include "io/gltf_reader.h"
#include "io/io_error.h"

namespace pelt::test {

inline Scene read(const GltfBuilder& builder) { return read_scene(builder.document()); }

/// Why the file is refused, or "" where it is not.
inline std::string refusal(const GltfBuilder& builder) {
  try {
    read(builder);
  } catch (const ReadError& error) {
    return error.what();
  }
  return "";
}

/// Four corners of a unit square in the plane z = 0.
inline Eigen::Matrix3Xd square() {
  Eigen::Matrix3Xd corners(3, 4);
  corners << 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0;
  return corners;
}

/// A square drawn by one node.
inline GltfBuilder square_file(const Storage& storage = {}) {
  GltfBuilder b;
  const int position = b.add_accessor(square(), storage);
  b.add_node("square", -1, {{"mesh", b.add_mesh({{"POSITION", position}}, {0, 1, 2, 0, 2, 3})}});
  return b;
}

}  // namespace pelt::test
