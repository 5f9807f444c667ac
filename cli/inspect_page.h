#pragma once

#include <optional>
#include <string>

#include "batch/rig_health.h"
#include "io/inspect_report.h"

namespace pelt::cli {

/// The page that `pelt inspect` prints.
std::string inspect_page(const Inspection& inspection, const std::optional<RigHealth>& health);

}  // namespace pelt::cli
