#include "error_record.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pelt {
namespace {

constexpr int kBins = 2048;

/// Weights by value, so that a percentile needs only the values of a few bins sorted.
struct Histogram {
  float low, scale;
  double total = 0;
  std::vector<double> weight = std::vector<double>(kBins, 0.0);

  Histogram(const std::vector<WeightedValue>& values, float lowest, float highest)
      : low(lowest), scale(highest > lowest ? (kBins - 1) / (highest - lowest) : 0) {
    for (const WeightedValue& v : values) weight[bin_of(v.value)] += v.weight, total += v.weight;
  }

  int bin_of(float value) const { return static_cast<int>((value - low) * scale); }

  /// The value that stands at `goal`, between the two neighbours that stand around it.
  double value_at(const std::vector<WeightedValue>& values, double goal) const {
    double before = 0;
    int from = 0, to = 0;  // bins that hold both neighbours, with a filled one on either side of the goal's
    for (double reached = 0; to < kBins - 1 && reached < goal; ++to) reached += weight[to];
    while (to < kBins - 1 && weight[to] == 0) ++to;
    for (int filled = 0, bin = to - 1; bin >= 0 && filled < 2; --bin)
      if (weight[bin] > 0) ++filled, from = bin;
    for (int bin = 0; bin < from; ++bin) before += weight[bin];
    std::vector<WeightedValue> near;
    for (const WeightedValue& v : values)
      if (const int bin = bin_of(v.value); bin >= from && bin <= to) near.push_back(v);
    std::sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    return interpolate(near, before, goal);
  }

  static double interpolate(const std::vector<WeightedValue>& sorted, double before, double goal) {
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
};

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
  std::vector<WeightedValue> all;
  all.reserve(static_cast<std::size_t>(kept_.size()));
  for (Eigen::Index f = 0; f < kept_.cols(); ++f)
    for (Eigen::Index i = 0; i < kept_.rows(); ++i)
      if (weight_(i) > 0) all.push_back({kept_(i, f), static_cast<float>(weight_(i))});
  return weighted_percentiles(all, percents);
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
  float low = values[0].value, high = low, low_weight = values[0].weight, high_weight = low_weight;
  for (const WeightedValue& v : values) {
    if (v.value < low) low = v.value, low_weight = v.weight;
    if (v.value > high) high = v.value, high_weight = v.weight;
  }
  const Histogram histogram(values, low, high);
  // a value stands at the weight before it plus half its own; the smallest and the largest at 0 and 1
  const double first = low_weight / 2.0, span = histogram.total - first - high_weight / 2.0;
  std::vector<double> result;
  for (const double percent : percents)
    result.push_back(histogram.value_at(values, first + span * percent / 100));
  return result;
}

}  // namespace pelt
