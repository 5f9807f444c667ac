#include "batch/manifest.h"

#include <stdexcept>

#include "as_file.h"
#include "targets.h"

namespace pelt::fuzz {
namespace {

void list_and_shard(const std::filesystem::path& file) {
  const std::vector<Job> jobs = ordered(read_manifest(file, {}));
  std::size_t in_shards = 0;
  for (int part = 1; part <= 3; ++part) in_shards += shard_of(jobs, {part, 3}).size();
  if (in_shards != jobs.size()) throw std::logic_error("a pair that is in no shard, or in two");
}

}  // namespace

int fuzz_manifest_csv(std::span<const std::uint8_t> bytes) {
  return as_file(bytes, "fuzz.csv", list_and_shard);
}

int fuzz_manifest_json(std::span<const std::uint8_t> bytes) {
  return as_file(bytes, "fuzz.json", list_and_shard);
}

}  // namespace pelt::fuzz
