#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <mutex>
#include <vector>

namespace pelt {

struct WeightedValue {
  float value, weight;
};

/// Percentiles in [0, 100] of weighted values, which must not be negative. With equal weights they are linear
/// interpolations of order statistics (numpy's default): the k-th of n sorted values stands at k / (n - 1).
/// With others a value stands at the weight before it plus half its own, rescaled so that the ends stand at 0
/// and 1. Linear time. Zeros for no values.
std::vector<double> weighted_percentiles(const std::vector<WeightedValue>& values,
                                         const std::vector<double>& percents);

/// The errors of all vertices in all frames: kept where they are few, else counted by size, so that memory
/// does not grow with the clip. Percentiles are exact, or within a 4096th of their value. The same whatever
/// the order in which frames come.
class ErrorRecord {
 public:
  static constexpr std::int64_t kKept = std::int64_t{1} << 24;  ///< errors that are worth 64 MiB

  /// `weight`: V shares that sum to 1; vertices of share 0 do not count.
  ErrorRecord(const Eigen::VectorXd& weight, int frames, std::int64_t most_kept = kKept);

  /// V errors of a frame, each frame once, not negative; threads may add at the same time.
  void add(int frame, const Eigen::VectorXf& error);

  /// V mean errors over the frames.
  Eigen::VectorXd vertex_means() const;

  std::vector<double> percentiles(const std::vector<double>& percents) const;

 private:
  std::vector<double> counted_percentiles(const std::vector<double>& percents) const;

  Eigen::VectorXd weight_;
  int frames_;
  Eigen::MatrixXf kept_;                    // V x F; empty where errors are counted
  std::mutex mutex_;                        // of what follows: integers, whose sums have no order
  std::vector<std::uint64_t> bins_;         // weights by the leading bits of the error
  std::vector<std::uint64_t> bin_weight_;   // a vertex each
  std::vector<std::uint64_t> vertex_sums_;  // of errors
};

}  // namespace pelt
