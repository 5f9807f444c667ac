#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace pelt {

struct Interval {
  double low = 0, high = 0;

  bool contains(double value) const { return low <= value && value <= high; }
};

/// A mean over models.
struct MeanOf {
  int count = 0;
  double mean = 0;                   ///< 0 where there is nothing to count
  std::optional<Interval> interval;  ///< none for fewer than two values
};

struct Bootstrap {
  int resamples = 10000;
  double level = 0.95;
  std::uint64_t seed = 12345;
};

/// The mean with its percentile bootstrap interval: the same values in any order give the same bits, on any
/// machine. With few values such an interval is too narrow rather than too wide. \pre values are finite
MeanOf mean_of(std::vector<double> values, const Bootstrap& bootstrap = {});

/// The difference of two means over the same models, a[k] - b[k] resampled as one, is within noise where its
/// interval contains 0 or where there is none.
bool within_noise(const MeanOf& difference);

}  // namespace pelt
