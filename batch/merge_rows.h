#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rows_file.h"

namespace pelt {

struct MergedRows {
  std::vector<ScoreRow> rows;         ///< in the order of a run that had all of them
  std::vector<std::string> warnings;  ///< a sentence each, starting with the file
};

/// Joins the rows of several files. \throw ReadError, also where two files differ on a tool's rig of a model
MergedRows merge_rows(const std::vector<std::filesystem::path>& files, Details details);

}  // namespace pelt
