#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../io/document.h"

namespace pelt::test {

/// What differs between two JSON trees, a line each: "+ /a/b" added, "- /a/b" removed, "~ /a/b" changed,
/// "order /a" where the keys that both have stand in another order. Below an added or removed value nothing
/// more is listed.
std::vector<std::string> json_diff(const nlohmann::ordered_json& before, const nlohmann::ordered_json& after);

/// What a written document changed beyond the file contract: additions to animations, accessors, bufferViews
/// and buffers, the byteLength of the first buffer, and matrix replaced by TRS. Includes old binary bytes and
/// other chunks. Empty = contract kept.
std::vector<std::string> forbidden_edits(const Document& before, const Document& after);

}  // namespace pelt::test
