#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "measure.h"

namespace pelt {

/// Quality as the ratio of two integrals over the surface: 100 (1 - integral |err| dA / integral |target -
/// rest| dA), both vectors linear on each triangle. The sums over vertices of Figures::quality change where a
/// surface is cut finer though it moves as before; these do not.
///
/// Where a clip has more triangles in all its frames than `most`, every so many frames are integrated, and
/// the sums over vertices of all frames are multiplied by the ratio that they have to the integrals there.
class IntegratedQuality {
 public:
  static constexpr std::int64_t kMost = std::int64_t{1} << 20;

  /// Areas as at `settings.rest`; triangles with a corner of weight 0 are left out. The settings must outlive
  /// it.
  IntegratedQuality(const MeasureSettings& settings, const Eigen::Matrix3Xi& triangles, int frames,
                    std::int64_t most = kMost);

  /// Target and actual surface, 3 x V. Threads may add different frames at the same time.
  void add(int frame, const Eigen::Matrix3Xd& target, const Eigen::Matrix3Xd& actual);

  /// In per cent; `figures` are those of the same frames. None where nothing moves or no triangle counts.
  std::optional<double> value(const Figures& figures) const;

 private:
  double mean_distance(const Eigen::Matrix3Xd& a, const Eigen::Matrix3Xd& b) const;

  const MeasureSettings& settings_;
  Eigen::Matrix3Xi corner_;                   // of the triangles that count
  Eigen::VectorXd share_;                     // of the area, of each of them
  Eigen::VectorXd vertex_share_;              // of each vertex: thirds of those of the triangles around it
  int step_ = 1;                              // from one frame that is integrated to the next
  std::vector<double> error_, displacement_;  // means over the area, one an integrated frame, % of diag
};

}  // namespace pelt
