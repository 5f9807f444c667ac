#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pelt::fuzz {

struct Seed {
  std::string target;  ///< fuzz_reader without its "fuzz_"
  std::string name;
  std::vector<std::uint8_t> bytes;
};

/// Small sound files that together reach all that the targets read.
std::vector<Seed> seeds();

}  // namespace pelt::fuzz
