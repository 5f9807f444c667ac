#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "document.h"

namespace pelt {

/// The bytes of one buffer, or why there are none. A buffer without bytes does no harm until something is
/// read from it: it may hold only images.
struct Buffer {
  std::vector<std::uint8_t> decoded;   ///< of a data URI
  std::vector<std::uint8_t> external;  ///< of a file that no buffer before it names
  std::span<const std::uint8_t>
      bytes;            ///< `byteLength` of them, in one of these or in the document's BIN chunk
  std::string fault;    ///< empty where `bytes` can be used
  double rounding = 0;  ///< of floats in it: Document::NewBuffer::rounding
};

/// Is the first buffer the BIN chunk? Not where it has a uri or only stands in for compressed data.
bool first_is_bin(const Document& document);

/// BIN chunk, data URIs and files beside the document. The document must outlive the result. \pre
/// check_schema passed.
std::vector<Buffer> load_buffers(const Document& document);

}  // namespace pelt
