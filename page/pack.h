#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace pelt {

/// Arrays of numbers, and a header that names them: what a page holds of data (docs/page.md, "Packs").
class Pack {
 public:
  /// Takes an array in; what the header has to say to name it.
  nlohmann::ordered_json add(std::span<const float> values);

  /// Integers, as u8, u16 or u32: the shortest that holds the largest of them. \pre none is negative but -1,
  /// which stands for none and is written as the largest u32
  nlohmann::ordered_json add(std::span<const int> values);

  nlohmann::ordered_json add(std::span<const std::uint16_t> values);

  /// The pack as the text of its element: base64 of a gzip stream. What is not UTF-8 in the header is
  /// replaced.
  std::string text(const nlohmann::ordered_json& header) const;

 private:
  template <class T>
  nlohmann::ordered_json put(std::span<const T> values, const char* type, bool planes);

  std::vector<std::uint8_t> arrays_;
};

/// A pack without arrays.
std::string pack_text(const nlohmann::ordered_json& header);

}  // namespace pelt
