#pragma once

#include <nlohmann/json_fwd.hpp>

#include "../io/bake.h"

namespace pelt {

/// The report of a bake (docs/report.md) as a row keeps it: without what the row says itself, and with the
/// figures of a clip's frames as a list each, of six digits.
nlohmann::ordered_json details(const BakeOptions& options, const BakeResult& result);

}  // namespace pelt
