#pragma once

#include <optional>
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
  std::string weighting = "area", report;
  std::optional<double> fps;  ///< none: the artist's keys
  int threads = 0;
  bool strict = false, quiet = false;
};

void add_common_options(CLI::App& command, CommonOptions& options);

/// Checks of a number's text, empty where it is well. CLI11's own let NaN pass.
std::string positive_number(const std::string& text);
std::string number_from_zero(const std::string& text);
std::string price_of_leaving(const std::string& text);  ///< SolveSettings::stiffness
std::string finite_number(const std::string& text);

/// The transfer settings that the options ask for.
TransferSettings transfer_settings(const CommonOptions& options);

/// \throw UsageError where the report would overwrite one of the files; WriteError where its folder is
/// missing or something else than a file has its name.
void check_report_path(const std::string& report, const std::vector<std::string>& files);

}  // namespace pelt::cli
