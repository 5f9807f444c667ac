#include "batch/manifest.h"

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
    const std::vector<Job> jobs = ordered(read_manifest(folder / name, {}));
    std::size_t in_shards = 0;
    for (int part = 1; part <= 3; ++part) in_shards += shard_of(jobs, {part, 3}).size();
    if (in_shards != jobs.size()) throw std::logic_error("a pair that is in no shard, or in two");
    return 1;
  } catch (const ReadError&) {
    return 0;
  }
}

}  // namespace

int fuzz_manifest_csv(std::span<const std::uint8_t> bytes) { return read(bytes, "fuzz.csv"); }

int fuzz_manifest_json(std::span<const std::uint8_t> bytes) { return read(bytes, "fuzz.json"); }

}  // namespace pelt::fuzz
