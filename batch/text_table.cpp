#include "text_table.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace pelt {
namespace {

using Row = std::vector<std::string>;

constexpr const char* kGap = "  ";

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }  // UTF-8

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

/// Where character number `n` starts.
std::size_t byte_of(const std::string& text, std::size_t n) {
  std::size_t byte = 0;
  for (; byte < text.size(); ++byte)
    if (!continues(text[byte]) && n-- == 0) break;
  return byte;
}

std::string shortened(const std::string& name, std::size_t most) {
  const std::size_t length = characters(name);
  if (length <= most || most < 3) return name;
  const std::size_t head = (most - 2) / 2, tail = most - 2 - head;
  return name.substr(0, byte_of(name, head)) + ".." + name.substr(byte_of(name, length - tail));
}

std::vector<std::size_t> widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> width;
  for (const Row& row : rows) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], characters(printable(row[c])));
  }
  return width;
}

/// The name columns and those of [first, last).
std::string block(const Table& table, const std::vector<std::size_t>& width, std::size_t first,
                  std::size_t last) {
  std::string text;
  for (const Row& row : table.rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c >= table.names && (c < first || c >= last)) continue;
      const std::string cell = printable(row[c]), pad(width[c] - characters(cell), ' ');
      line += (c == 0 ? "" : kGap) + (c < table.names ? cell + pad : pad + cell);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string markdown_row(const Row& row) {
  std::string line = "|";
  for (const std::string& cell : row) {
    line += " ";
    for (const char c : printable(cell))
      line += c == '|' || c == '\\' ? std::string{'\\', c} : std::string{c};
    line += " |";
  }
  return line + "\n";
}

}  // namespace

std::string aligned(const Table& table, std::size_t width) {
  const std::vector<std::size_t> columns = widths(table.rows);
  std::string text = printable(table.title) + "\n";
  std::size_t fixed_width = 0;
  for (std::size_t c = 0; c < std::min(table.names, columns.size()); ++c)
    fixed_width += columns[c] + (c == 0 ? 0 : 2);
  std::size_t first = table.names;
  do {
    std::size_t last = first, used = fixed_width;
    while (last < columns.size() && (last == first || used + 2 + columns[last] <= width))
      used += 2 + columns[last++];
    if (first > table.names) text += "\n";
    text += block(table, columns, first, last);
    first = last;
  } while (first < columns.size());
  for (const std::string& note : table.notes) text += printable(note) + "\n";
  return text;
}

std::string markdown(const Table& table) {
  std::string text = "**" + printable(table.title) + "**\n\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    text += markdown_row(table.rows[r]);
    if (r > 0) continue;
    text += "|";
    for (std::size_t c = 0; c < table.rows[0].size(); ++c) text += c < table.names ? " --- |" : " ---: |";
    text += "\n";
  }
  for (const std::string& note : table.notes) text += "\n" + printable(note) + "\n";
  return text;
}

std::string csv(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) text += (c == 0 ? "" : ",") + quoted(row[c]);
    text += "\r\n";
  }
  return text;
}

std::string fixed(double value, int digits) {
  char buffer[400];  // the largest double has 309 digits before the point
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, digits).ptr;
  const std::string text(buffer, end);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text[0] == '-' ? text.substr(1) : text;
}

std::string fixed(const std::optional<double>& value, int digits) {
  return value ? fixed(*value, digits) : "-";
}

std::vector<std::string> shortened(const std::vector<std::string>& names, std::size_t most) {
  std::vector<std::string> cut;
  for (const std::string& name : names) cut.push_back(shortened(name, most));
  if (std::set(cut.begin(), cut.end()).size() < std::set(names.begin(), names.end()).size()) return names;
  return cut;
}

}  // namespace pelt
