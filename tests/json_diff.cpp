#include "json_diff.h"

#include <algorithm>
#include <regex>

namespace pelt::test {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::string>;

std::vector<std::string> common_keys(const Json& object, const Json& other) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items())
    if (other.contains(key)) keys.push_back(key);
  return keys;
}

void compare(const Json& before, const Json& after, const std::string& place, Lines& lines) {
  if (before.is_object() && after.is_object()) {
    if (common_keys(before, after) != common_keys(after, before)) lines.push_back("order " + place);
    for (const auto& [key, value] : before.items())
      if (after.contains(key))
        compare(value, after[key], place + "/" + key, lines);
      else
        lines.push_back("- " + place + "/" + key);
    for (const auto& [key, value] : after.items())
      if (!before.contains(key)) lines.push_back("+ " + place + "/" + key);
  } else if (before.is_array() && after.is_array()) {
    for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
      const std::string item = place + "/" + std::to_string(i);
      if (i >= after.size())
        lines.push_back("- " + item);
      else if (i >= before.size())
        lines.push_back("+ " + item);
      else
        compare(before[i], after[i], item, lines);
    }
  } else if (before != after || before.is_number_float() != after.is_number_float()) {
    lines.push_back("~ " + place);
  }
}

}  // namespace

Lines json_diff(const Json& before, const Json& after) {
  Lines lines;
  compare(before, after, "", lines);
  return lines;
}

Lines forbidden_edits(const Document& before, const Document& after) {
  static const std::regex allowed(
      "\\+ /(animations|accessors|bufferViews|buffers)(/[0-9]+)?"
      "|~ /buffers/0/byteLength"
      "|- /nodes/[0-9]+/matrix"
      "|\\+ /nodes/[0-9]+/(translation|rotation|scale)");
  Lines lines;
  for (const std::string& line : json_diff(before.json, after.json))
    if (!std::regex_match(line, allowed)) lines.push_back(line);

  std::size_t length = before.bin.size();
  if (before.json.contains("buffers") && !before.json["buffers"].empty())
    length = std::min(length, before.json["buffers"][0]["byteLength"].get<std::size_t>());
  if (after.bin.size() < length ||
      !std::equal(before.bin.begin(), before.bin.begin() + length, after.bin.begin()))
    lines.push_back("BIN");
  const auto same = [](const Document::Chunk& a, const Document::Chunk& b) {
    return a.type == b.type && a.data == b.data;
  };
  if (!std::equal(before.other_chunks.begin(), before.other_chunks.end(), after.other_chunks.begin(),
                  after.other_chunks.end(), same))
    lines.push_back("other chunks");
  return lines;
}

}  // namespace pelt::test
