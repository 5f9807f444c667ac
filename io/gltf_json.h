#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace pelt {

/// Short hands for JSON that check_schema has passed: what is there has the right type.

/// The array or object of that name, or an empty one.
const nlohmann::ordered_json& member(const nlohmann::ordered_json& object, const char* name);

/// The integer of that name, or `otherwise`; indices use -1 for "none".
int integer_of(const nlohmann::ordered_json& object, const char* name, int otherwise = -1);

/// The string of that name, or "".
std::string string_of(const nlohmann::ordered_json& object, const char* name);

/// `array[index]`, as places are written in messages.
std::string at(const std::string& array, std::size_t index);

/// \throw ReadError "file: place: what"
[[noreturn]] void fail(const std::string& file, const std::string& place, const std::string& what);

/// Checks everything of the document that pelt reads: JSON types, required members, numbers in range, and
/// indices that exist. Members of other parts of glTF (materials, images, cameras, extras) may be anything.
///
/// Not checked here: bytes that accessors reach, the shape of the node tree, samplers of channels.
/// \throw ReadError naming the place.
void check_schema(const nlohmann::ordered_json& json, const std::string& file);

}  // namespace pelt
