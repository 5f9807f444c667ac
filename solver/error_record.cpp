#include "error_record.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace pelt {
namespace {

// A float that is not negative is ordered as its bits are: eight of exponent and the first seven of the
// mantissa name a bin, so that a percentile needs only the values of a few bins sorted.
constexpr int kCoarseDrop = 16;
constexpr std::size_t kCoarseBins = std::size_t{1} << (31 - kCoarseDrop);

std::uint32_t bits_of(float error) { return std::bit_cast<std::uint32_t>(error) & 0x7FFFFFFFu; }

std::size_t coarse_bin_of(float error) { return bits_of(error) >> kCoarseDrop; }

/// The bins that must be sorted for a percentile: both neighbours of the value lie in them.
struct BinRange {
  std::size_t from = 0, to = 0;
  double before = 0;  ///< weight below them
};

/// Where the value at `goal` is: with a filled bin on either side of the goal's.
BinRange around(const std::vector<double>& weight, double goal) {
  BinRange range;
  for (double reached = 0; range.to < kCoarseBins - 1 && reached < goal; ++range.to)
    reached += weight[range.to];
  while (range.to < kCoarseBins - 1 && weight[range.to] == 0) ++range.to;
  int filled = 0;
  for (std::size_t bin = range.to; bin-- > 0 && filled < 2;)
    if (weight[bin] > 0) ++filled, range.from = bin;
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

/// The weight in each bin, and the ends.
struct Histogram {
  std::vector<double> weight;
  WeightedValue low{INFINITY, 0}, high{-1, 0};
};

template <class VisitAll>
Histogram histogram_of(const VisitAll& visit_all) {
  Histogram h;
  // neighbours often fall into one bin: four sums of it need not wait for each other
  std::vector<Eigen::Vector4d> sums(kCoarseBins, Eigen::Vector4d::Zero());
  unsigned turn = 0;
  WeightedValue low = h.low, high = h.high;
  visit_all([&](float value, float weight) {
    sums[coarse_bin_of(value)][turn++ % 4] += weight;
    if (value < low.value) low = {value, weight};
    if (value > high.value) high = {value, weight};
  });
  h.low = low, h.high = high;
  for (const Eigen::Vector4d& sum : sums) h.weight.push_back(sum.sum());
  return h;
}

/// Percentiles of all values that visit_all(add) hands to add(value, weight).
template <class VisitAll>
std::vector<double> percentiles_of(const VisitAll& visit_all, const std::vector<double>& percents) {
  const Histogram h = histogram_of(visit_all);
  if (h.high.value < 0) return std::vector<double>(percents.size(), 0.0);
  // a value stands at the weight before it plus half its own; the smallest and the largest at 0 and 1
  const double first = h.low.weight / 2.0;
  const double span = std::accumulate(h.weight.begin(), h.weight.end(), 0.0) - first - h.high.weight / 2.0;
  std::vector<double> goals;
  std::vector<BinRange> ranges;
  for (const double percent : percents) {
    goals.push_back(first + span * percent / 100);
    ranges.push_back(around(h.weight, goals.back()));
  }
  std::size_t least = kCoarseBins, most = 0;
  for (const BinRange& range : ranges) least = std::min(least, range.from), most = std::max(most, range.to);
  std::vector<std::vector<WeightedValue>> near(percents.size());
  visit_all([&](float value, float weight) {
    const std::size_t bin = coarse_bin_of(value);
    if (bin < least || bin > most) return;
    for (std::size_t n = 0; n < ranges.size(); ++n)
      if (bin >= ranges[n].from && bin <= ranges[n].to) near[n].push_back({value, weight});
  });
  std::vector<double> result;
  for (std::size_t n = 0; n < goals.size(); ++n) {
    std::sort(near[n].begin(), near[n].end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    result.push_back(interpolate(near[n], ranges[n].before, goals[n]));
  }
  return result;
}

// Where errors are counted alone, twelve bits of the mantissa name a bin.
constexpr int kDroppedBits = 11;
constexpr std::size_t kErrorBins = std::size_t{1} << (31 - kDroppedBits);
constexpr double kWeightUnit = 0x1p-40;
// Sums of errors up to kLargest over 2^14 frames fit into 64 bits.
constexpr double kErrorUnit = 0x1p-37, kLargest = 0x1p12;

std::size_t bin_of(float error) { return bits_of(error) >> kDroppedBits; }

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
    const Eigen::Index vertices = kept_.rows();
    for (Eigen::Index f = 0; f < kept_.cols(); ++f) {
      const float *error = kept_.data() + f * vertices, *share = weight.data();
      for (Eigen::Index i = 0; i < vertices; ++i)
        if (share[i] > 0) add(error[i], share[i]);
    }
  };
  return percentiles_of(visit_all, percents);
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
  const auto visit_all = [&](auto&& add) {
    for (const WeightedValue& v : values) add(v.value, v.weight);
  };
  return percentiles_of(visit_all, percents);
}

}  // namespace pelt
