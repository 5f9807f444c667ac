#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pelt::test {

/// A pack as a page reads it: every number as a double.
struct ReadPack {
  nlohmann::json header;
  std::vector<std::uint8_t> arrays;

  std::vector<double> numbers(const nlohmann::json& name) const;
};

/// Undoes base64 and gzip.
ReadPack read_pack(const std::string& text);

/// The text of the element of that id; empty where there is none.
std::string pack_of(const std::string& html, const std::string& id);

}  // namespace pelt::test
