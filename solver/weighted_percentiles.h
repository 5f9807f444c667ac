#pragma once

#include <vector>

namespace pelt {

struct WeightedValue {
  float value, weight;
  float copies = 1;  ///< so many equal values share the weight
};

/// Values of which the smallest need not be at hand.
struct TopValues {
  std::vector<WeightedValue> values;  ///< in any order
  double below = 0;                   ///< weight of the others, none of which is larger
  double lowest_weight = 0;           ///< of one copy of the smallest value of all
};

/// Percentiles in [0, 100] of weighted values, which must not be negative. With equal weights they are linear
/// interpolations of order statistics (numpy's default): the k-th of n sorted values stands at k / (n - 1).
/// With others a value stands at the weight before it plus half its own, rescaled so that the ends stand at 0
/// and 1. Linear time. Zeros for no values.
std::vector<double> weighted_percentiles(std::vector<WeightedValue> values,
                                         const std::vector<double>& percents);

/// The same of the largest values. \pre each percentile lies among them
std::vector<double> weighted_percentiles(const TopValues& top, const std::vector<double>& percents);

}  // namespace pelt
