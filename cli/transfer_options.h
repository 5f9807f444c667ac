#pragma once

#include <string>
#include <vector>

#include "io/transfer.h"

namespace CLI {
class App;
}

namespace pelt::cli {

/// Options that bake and control have in common.
struct CommonOptions {
  std::vector<std::string> clips;
  std::string weighting = "area", joints = "free", report;
  double fps = 0;  ///< 0: the artist's keys
  int threads = 0;
  bool strict = false, quiet = false;
};

void add_common_options(CLI::App& command, CommonOptions& options);

/// The transfer settings that the options ask for.
TransferSettings transfer_settings(const CommonOptions& options);

/// \throw UsageError where the report would overwrite one of the files; WriteError where its folder is
/// missing.
void check_report_path(const std::string& report, const std::vector<std::string>& files);

/// One line each to stderr, unless quiet.
void print_warnings(const std::vector<std::string>& warnings, bool quiet);

}  // namespace pelt::cli
