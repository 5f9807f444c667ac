#include "csv.h"

#include <csv.h>

#include <memory>
#include <new>

#include "../io/io_error.h"

namespace pelt {
namespace {

struct Records {
  std::vector<CsvRecord> list;
  CsvRecord open;
};

void end_field(void* text, std::size_t size, void* data) {
  static_cast<Records*>(data)->open.fields.emplace_back(static_cast<const char*>(text), size);
}

void end_record(int, void* data) {
  Records& records = *static_cast<Records*>(data);
  records.list.push_back(std::move(records.open));
  records.open = {};
}

/// libcsv's parser, which calls back for what is complete.
struct Parser {
  csv_parser state;
  Parser() {
    if (csv_init(&state, CSV_STRICT | CSV_STRICT_FINI) != 0) throw std::bad_alloc();
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { csv_free(&state); }
};

}  // namespace

std::vector<CsvRecord> parse_csv(std::string_view text, const std::filesystem::path& path) {
  Parser parser;
  Records records;
  const auto check = [&](bool well, int line) {
    if (!well)
      throw ReadError(path.string() + ":" + std::to_string(line) + ": " +
                      csv_strerror(csv_error(&parser.state)) + ": is a quote missing, or one too many?");
  };
  // a line at a time, since the library does not count them
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view piece = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    if (records.open.fields.empty() && parser.state.pstate == 0) records.open.line = line;
    const std::size_t taken =
        csv_parse(&parser.state, piece.data(), piece.size(), end_field, end_record, &records);
    check(taken == piece.size(), line);
    text.remove_prefix(piece.size());
  }
  check(csv_fini(&parser.state, end_field, end_record, &records) == 0, records.open.line);
  return std::move(records.list);
}

}  // namespace pelt
