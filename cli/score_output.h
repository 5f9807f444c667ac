#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batch/score_row.h"
#include "html_option.h"

namespace CLI {
class App;
}

namespace pelt::cli {

/// What is made of rows: tables, files and gates, for bake, score and merge.
struct ScoreOutput {
  std::string format = "text", quality = "vertices", junit;
  bool per_model = false, require_control = false;
  std::optional<double> min_quality, max_worst, min_bend;
  std::uint64_t seed = 12345;
};

void add_score_output(CLI::App& command, ScoreOutput& options);

/// Files that are written beside the tables, where they are named.
struct ScoreFiles {
  std::string report, html;
  const PageRigs* rigs = nullptr;  ///< of the page
};

/// Prints the tables, writes the files, tells what misses a gate; the exit code.
int put_out(const std::vector<ScoreRow>& rows, const ScoreOutput& options, const ScoreFiles& files,
            bool quiet);

}  // namespace pelt::cli
