#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pelt {

/// A .glb by name and content.
struct QuadrupedFile {
  std::string name;
  std::vector<std::uint8_t> bytes;
};

/// The artist's animated file first, then the rigs of the same surface (data/README.md tells them apart). The
/// same bytes at every call.
std::vector<QuadrupedFile> make_quadruped_files();

}  // namespace pelt
