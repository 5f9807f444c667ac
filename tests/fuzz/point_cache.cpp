#include "io/point_cache.h"

#include <stdexcept>

#include "as_file.h"
#include "targets.h"

namespace pelt::fuzz {
namespace {

void read_points(const std::filesystem::path& file) {
  const PointCache cache = open_point_cache(file, 24);
  for (const double share : {-0.1, 0.0, 0.3, 1.0})
    if (!points_at(cache, share * cache.times.back()).allFinite())
      throw std::logic_error("a point that is not finite");
}

}  // namespace

int fuzz_mdd(std::span<const std::uint8_t> bytes) { return as_file(bytes, "fuzz.mdd", read_points); }

int fuzz_pc2(std::span<const std::uint8_t> bytes) { return as_file(bytes, "fuzz.pc2", read_points); }

}  // namespace pelt::fuzz
