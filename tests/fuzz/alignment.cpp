#include "io/alignment_file.h"

#include <stdexcept>

#include "as_file.h"
#include "targets.h"

namespace pelt::fuzz {

int fuzz_alignment(std::span<const std::uint8_t> bytes) {
  return as_file(bytes, "fuzz.json", [](const std::filesystem::path& file) {
    if (!read_alignment(file).allFinite()) throw std::logic_error("a number that is not finite");
  });
}

}  // namespace pelt::fuzz
