#include "io/point_cache.h"

#include <stdexcept>

#include "io/io_error.h"
#include "targets.h"
#include "tests/temp_folder.h"

namespace pelt::fuzz {
namespace {

int read(std::span<const std::uint8_t> bytes, const char* name) {
  static const test::TempFolder folder;
  test::write_bytes(folder / name, {bytes.begin(), bytes.end()});
  try {
    const PointCache cache = open_point_cache(folder / name, 24);
    for (const double share : {-0.1, 0.0, 0.3, 1.0})
      if (!points_at(cache, share * cache.times.back()).allFinite())
        throw std::logic_error("a point that is not finite");
    return 1;
  } catch (const ReadError&) {
    return 0;
  }
}

}  // namespace

int fuzz_mdd(std::span<const std::uint8_t> bytes) { return read(bytes, "fuzz.mdd"); }

int fuzz_pc2(std::span<const std::uint8_t> bytes) { return read(bytes, "fuzz.pc2"); }

}  // namespace pelt::fuzz
