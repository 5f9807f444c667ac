#include "io/alignment_file.h"

#include <stdexcept>

#include "io/io_error.h"
#include "targets.h"
#include "tests/temp_folder.h"

namespace pelt::fuzz {

int fuzz_alignment(std::span<const std::uint8_t> bytes) {
  static const test::TempFolder folder;
  test::write_bytes(folder / "fuzz.json", {bytes.begin(), bytes.end()});
  try {
    if (!read_alignment(folder / "fuzz.json").allFinite())
      throw std::logic_error("a number that is not finite");
    return 1;
  } catch (const ReadError&) {
    return 0;
  }
}

}  // namespace pelt::fuzz
