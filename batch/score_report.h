#pragma once

#include <nlohmann/json_fwd.hpp>

#include "field.h"

namespace pelt {

/// Everything for machines (docs/score.md): settings as given, the control, the tools with their means,
/// intervals and ranks, what other modes cost, health, and all rows with their details. Rows come without
/// their times, so that same rows make same bytes.
nlohmann::ordered_json score_report(const Field& field, const FieldSettings& settings,
                                    const nlohmann::ordered_json& options);

}  // namespace pelt
