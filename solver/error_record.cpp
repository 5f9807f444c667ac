#include "error_record.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pelt {
namespace {

// So many errors are looked at to find where the largest begin, with so much room for how far a sample errs.
constexpr Eigen::Index kSampled = 4000;
constexpr double kSampleMargin = 3;
constexpr Eigen::Index kBlock = 16;

// Where errors are counted alone, twelve bits of the mantissa name a bin.
constexpr int kDroppedBits = 11;
constexpr std::size_t kErrorBins = std::size_t{1} << (31 - kDroppedBits);
constexpr double kWeightUnit = 0x1p-40;
// Sums of errors up to kLargest over 2^14 frames fit into 64 bits.
constexpr double kErrorUnit = 0x1p-37, kLargest = 0x1p12;

// A float that is not negative is ordered as its bits are.
std::size_t bin_of(float error) {
  return (std::bit_cast<std::uint32_t>(error) & 0x7FFFFFFFu) >> kDroppedBits;
}

/// The middle of a bin.
double value_of(std::size_t bin) {
  const auto bits = static_cast<std::uint32_t>(bin << kDroppedBits | std::size_t{1} << (kDroppedBits - 1));
  return static_cast<double>(std::bit_cast<float>(bits));
}

}  // namespace

ErrorRecord::ErrorRecord(const Eigen::VectorXd& weight, int frames, std::int64_t most_kept,
                         const Eigen::VectorXd& copies)
    : weight_(weight),
      copies_(copies.size() == 0 ? Eigen::VectorXd::Ones(weight.size()) : copies),
      frames_(frames) {
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

/// An error that about so many per cent of the kept ones lie below.
float ErrorRecord::error_near(double percent) const {
  if (percent <= 0) return 0;
  std::vector<float> sample;
  for (Eigen::Index k = 0; k < kept_.size(); k += std::max<Eigen::Index>(1, kept_.size() / kSampled))
    if (weight_(k % kept_.rows()) > 0) sample.push_back(kept_(k));
  if (sample.empty()) return 0;
  const auto at =
      sample.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(sample.size() - 1) * percent / 100);
  std::nth_element(sample.begin(), at, sample.end());
  return *at;
}

/// The kept errors from `least` on.
TopValues ErrorRecord::errors_from(float least) const {
  const Eigen::VectorXf weight = weight_.cast<float>(), copies = copies_.cast<float>();
  TopValues top;
  float lowest = INFINITY;
  double all = 0, above = 0;
  for (const float share : weight) all += double{share} * static_cast<double>(kept_.cols());
  const auto visit = [&](float error, Eigen::Index vertex) {
    const float share = weight[vertex];
    if (!(share > 0)) return;
    if (error < lowest) lowest = error, top.lowest_weight = double{share} / double{copies[vertex]};
    if (error < least) return;
    above += double{share};
    top.values.push_back({error, share, copies[vertex]});
  };
  for (Eigen::Index f = 0; f < kept_.cols(); ++f)
    for (Eigen::Index first = 0; first < kept_.rows(); first += kBlock) {
      const Eigen::Index count = std::min(kBlock, kept_.rows() - first);
      const auto error = kept_.col(f).segment(first, count);
      // neighbours err alike: in most blocks there is nothing to look at
      if (count == kBlock && error.head<kBlock>().maxCoeff() < least &&
          error.head<kBlock>().minCoeff() >= lowest)
        continue;
      for (Eigen::Index i = 0; i < count; ++i) visit(error[i], first + i);
    }
  if (least > 0) top.below = std::max(0.0, all - above);
  return top;
}

std::vector<double> ErrorRecord::percentiles(const std::vector<double>& percents) const {
  if (!bins_.empty()) return counted_percentiles(percents);
  // Most errors lie far below a high percentile and need not be sorted.
  const double lowest = *std::min_element(percents.begin(), percents.end());
  const TopValues top = errors_from(error_near(lowest - kSampleMargin));
  const double half = weight_.maxCoeff() / 2, all = weight_.sum() * static_cast<double>(kept_.cols());
  const double earliest = (all - 2 * half) * lowest / 100;  // at which the percentile can stand
  const bool is_enough = top.below == 0 || earliest > top.below + 2 * half;
  if (is_enough) return weighted_percentiles(top, percents);
  return weighted_percentiles(errors_from(0), percents);
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

}  // namespace pelt
