#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace pelt {

/// What a file is and how it becomes glTF, where it is of a known other kind; else "". FBX and Blender files
/// are told apart by their content, rarer kinds by the ending of the name too. What begins as JSON is none.
std::string foreign_format(std::span<const std::uint8_t> bytes, const std::filesystem::path& path);

}  // namespace pelt
