#pragma once

#include <Eigen/Core>
#include <vector>

#include "document.h"

namespace pelt {

/// Floats to be stored: a column an element; 1, 3, 4 rows = SCALAR, VEC3, VEC4.
struct NewAccessor {
  Eigen::MatrixXf values;
  bool bounds = false;  ///< with min and max, as key times need them
};

/// Adds accessors over one new bufferView and returns the index of the first. What stood in the document
/// stays; only `buffers[0].byteLength` grows where the data goes into the BIN chunk.
///
/// The data goes where the file keeps its own: to the BIN chunk of a .glb whose first buffer it is or that
/// has no buffer yet; to a new external file (`Document::new_buffers`) of a .gltf that has external buffers;
/// else to a new buffer with a data URI.
int append_accessors(Document& document, const std::vector<NewAccessor>& accessors);

}  // namespace pelt
