#pragma once

#include <vector>

namespace pelt {

/// Times at which a page draws a clip: those that its figures count, and where they lie further apart than a
/// twentieth of a second, equal parts of the interval, since a page blends surfaces between them.
struct DisplayTimes {
  std::vector<float> times;
  std::vector<int> counted;  ///< indices of those that figures count
};

DisplayTimes display_times(const std::vector<float>& counted);

}  // namespace pelt
