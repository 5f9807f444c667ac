#include "display_times.h"

#include <cmath>

namespace pelt {

DisplayTimes display_times(const std::vector<float>& counted) {
  constexpr double longest = 0.05, rounding = 1e-4;
  DisplayTimes display;
  for (const float next : counted) {
    if (!display.times.empty()) {
      const double last = display.times.back(), gap = next - last;
      const double parts = std::ceil(gap / longest - rounding);
      for (double k = 1; k < parts; ++k) {
        const auto time = static_cast<float>(last + k / parts * gap);
        if (time > display.times.back() && time < next) display.times.push_back(time);
      }
    }
    display.counted.push_back(static_cast<int>(display.times.size()));
    display.times.push_back(next);
  }
  return display;
}

}  // namespace pelt
