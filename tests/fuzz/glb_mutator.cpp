// Mutates a .glb within its frame: the JSON stays JSON and the lengths of chunks and buffer stay true, or
// nearly every mutation would be refused before it reaches what reads meshes and clips.
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "io/document.h"
#include "io/io_error.h"
#include "json_mutator.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Json = nlohmann::ordered_json;
using pelt::fuzz::below;
using pelt::fuzz::mutate_json;
using pelt::fuzz::Random;

void mutate_bin(pelt::Document& document, Random& random) {
  const std::size_t old_size = document.bin.size(), most = old_size + 64;
  document.bin.resize(most);
  document.bin.resize(LLVMFuzzerMutate(document.bin.data(), old_size, most));
  Json& buffers = document.json["buffers"];
  if (below(random, 4) && buffers.is_array() && !buffers.empty() && buffers[0].is_object())
    buffers[0]["byteLength"] = document.bin.size();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  Random random(seed + 1);
  if (below(random, 8) == 0) return LLVMFuzzerMutate(data, size, max_size);
  try {
    pelt::Document document = pelt::parse_document({data, data + size}, "");
    const bool bin = document.has_bin && !document.bin.empty() && below(random, 3) == 0;
    for (std::size_t times = 1 + below(random, 3); times > 0; --times)
      bin ? mutate_bin(document, random) : mutate_json(document.json, random);
    const std::vector<std::uint8_t> bytes = pelt::serialise(document);
    if (bytes.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data, bytes.data(), bytes.size());
    return bytes.size();
  } catch (const std::exception&) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
}
