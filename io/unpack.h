#pragma once

#include <optional>

#include "document.h"

namespace pelt {

/// A copy of the document in which everything that the readers go to is an ordinary accessor: buffer views of
/// EXT_meshopt_compression and KHR_meshopt_compression and primitives of KHR_draco_mesh_compression are
/// decoded into `new_buffers`. For reading only: what is saved is edited from the original, which stays
/// compressed. Nothing where the document uses none of them.
///
/// Compressed data goes before any uncompressed fallback in the file. What no reader looks at (normals,
/// colours, textures) is not decoded. Counts and byte ranges are checked before memory is taken: a file may
/// unpack to 64 times its size, or 64 MiB. \pre check_schema passed. \throw ReadError
std::optional<Document> unpacked(const Document& document);

}  // namespace pelt
