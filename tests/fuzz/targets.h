#pragma once

#include <cstdint>
#include <span>

namespace pelt::fuzz {

/// Readers of files, given bytes of unknown origin. 1: read, 0: refused with a named error. Any other
/// exception, and a number that is not finite in what was read, leaves as an exception.
using Target = int(std::span<const std::uint8_t>);

Target fuzz_reader;  ///< .glb and .gltf: read, inspected, rigged, posed and matched with itself; its health
Target fuzz_obj;     ///< Wavefront OBJ
Target fuzz_mdd;     ///< point caches, read at several times
Target fuzz_pc2;
Target fuzz_text_rig;  ///< text rigs, bound to a square and rigged
Target fuzz_alignment;
Target fuzz_manifest_csv;  ///< lists of pairs, ordered and sharded
Target fuzz_manifest_json;
Target fuzz_rows;  ///< rows of pairs, merged, written again, and made into tables and reports

}  // namespace pelt::fuzz
