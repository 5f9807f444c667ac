#include "error_record.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace pelt {
namespace {

constexpr int kBins = 2048;

/// The bins that must be sorted for a percentile: both neighbours of the value lie in them.
struct BinRange {
  int from = 0, to = 0;
  double before = 0;  ///< weight below them
};

/// Weights by value, so that a percentile needs only the values of a few bins sorted.
struct Histogram {
  float low, scale;
  double total = 0;
  std::vector<double> weight = std::vector<double>(kBins, 0.0);

  Histogram(float lowest, float highest)
      : low(lowest), scale(highest > lowest ? (kBins - 1) / (highest - lowest) : 0) {}

  int bin_of(float value) const { return static_cast<int>((value - low) * scale); }

  /// Where the value at `goal` is: with a filled bin on either side of the goal's.
  BinRange around(double goal) const {
    BinRange range;
    for (double reached = 0; range.to < kBins - 1 && reached < goal; ++range.to) reached += weight[range.to];
    while (range.to < kBins - 1 && weight[range.to] == 0) ++range.to;
    for (int filled = 0, bin = range.to - 1; bin >= 0 && filled < 2; --bin)
      if (weight[bin] > 0) ++filled, range.from = bin;
    for (int bin = 0; bin < range.from; ++bin) range.before += weight[bin];
    return range;
  }
};

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

/// Percentiles of all values that visit_all(add) hands to add(value, weight); the smallest and the largest
/// are known.
template <class VisitAll>
std::vector<double> percentiles_of(const WeightedValue& low, const WeightedValue& high,
                                   const VisitAll& visit_all, const std::vector<double>& percents) {
  Histogram histogram(low.value, high.value);
  visit_all([&](float value, float weight) {
    histogram.weight[histogram.bin_of(value)] += weight;
    histogram.total += weight;
  });
  // a value stands at the weight before it plus half its own; the smallest and the largest at 0 and 1
  const double first = low.weight / 2.0, span = histogram.total - first - high.weight / 2.0;
  std::vector<double> goals;
  std::vector<BinRange> ranges;
  std::vector<char> wanted(kBins, 0);
  for (const double percent : percents) {
    goals.push_back(first + span * percent / 100);
    ranges.push_back(histogram.around(goals.back()));
    for (int bin = ranges.back().from; bin <= ranges.back().to; ++bin) wanted[bin] = 1;
  }
  std::vector<WeightedValue> near;
  visit_all([&](float value, float weight) {
    if (wanted[histogram.bin_of(value)]) near.push_back({value, weight});
  });
  std::sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  std::vector<double> result;
  for (std::size_t n = 0; n < goals.size(); ++n) {
    std::vector<WeightedValue> own;
    for (const WeightedValue& v : near)
      if (const int bin = histogram.bin_of(v.value); bin >= ranges[n].from && bin <= ranges[n].to)
        own.push_back(v);
    result.push_back(interpolate(own, ranges[n].before, goals[n]));
  }
  return result;
}

// A float that is not negative is ordered as its bits are: eight of exponent and the first twelve of the
// mantissa name a bin.
constexpr int kDroppedBits = 11;
constexpr std::size_t kErrorBins = std::size_t{1} << (31 - kDroppedBits);
constexpr double kWeightUnit = 0x1p-40;
// Sums of errors up to kLargest over 2^14 frames fit into 64 bits.
constexpr double kErrorUnit = 0x1p-37, kLargest = 0x1p12;

std::size_t bin_of(float error) {
  return (std::bit_cast<std::uint32_t>(error) & 0x7FFFFFFFu) >> kDroppedBits;
}

/// The middle of a bin.
double value_of(std::size_t bin) {
  const auto bits = static_cast<std::uint32_t>(bin << kDroppedBits | std::size_t{1} << (kDroppedBits - 1));
  return static_cast<double>(std::bit_cast<float>(bits));
}

}  // namespace

ErrorRecord::ErrorRecord(const Eigen::VectorXd& weight, int frames, std::int64_t most_kept)
    : weight_(weight), frames_(frames) {
  if (weight.size() * std::int64_t{frames} <= most_kept) {
    kept_.resize(weight.size(), frames);
    return;
  }
  bins_.assign(kErrorBins, 0);
  vertex_sums_.assign(static_cast<std::size_t>(weight.size()), 0);
  for (const double w : weight)
    bin_weight_.push_back(static_cast<std::uint64_t>(std::llround(w / kWeightUnit)));
}

void ErrorRecord::add(int frame, const Eigen::VectorXf& error) {
  if (bins_.empty()) {
    kept_.col(frame) = error;
    return;
  }
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < vertex_sums_.size(); ++i) {
    const float e = error(static_cast<Eigen::Index>(i));
    bins_[bin_of(e)] += bin_weight_[i];
    vertex_sums_[i] += static_cast<std::uint64_t>((e < kLargest ? double{e} : kLargest) / kErrorUnit);
  }
}

Eigen::VectorXd ErrorRecord::vertex_means() const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(weight_.size());
  if (bins_.empty())
    for (Eigen::Index f = 0; f < kept_.cols(); ++f) sum += kept_.col(f).cast<double>();
  else
    for (Eigen::Index i = 0; i < sum.size(); ++i)
      sum(i) = kErrorUnit * static_cast<double>(vertex_sums_[static_cast<std::size_t>(i)]);
  return sum / std::max(frames_, 1);
}

std::vector<double> ErrorRecord::percentiles(const std::vector<double>& percents) const {
  if (!bins_.empty()) return counted_percentiles(percents);
  const Eigen::VectorXf weight = weight_.cast<float>();
  const auto visit_all = [&](auto&& add) {
    for (Eigen::Index f = 0; f < kept_.cols(); ++f)
      for (Eigen::Index i = 0; i < kept_.rows(); ++i)
        if (weight_(i) > 0) add(kept_(i, f), weight(i));
  };
  std::optional<WeightedValue> low, high;
  visit_all([&](float value, float w) {
    if (!low || value < low->value) low = {value, w};
    if (!high || value > high->value) high = {value, w};
  });
  if (!low) return std::vector<double>(percents.size(), 0.0);
  return percentiles_of(*low, *high, visit_all, percents);
}

std::vector<double> ErrorRecord::counted_percentiles(const std::vector<double>& percents) const {
  double total = 0;
  for (const std::uint64_t weight : bins_) total += static_cast<double>(weight);
  std::vector<double> result;
  for (const double percent : percents) {
    double reached = 0;
    std::size_t bin = 0, filled = 0;
    for (; bin < bins_.size() && reached < total * percent / 100; ++bin)
      if (bins_[bin] > 0) reached += static_cast<double>(bins_[bin]), filled = bin;
    result.push_back(value_of(filled));
  }
  return result;
}

std::vector<double> weighted_percentiles(const std::vector<WeightedValue>& values,
                                         const std::vector<double>& percents) {
  if (values.empty()) return std::vector<double>(percents.size(), 0.0);
  const auto [low, high] = std::minmax_element(
      values.begin(), values.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  const auto visit_all = [&](auto&& add) {
    for (const WeightedValue& v : values) add(v.value, v.weight);
  };
  return percentiles_of(*low, *high, visit_all, percents);
}

}  // namespace pelt
