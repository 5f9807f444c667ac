#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "bake.h"

namespace pelt {

/// The version of pelt, as in CMakeLists.txt.
const char* version();

/// The settings on which the figures of a bake depend.
nlohmann::ordered_json settings_report(const BakeOptions& options);

/// Everything that a run found out, for machines (docs/report.md): settings, control, clips with figures a
/// clip, a frame and a joint.
nlohmann::ordered_json bake_report(const BakeOptions& options, const BakeResult& result);
/// What appraise() found of several rigs, by the same options.
nlohmann::ordered_json view_report(const BakeOptions& options, const std::vector<BakeResult>& results);
nlohmann::ordered_json control_report(const ControlOptions& options, const ControlResult& result);

/// Writes a text through a temporary file beside it. \throw WriteError
void write_text(const std::string& text, const std::filesystem::path& path);

/// Writes a report through a temporary file beside it. \throw WriteError
void write_report(const nlohmann::ordered_json& report, const std::filesystem::path& path);

}  // namespace pelt
