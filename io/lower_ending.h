#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

namespace pelt {

/// The ending of a file's name with its dot, A to Z made lower case: ".obj" of "Horse.OBJ".
inline std::string lower_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return ending;
}

}  // namespace pelt
