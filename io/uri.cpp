#include "uri.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace pelt {

std::string percent_decoded(const std::string& uri) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned code = 0;
    const char* digits = uri.data() + i + 1;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      text += static_cast<char>(code);
      i += 2;
    } else {
      text += uri[i];
    }
  }
  return text;
}

std::string percent_encoded(const std::string& file_name) {
  const char* hex = "0123456789ABCDEF";
  std::string uri;
  for (const char c : file_name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || (c && std::strchr("-._~", c)))
      uri += c;
    else
      uri += {'%', hex[byte >> 4], hex[byte & 15]};
  }
  return uri;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  const char* alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? alphabet[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string data_uri(std::span<const std::uint8_t> bytes) {
  return "data:application/octet-stream;base64," + base64(bytes);
}

bool is_relative_file(const std::string& uri) {
  const std::size_t mark = uri.find_first_of(":/?#");
  return !uri.empty() && (mark == std::string::npos || (uri[mark] != ':' && mark != 0));
}

}  // namespace pelt
