#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pelt {

/// A glTF file as its author wrote it: the JSON tree in its key order and the raw chunks. Reading decodes
/// from it, writing edits it; what pelt does not understand survives untouched.
struct Document {
  std::filesystem::path path;
  bool binary_container = false;  ///< .glb, else .gltf
  std::size_t bytes_read = 0;     ///< of the file, without external buffers: so much it may unfold to
  nlohmann::ordered_json json;
  bool has_bin = false;           ///< a BIN chunk is there
  std::vector<std::uint8_t> bin;  ///< the BIN chunk, padding included
  struct Chunk {
    std::uint32_t type = 0;
    std::vector<std::uint8_t> data;
  };
  std::vector<Chunk> other_chunks;  ///< unknown chunks after BIN, in file order
  struct NewBuffer {
    std::size_t buffer = 0;  ///< index in the JSON's buffers; it has no uri yet
    std::vector<std::uint8_t> data;
    double rounding = 0;  ///< half a step, where the data were unpacked from quantised numbers
  };
  std::vector<NewBuffer> new_buffers;  ///< of a .gltf, external files to be: `save` names and writes them
  std::vector<std::string> warnings;   ///< what was odd before it was glTF, a sentence each; not saved
};

/// Reads and splits a .glb or .gltf; told apart by the first four bytes, not by the name. Checks header,
/// chunk lengths, JSON (see parse_json) and asset.version / minVersion (2.x, at most 2.0). Bytes behind the
/// length that a .glb declares are ignored and not kept. \throw ReadError
Document read_document(const std::filesystem::path& path);

/// The same from memory; `path` is used in messages and to find external buffers.
Document parse_document(std::vector<std::uint8_t> bytes, const std::filesystem::path& path);

/// The file as bytes: a .glb with padded chunks, or the JSON text of a .gltf.
/// \throw WriteError if a chunk outgrows the 4 GiB of the format.
std::vector<std::uint8_t> serialise(const Document& document);

}  // namespace pelt
