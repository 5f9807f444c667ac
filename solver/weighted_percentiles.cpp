#include "weighted_percentiles.h"

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

namespace pelt {
namespace {

// A float that is not negative is ordered as its bits are: eight of exponent and the first seven of the
// mantissa name a bin, so that a percentile needs only the values of a few bins sorted.
std::size_t bin_of(const WeightedValue& v) {
  return (std::bit_cast<std::uint32_t>(v.value) & 0x7FFFFFFFu) >> 16;
}

bool less(const WeightedValue& a, const WeightedValue& b) { return a.value < b.value; }

/// The weight in each bin between those of the smallest and the largest value.
struct Bins {
  std::size_t first = 0;
  std::vector<double> weight;
};

Bins bins_of(const std::vector<WeightedValue>& values, const WeightedValue& low, const WeightedValue& high) {
  Bins bins{bin_of(low), {}};
  // neighbours often fall into one bin: four sums of it need not wait for each other
  std::vector<Eigen::Vector4d> sums(bin_of(high) - bins.first + 1, Eigen::Vector4d::Zero());
  unsigned turn = 0;
  for (const WeightedValue& v : values) sums[bin_of(v) - bins.first][turn++ % 4] += double{v.weight};
  for (const Eigen::Vector4d& sum : sums) bins.weight.push_back(sum.sum());
  return bins;
}

/// The bins that must be sorted for a percentile: both neighbours of the value lie in them.
struct BinRange {
  std::size_t from = 0, to = 0;
  double before = 0;  ///< weight below them
};

/// Where the value at `goal` is, `below` of which lie before all bins: with a filled bin on either side of
/// the goal's.
BinRange around(const Bins& bins, double below, double goal) {
  const std::vector<double>& weight = bins.weight;
  std::size_t from = 0, to = 0;
  for (double reached = below; to < weight.size() - 1 && reached < goal; ++to) reached += weight[to];
  while (to < weight.size() - 1 && weight[to] == 0) ++to;
  int filled = 0;
  for (std::size_t bin = to; bin-- > 0 && filled < 2;)
    if (weight[bin] > 0) ++filled, from = bin;
  const double before =
      std::accumulate(weight.begin(), weight.begin() + static_cast<std::ptrdiff_t>(from), below);
  return {bins.first + from, bins.first + to, before};
}

/// Half the weight of one of a value's copies: so far from the ends of its weight stand the first and the
/// last.
double half_copy(const WeightedValue& v) { return double{v.weight} / (2 * double{v.copies}); }

/// The value that stands at `goal`, between the two neighbours that stand around it.
double interpolate(const std::vector<WeightedValue>& sorted, double before, double goal) {
  for (std::size_t k = 0; k + 1 < sorted.size(); ++k) {
    const double after = before + sorted[k].weight;
    const double here = after - half_copy(sorted[k]), next = after + half_copy(sorted[k + 1]);
    if (goal <= here) return sorted[k].value;
    if (goal <= next)
      return sorted[k].value + (goal - here) / (next - here) * (sorted[k + 1].value - sorted[k].value);
    before = after;
  }
  return sorted.back().value;
}

double value_at(const std::vector<WeightedValue>& values, const BinRange& range, double goal) {
  std::vector<WeightedValue> near;
  for (const WeightedValue& v : values)
    if (bin_of(v) >= range.from && bin_of(v) <= range.to) near.push_back(v);
  std::sort(near.begin(), near.end(), less);
  return interpolate(near, range.before, goal);
}

}  // namespace

std::vector<double> weighted_percentiles(const TopValues& top, const std::vector<double>& percents) {
  if (top.values.empty()) return std::vector<double>(percents.size(), 0.0);
  const auto [low, high] = std::minmax_element(top.values.begin(), top.values.end(), less);
  const Bins bins = bins_of(top.values, *low, *high);
  const double all = std::accumulate(bins.weight.begin(), bins.weight.end(), top.below);
  // a value stands at the weight before it plus half its own; the smallest and the largest at 0 and 1
  const double first = top.lowest_weight / 2, span = all - first - half_copy(*high);
  std::vector<double> result;
  for (const double percent : percents) {
    const double goal = first + span * percent / 100;
    result.push_back(value_at(top.values, around(bins, top.below, goal), goal));
  }
  return result;
}

std::vector<double> weighted_percentiles(std::vector<WeightedValue> values,
                                         const std::vector<double>& percents) {
  if (values.empty()) return std::vector<double>(percents.size(), 0.0);
  const double lowest_weight = 2 * half_copy(*std::min_element(values.begin(), values.end(), less));
  return weighted_percentiles(TopValues{std::move(values), 0, lowest_weight}, percents);
}

}  // namespace pelt
