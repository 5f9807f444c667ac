#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

namespace pelt {

/// The tree of a glTF file's JSON text, in time that grows with n log n of its length. Of members with one
/// name the last counts, in the place of the first. Refused: what is no JSON or no UTF-8, a nesting of more
/// than 256 levels, and more than 16384 members in an object of glTF's own, since these are searched by name
/// (extras and what lies in extensions may be as wide as they like). \throw ReadError
nlohmann::ordered_json parse_json(std::span<const std::uint8_t> text, const std::filesystem::path& path);

}  // namespace pelt
