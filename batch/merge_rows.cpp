#include "merge_rows.h"

#include <map>
#include <utility>

#include "../io/io_error.h"

namespace pelt {
namespace {

struct Found {
  ScoreRow row;
  std::string file;
};

std::string conflict(const Found& found, const ScoreRow& other, const std::string& file) {
  const std::string where =
      file + " and " + found.file + " differ on '" + other.tool + "/" + other.model + "': ";
  if (found.row.key != other.key) return where + "its files, its settings or pelt were not the same";
  return where + "the same files and settings gave other rows";
}

}  // namespace

MergedRows merge_rows(const std::vector<std::filesystem::path>& files, Details details) {
  MergedRows merged;
  std::map<std::pair<std::string, std::string>, Found> found;
  for (const std::filesystem::path& file : files) {
    RowsRead read = read_rows(file, details);
    if (read.torn > 0)
      merged.warnings.push_back(file.string() + ": the last line was cut short (" +
                                std::to_string(read.torn) + " bytes): left out");
    for (ScoreRow& row : read.rows) {
      const auto [known, fresh] = found.try_emplace({row.tool, row.model}, Found{row, file.string()});
      if (!fresh && !same_but_time(known->second.row, row))
        throw ReadError(conflict(known->second, row, file.string()));
    }
  }
  for (auto& [name, entry] : found) merged.rows.push_back(std::move(entry.row));
  return merged;
}

}  // namespace pelt
