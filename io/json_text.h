#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace pelt {

/// The tree of JSON text from a file, in time that grows with n log n of its length. Of members with one name
/// the last counts, in the place of the first. Refused: what is no JSON or no UTF-8, a nesting of more than
/// 256 levels, and more than 16384 members in an object, since these are searched by name (glTF's extras and
/// what lies in its extensions may be as wide as they like). \throw ReadError: `place`, and `wanted`, such as
/// "a glTF file", which text that is no JSON is not
nlohmann::ordered_json parse_json(std::span<const std::uint8_t> text, const std::string& place,
                                  const std::string& wanted);

}  // namespace pelt
