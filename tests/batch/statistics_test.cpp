#include "batch/statistics.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace pelt {
namespace {

/// Means of all n^n resamples, sorted: the bootstrap distribution itself.
std::vector<double> all_means(const std::vector<double>& values) {
  std::size_t count = 1;
  for (std::size_t k = 0; k < values.size(); ++k) count *= values.size();
  std::vector<double> means;
  for (std::size_t resample = 0; resample < count; ++resample) {
    double sum = 0;
    for (std::size_t k = 0, rest = resample; k < values.size(); ++k, rest /= values.size())
      sum += values[rest % values.size()];
    means.push_back(sum / static_cast<double>(values.size()));
  }
  std::sort(means.begin(), means.end());
  return means;
}

/// The smallest mean that at least a share of all resamples does not exceed.
double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size()))) - 1];
}

}  // namespace

TEST_CASE("Nothing, one and equal values", "[statistics]") {
  CHECK(mean_of({}).count == 0);
  CHECK_FALSE(mean_of({}).interval);
  const MeanOf one = mean_of({42});
  CHECK(one.count == 1);
  CHECK(one.mean == 42);
  CHECK_FALSE(one.interval);
  const MeanOf same = mean_of({7, 7, 7});
  CHECK(same.interval->low == 7);
  CHECK(same.interval->high == 7);
}

TEST_CASE("Two values: a quarter of the resamples are the smaller one alone", "[statistics]") {
  const MeanOf two = mean_of({10, 20});
  CHECK(two.mean == 15);
  CHECK(two.interval->low == 10);
  CHECK(two.interval->high == 20);
  const MeanOf half = mean_of({10, 20}, {10000, 0.4, 1});  // tails of 30 %: beyond the quarter
  CHECK(half.interval->low == 15);
  CHECK(half.interval->high == 15);
}

TEST_CASE("Three values: the interval is that of all 27 resamples", "[statistics]") {
  const std::vector<double> values{1, 2.5, 7};
  const std::vector<double> means = all_means(values);
  REQUIRE(means.size() == 27);
  // Tails between the steps of k / 27, by more than three standard deviations of 10,000 draws.
  for (const int step : {0, 1, 4, 7, 10}) {
    const double tail = (step + 0.5) / 27;
    CAPTURE(tail);
    const MeanOf found = mean_of(values, {10000, 1 - 2 * tail, 12345});
    CHECK(found.interval->low == Approx(quantile(means, tail)));
    CHECK(found.interval->high == Approx(quantile(means, 1 - tail)));
  }
}

TEST_CASE("Many values: the interval is that of the central limit theorem", "[statistics]") {
  std::mt19937 random(12345);
  std::vector<double> values;
  double sum = 0, squared = 0;
  for (int k = 0; k < 400; ++k) values.push_back(static_cast<double>(random()) / 4294967296.0);
  for (const double value : values) sum += value;
  for (const double value : values) squared += (value - sum / 400) * (value - sum / 400);
  const double deviation = std::sqrt(squared / 400 / 400);
  const MeanOf found = mean_of(values);
  CHECK(found.mean == Approx(sum / 400));
  CHECK(found.interval->low == Approx(sum / 400 - 1.96 * deviation).margin(0.05 * deviation * 1.96));
  CHECK(found.interval->high == Approx(sum / 400 + 1.96 * deviation).margin(0.05 * deviation * 1.96));
}

TEST_CASE("The order of the values does not matter to the last bit", "[statistics]") {
  std::vector<double> values{0.1, 93.7, 12.345, 55.5, 1e-9, 77};
  const MeanOf first = mean_of(values);
  std::mt19937 random(12345);
  for (int round = 0; round < 20; ++round) {
    for (std::size_t k = values.size(); k > 1; --k) std::swap(values[k - 1], values[random() % k]);
    const MeanOf again = mean_of(values);
    CHECK(again.mean == first.mean);
    CHECK(again.interval->low == first.interval->low);
    CHECK(again.interval->high == first.interval->high);
  }
}

TEST_CASE("A difference counts where its interval leaves out nought", "[statistics]") {
  CHECK(within_noise(mean_of({})));
  CHECK(within_noise(mean_of({5})));
  CHECK(within_noise(mean_of({0, 0, 0})));
  CHECK(within_noise(mean_of({-1, 2, 1, -2, 0.5})));
  CHECK_FALSE(within_noise(mean_of({3, 4, 2, 5, 3, 4})));
  CHECK_FALSE(within_noise(mean_of({-3, -4, -2, -5, -3, -4})));
}

}  // namespace pelt
