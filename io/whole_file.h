#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace pelt {

/// All bytes of a plain file. \throw ReadError
std::vector<std::uint8_t> read_whole_file(const std::filesystem::path& path);

/// \throw ReadError unless there is a plain file of that name
void check_is_file(const std::filesystem::path& path);

}  // namespace pelt
