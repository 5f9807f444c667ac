#pragma once

#include <string>

#include "field.h"

namespace pelt {

struct TableOptions {
  bool per_model = false;   ///< a further table for each model
  std::size_t width = 100;  ///< of text, in characters
};

/// The tables of a field (docs/score.md): quality by tool and clip, the artist's control on top; what other
/// modes cost; health of the rigs; rows that failed. Same rows, same bytes.
std::string score_text(const Field& field, const TableOptions& options = {});
std::string score_markdown(const Field& field, const TableOptions& options = {});

/// One line a tool and mode with everything of the above, or with per_model one a rig, clip and mode.
std::string score_csv(const Field& field, const TableOptions& options = {});

}  // namespace pelt
