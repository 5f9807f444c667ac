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
constexpr int kDroppedBits = 16;
constexpr std::size_t kBins = std::size_t{1} << (31 - kDroppedBits);

std::size_t bin_of(const WeightedValue& v) {
  return (std::bit_cast<std::uint32_t>(v.value) & 0x7FFFFFFFu) >> kDroppedBits;
}

bool less(const WeightedValue& a, const WeightedValue& b) { return a.value < b.value; }

std::vector<double> weight_in_bins(const std::vector<WeightedValue>& values) {
  // neighbours often fall into one bin: four sums of it need not wait for each other
  std::vector<Eigen::Vector4d> sums(kBins, Eigen::Vector4d::Zero());
  unsigned turn = 0;
  for (const WeightedValue& v : values) sums[bin_of(v)][turn++ % 4] += double{v.weight};
  std::vector<double> weight;
  for (const Eigen::Vector4d& sum : sums) weight.push_back(sum.sum());
  return weight;
}

/// The bins that must be sorted for a percentile: both neighbours of the value lie in them.
struct BinRange {
  std::size_t from = 0, to = 0;
  double before = 0;  ///< weight below them
};

/// Where the value at `goal` is, `below` of which lie before all bins: with a filled bin on either side of
/// the goal's.
BinRange around(const std::vector<double>& weight, double below, double goal) {
  BinRange range;
  for (double reached = below; range.to < kBins - 1 && reached < goal; ++range.to)
    reached += weight[range.to];
  while (range.to < kBins - 1 && weight[range.to] == 0) ++range.to;
  int filled = 0;
  for (std::size_t bin = range.to; bin-- > 0 && filled < 2;)
    if (weight[bin] > 0) ++filled, range.from = bin;
  range.before = below;
  for (std::size_t bin = 0; bin < range.from; ++bin) range.before += weight[bin];
  return range;
}

/// The value that stands at `goal`, between the two neighbours that stand around it.
double interpolate(const std::vector<WeightedValue>& sorted, double before, double goal) {
  for (std::size_t k = 0; k + 1 < sorted.size(); ++k) {
    const double here = before + sorted[k].weight / 2.0;
    const double next = before + sorted[k].weight + sorted[k + 1].weight / 2.0;
    if (goal <= here) return sorted[k].value;
    if (goal <= next)
      return sorted[k].value + (goal - here) / (next - here) * (sorted[k + 1].value - sorted[k].value);
    before += sorted[k].weight;
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
  const std::vector<double> weight = weight_in_bins(top.values);
  const double all = std::accumulate(weight.begin(), weight.end(), top.below);
  const double highest_weight = std::max_element(top.values.begin(), top.values.end(), less)->weight;
  // a value stands at the weight before it plus half its own; the smallest and the largest at 0 and 1
  const double first = top.lowest_weight / 2, span = all - first - highest_weight / 2;
  std::vector<double> result;
  for (const double percent : percents) {
    const double goal = first + span * percent / 100;
    result.push_back(value_at(top.values, around(weight, top.below, goal), goal));
  }
  return result;
}

std::vector<double> weighted_percentiles(std::vector<WeightedValue> values,
                                         const std::vector<double>& percents) {
  if (values.empty()) return std::vector<double>(percents.size(), 0.0);
  const double lowest_weight = std::min_element(values.begin(), values.end(), less)->weight;
  return weighted_percentiles(TopValues{std::move(values), 0, lowest_weight}, percents);
}

}  // namespace pelt
