#pragma once

#include <string>

#include "io/inspect_report.h"

namespace pelt::cli {

/// The page that `pelt inspect` prints.
std::string inspect_page(const Inspection& inspection);

}  // namespace pelt::cli
