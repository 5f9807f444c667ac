#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pelt {

/// Cells of a table. The first row is the heading.
struct Table {
  std::string title;
  std::vector<std::vector<std::string>> rows;
  std::size_t names = 1;           ///< leading columns to the left, repeated where the table is wrapped
  std::vector<std::string> notes;  ///< a line each, below
};

/// Aligned by spaces, columns that do not fit into `width` in further blocks below. Control characters are
/// shown as '?'.
std::string aligned(const Table& table, std::size_t width);

/// A GitHub Markdown table, title and notes as paragraphs.
std::string markdown(const Table& table);

/// RFC 4180: lines end in CR LF; cells with commas, quotes or line breaks are quoted. Title and notes are
/// left out.
std::string csv(const std::vector<std::vector<std::string>>& rows);

/// With so many digits behind the point, in any locale; never "-0".
std::string fixed(double value, int digits);
std::string fixed(const std::optional<double>& value, int digits);  ///< "-" for none

/// The names with their middles cut to `most` characters; whole where two would look alike.
std::vector<std::string> shortened(const std::vector<std::string>& names, std::size_t most);

}  // namespace pelt
