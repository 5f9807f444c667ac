#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batch/score_row.h"

namespace CLI {
class App;
}

namespace pelt::cli {

/// What is made of rows: tables, files and gates, for bake, score and merge.
struct ScoreOutput {
  std::string format = "text", junit;
  bool per_model = false, require_control = false;
  std::optional<double> min_quality, max_worst, min_bend;
  std::uint64_t seed = 12345;
};

void add_score_output(CLI::App& command, ScoreOutput& options);

/// Prints the tables, writes the files, tells what misses a gate; the exit code. `report` may be empty.
int put_out(const std::vector<ScoreRow>& rows, const ScoreOutput& options, const std::string& report,
            bool quiet);

}  // namespace pelt::cli
