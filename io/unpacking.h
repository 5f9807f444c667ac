#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "buffers.h"
#include "document.h"

namespace pelt {

/// A document while it is unpacked, for the decoders of unpack.h.
struct Unpacking {
  const Document& original;
  Document& plain;              ///< becomes the result
  std::vector<Buffer> buffers;  ///< of the original
  std::string file;             ///< for messages
  std::uint64_t bytes_left;     ///< that the result may still grow by
};

/// Bytes of a buffer of the original. \throw ReadError if they are not all there
std::span<const std::uint8_t> packed_bytes(const Unpacking& unpacking, const nlohmann::ordered_json& range,
                                           const std::string& place);

/// Room for decoded bytes, zeroed. \throw ReadError where the document has used up what its size allows
std::vector<std::uint8_t> make_room(Unpacking& unpacking, std::uint64_t bytes, const std::string& place);

/// Adds a buffer of its own for decoded bytes and returns its index. `rounding` as in Document::NewBuffer.
std::size_t add_buffer(Unpacking& unpacking, std::vector<std::uint8_t> bytes, double rounding = 0);

/// Decodes the buffer views that the readers go to.
void unpack_meshopt(Unpacking& unpacking);

/// Gives primitives that are stored as a Draco mesh accessors of their own.
void unpack_draco(Unpacking& unpacking);

/// The attributes of a primitive that the readers go to.
bool is_read(const std::string& attribute);

}  // namespace pelt
