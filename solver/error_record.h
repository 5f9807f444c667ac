#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <mutex>
#include <vector>

#include "weighted_percentiles.h"

namespace pelt {

/// The errors of all vertices in all frames: kept where they are few, else counted by size, so that memory
/// does not grow with the clip. Percentiles are exact, or within a 4096th of their value. The same whatever
/// the order in which frames come.
class ErrorRecord {
 public:
  static constexpr std::int64_t kKept = std::int64_t{1} << 23;  ///< errors that are worth 32 MiB

  /// `weight`: V shares that sum to 1; vertices of share 0 do not count. `copies`: V, how many vertices of
  /// equal error share it; empty: one.
  ErrorRecord(const Eigen::VectorXd& weight, int frames, std::int64_t most_kept = kKept,
              const Eigen::VectorXd& copies = {});

  /// V errors of a frame, each frame once, not negative; threads may add at the same time.
  void add(int frame, const Eigen::VectorXf& error);

  /// V mean errors over the frames.
  Eigen::VectorXd vertex_means() const;

  /// In [0, 100], at least one; as weighted_percentiles has them.
  std::vector<double> percentiles(const std::vector<double>& percents) const;

 private:
  float error_near(double percent) const;
  TopValues errors_from(float least) const;
  std::vector<double> counted_percentiles(const std::vector<double>& percents) const;

  Eigen::VectorXd weight_, copies_;
  int frames_;
  Eigen::MatrixXf kept_;                    // V x F; empty where errors are counted
  std::mutex mutex_;                        // of what follows: integers, whose sums have no order
  std::vector<std::uint64_t> bins_;         // weights by the leading bits of the error
  std::vector<std::uint64_t> bin_weight_;   // a vertex each
  std::vector<std::uint64_t> vertex_sums_;  // of errors
};

}  // namespace pelt
