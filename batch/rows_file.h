#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "score_row.h"

namespace pelt {

/// What a file of rows holds: JSON lines, the first of which says what the file is.
struct RowsRead {
  std::vector<ScoreRow> rows;  ///< of each tool and model the last one
  std::size_t sound = 0;       ///< bytes up to the end of the last whole line
  std::size_t torn = 0;        ///< bytes behind it: a line whose writing was cut short
};

/// Details are most of a row, and few ask for them.
enum class Details { keep, drop };

/// \throw ReadError for a file of another kind, or naming the line that is no row
RowsRead read_rows(const std::filesystem::path& path, Details details);

/// A file of rows that one run at a time adds to. A row is there for good once append() is back.
class RowsFile {
 public:
  /// Opens the file, or makes it; cuts a torn line off. \throw UsageError where another run has it open,
  /// ReadError as above, WriteError
  RowsFile(const std::filesystem::path& path, Details details);
  RowsFile(const RowsFile&) = delete;
  RowsFile& operator=(const RowsFile&) = delete;
  ~RowsFile();

  /// As the file was found.
  const RowsRead& found() const { return found_; }

  /// \throw WriteError; the file then ends where it ended
  void append(const ScoreRow& row);

 private:
  void write(const std::string& line);

  std::filesystem::path path_;
  int file_ = -1;
  std::size_t size_ = 0;
  RowsRead found_;
};

}  // namespace pelt
