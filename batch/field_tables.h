#pragma once

#include <vector>

#include "field.h"
#include "text_table.h"

namespace pelt {

/// Quality by tool and clip in each mode of the field, the artist's control on top.
std::vector<Table> quality_tables(const Field& field);

/// What each mode beyond the first costs; no rows where there is one mode.
Table price_table(const Field& field);

/// No rows where no rig has been looked at.
Table health_table(const Field& field);

/// Rows that failed, each with its reason; no rows where none did.
Table failure_table(const Field& field);

/// A table a model: its tools by clip, with the region that loses most.
std::vector<Table> model_tables(const Field& field);

/// The region with the largest share of the error, over the clips of a row in one mode: "bone_11 41 %"; "-"
/// where nothing is lost.
std::string weakest_region(const ScoreRow& row, JointMode mode);

}  // namespace pelt
