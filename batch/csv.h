#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pelt {

/// A record of a CSV file (RFC 4180) and the line on which it begins, from 1. Blank lines are no records;
/// blanks around fields without quotes are dropped.
struct CsvRecord {
  int line = 0;
  std::vector<std::string> fields;
};

/// \throw ReadError with file and line, where quotes are not as they should be
std::vector<CsvRecord> parse_csv(std::string_view text, const std::filesystem::path& path);

}  // namespace pelt
