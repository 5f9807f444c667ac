#include "transfer_options.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <optional>

#include "console.h"
#include "io/bake.h"
#include "io/io_error.h"

namespace pelt::cli {

namespace fs = std::filesystem;

namespace {

std::optional<double> finite(const std::string& text) {
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

void add_common_options(CLI::App& command, CommonOptions& o) {
  command
      .add_option("--clip", o.clips, "Clip to take: its name, #index, or the part after a '|' (repeatable)")
      ->option_text("NAME")
      ->allow_extra_args(false);
  command.add_option("--fps", o.fps, "Sample at k/N seconds and at the end, instead of at the artist's keys")
      ->check(positive_number)
      ->option_text("N");
  command.add_option("--weighting", o.weighting, "How vertices count in solve and score")
      ->check(CLI::IsMember({"area", "uniform"}))
      ->capture_default_str()
      ->option_text("area|uniform");
  command.add_option("--report", o.report, "Write all figures to a JSON file")->option_text("FILE");
  command.add_option("--threads", o.threads, "Threads to use; results do not depend on it")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  command.add_flag("--strict", o.strict, "Treat warnings of the inputs as errors");
  command.add_flag("--quiet", o.quiet, "No table and no warnings");
}

std::string positive_number(const std::string& text) {
  const auto value = finite(text);
  return value && *value > 0 ? "" : "'" + text + "' is not a number above 0";
}

std::string number_from_zero(const std::string& text) {
  const auto value = finite(text);
  return value && *value >= 0 ? "" : "'" + text + "' is not a number from 0 up";
}

std::string price_of_leaving(const std::string& text) {
  const auto value = finite(text);
  if (value && *value > kLargestPrice)
    return "'" + text + "' is above 1000000: where no joint may leave its parent, use --joints rotate";
  return number_from_zero(text);
}

std::string finite_number(const std::string& text) {
  return finite(text) ? "" : "'" + text + "' is not a number";
}

TransferSettings transfer_settings(const CommonOptions& o) {
  TransferSettings settings;
  settings.fps = o.fps;
  settings.weighting = o.weighting == "area" ? Weighting::area : Weighting::uniform;
  settings.solve.threads = o.threads;
  if (!o.quiet) settings.progress = show_progress;
  return settings;
}

void check_report_path(const std::string& report, const std::vector<std::string>& files) {
  if (report.empty()) return;
  std::error_code none;
  for (const std::string& file : files)
    if (!file.empty() && (fs::equivalent(report, file, none) ||
                          fs::weakly_canonical(report, none) == fs::weakly_canonical(file, none)))
      throw UsageError(report + ": the report would overwrite an input or the output");
  const fs::path folder = fs::path(report).has_parent_path() ? fs::path(report).parent_path() : fs::path(".");
  if (!fs::is_directory(folder, none)) throw WriteError(report + ": there is no folder " + folder.string());
  if (fs::exists(report, none) && !fs::is_regular_file(report, none))
    throw WriteError(report + ": is not a plain file");
}

}  // namespace pelt::cli
