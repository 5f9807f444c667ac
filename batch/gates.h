#pragma once

#include <optional>
#include <string>
#include <vector>

#include "score_row.h"

namespace pelt {

/// Bars that rows have to meet; what is not set is not asked.
struct Gates {
  std::optional<double> min_quality;  ///< per cent, of each clip that moves in each mode
  QualityKind quality = QualityKind::vertices;
  std::optional<double> max_worst;  ///< % of diag, of each clip in each mode
  std::optional<double> min_bend;   ///< degrees, of each leg, all of whose bones have to move something
  bool require_control = false;     ///< a control, and passed
};

enum class Bar { quality, worst, control, bend };

/// A row that does not meet a bar.
struct Miss {
  std::size_t row = 0;      ///< in the rows as given
  std::optional<int> clip;  ///< of the row; none where the bar is for the whole rig
  Bar bar = Bar::quality;
  std::string what;  ///< "quality 71.20 is below 80", a sentence without its subject
};

/// In the order of the rows, their clips, and the bars. Rows that failed miss nothing: they have their own
/// exit codes.
std::vector<Miss> misses(const std::vector<ScoreRow>& rows, const Gates& gates);

/// "pinocchio, Wolf, Walk (rotate): quality 71.20 is below 80".
std::string describe(const Miss& miss, const ScoreRow& row);

}  // namespace pelt
