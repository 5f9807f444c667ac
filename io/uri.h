#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace pelt {

/// Bytes that a URI names by percent signs (RFC 3986, section 2.1); a stray percent sign stands for itself.
std::string percent_decoded(const std::string& uri);

/// A file name as one segment of a URI: everything but unreserved characters (RFC 3986, section 2.3) is
/// percent-encoded.
std::string percent_encoded(const std::string& file_name);

/// RFC 4648 section 4.
std::string base64(std::span<const std::uint8_t> bytes);

/// The bytes as a data URI of a glTF buffer (RFC 2397).
std::string data_uri(std::span<const std::uint8_t> bytes);

/// Does it name a file relative to the document, rather than carry data or point elsewhere?
bool is_relative_file(const std::string& uri);

}  // namespace pelt
