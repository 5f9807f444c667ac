#include "rows_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <system_error>
#include <utility>

#include "../io/io_error.h"
#include "../io/json_text.h"
#include "../io/whole_file.h"
#include "../solver/error.h"

namespace pelt {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kFirstLine = "{\"pelt_rows\":1}\n";

std::string reason() { return std::generic_category().message(errno); }

ScoreRow parse_row(std::string_view line, const std::string& place) {
  const Json json =
      parse_json({reinterpret_cast<const std::uint8_t*>(line.data()), line.size()}, place, "a row");
  try {
    return row_from_json(json);
  } catch (const InvalidInput& error) {
    throw ReadError(place + ": " + error.what());
  }
}

RowsRead parse_rows(std::string_view text, const fs::path& path, Details details) {
  RowsRead read;
  if (text.empty()) return read;
  if (!text.starts_with(kFirstLine))
    throw ReadError(path.string() + ": does not begin as a file of rows does: it is something else");
  std::map<std::pair<std::string, std::string>, std::size_t> place;  // of a tool and model in the rows
  for (int number = 1; read.sound < text.size(); ++number) {
    const std::size_t end = text.find('\n', read.sound);
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(read.sound, end + 1 - read.sound);
    read.sound = end + 1;
    if (line == kFirstLine) continue;  // again where files were put one behind another
    ScoreRow row = parse_row(line, path.string() + ":" + std::to_string(number));
    if (details == Details::drop) row.details = nullptr;
    const auto [known, fresh] = place.try_emplace({row.tool, row.model}, read.rows.size());
    if (fresh)
      read.rows.push_back(std::move(row));
    else
      read.rows[known->second] = std::move(row);
  }
  read.torn = text.size() - read.sound;
  return read;
}

}  // namespace

RowsRead read_rows(const fs::path& path, Details details) {
  const std::vector<std::uint8_t> bytes = read_whole_file(path);
  return parse_rows({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path, details);
}

RowsFile::RowsFile(const fs::path& path, Details details) : path_(path) {
  std::error_code none;
  if (fs::exists(path, none) && !fs::is_regular_file(path, none))
    throw WriteError(path.string() + ": is not a plain file");
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw WriteError(path.string() + ": cannot be opened: " + reason());
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      throw UsageError(path.string() + ": another run is writing to it");
    found_ = read_rows(path, details);
    size_ = found_.sound;
    if (found_.torn > 0 && ::ftruncate(file_, static_cast<off_t>(size_)) != 0)
      throw WriteError(path.string() + ": its torn last line cannot be cut off: " + reason());
    if (size_ == 0) write(std::string(kFirstLine));
  } catch (...) {
    ::close(file_);
    throw;
  }
}

RowsFile::~RowsFile() { ::close(file_); }

void RowsFile::append(const ScoreRow& row) {
  // names in files need not be UTF-8
  write(to_json(row).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void RowsFile::write(const std::string& line) {
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t count = ::write(file_, line.data() + done, line.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  if (done == line.size() && ::fdatasync(file_) == 0) {
    size_ += line.size();
    return;
  }
  const std::string why = reason();
  static_cast<void>(!::ftruncate(file_, static_cast<off_t>(size_)));  // a torn line is mended by the next run
  throw WriteError(path_.string() + ": cannot be written: " + why);
}

}  // namespace pelt
