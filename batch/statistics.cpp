// Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7 (1979); the percentile
// interval as in Efron and Tibshirani, "An introduction to the bootstrap" (1993), chapter 13.
#include "statistics.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace pelt {
namespace {

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

/// std::uniform_int_distribution differs from library to library. This one misses evenness by less than count
/// / 2^32.
std::size_t index_below(std::size_t count, std::mt19937_64& engine) { return (engine() >> 32) * count >> 32; }

/// Of sorted values, linear between neighbours.
double percentile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const double rest = at - static_cast<double>(below);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + rest * (sorted[below + 1] - sorted[below]);
}

}  // namespace

MeanOf mean_of(std::vector<double> values, const Bootstrap& bootstrap) {
  MeanOf result;
  result.count = static_cast<int>(values.size());
  if (values.empty()) return result;
  std::sort(values.begin(), values.end());
  const double count = static_cast<double>(values.size());
  result.mean = sum_of(values) / count;
  if (values.size() < 2) return result;

  std::mt19937_64 engine(bootstrap.seed);
  std::vector<double> means(bootstrap.resamples);
  for (double& mean : means) {
    double sum = 0;
    for (std::size_t k = 0; k < values.size(); ++k) sum += values[index_below(values.size(), engine)];
    mean = sum / count;
  }
  std::sort(means.begin(), means.end());
  const double tail = (1 - bootstrap.level) / 2;
  result.interval = Interval{percentile(means, tail), percentile(means, 1 - tail)};
  return result;
}

bool within_noise(const MeanOf& difference) {
  return !difference.interval || difference.interval->contains(0);
}

}  // namespace pelt
