#include "content_hash.h"

#include <xxhash.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <new>

namespace pelt {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;  // bytes that are read at a time

std::string digits(const XXH128_hash_t& hash) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

}  // namespace

std::string hash_of(std::string_view text) { return digits(XXH3_128bits(text.data(), text.size())); }

std::string hash_of_file(const std::filesystem::path& path) {
  std::error_code none;
  std::ifstream stream(path, std::ios::binary);
  if (!std::filesystem::is_regular_file(path, none) || !stream) return "absent";
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  std::vector<char> block(kBlock);
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())), stream.gcount() > 0)
    XXH3_128bits_update(state.get(), block.data(), static_cast<std::size_t>(stream.gcount()));
  return stream.bad() ? "absent" : digits(XXH3_128bits_digest(state.get()));
}

std::string FileHashes::operator()(const std::filesystem::path& path) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(path); found != known_.end()) return found->second;
  }
  const std::string hash = hash_of_file(path);  // outside the lock: two threads may do it twice
  const std::lock_guard lock(mutex_);
  return known_.emplace(path, hash).first->second;
}

}  // namespace pelt
