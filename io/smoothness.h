#pragma once

#include <Eigen/Core>
#include <vector>

#include "transfer.h"

namespace pelt {

/// The largest acceleration of points whose positions come frame by frame: second divided differences over
/// the frames' own times, 2 ((x2 - x1) / (t2 - t1) - (x1 - x0) / (t1 - t0)) / (t2 - t0).
class LargestAcceleration {
 public:
  /// Takes the next frame, 3 x N. Points that do not count are not looked at. \pre times increase.
  void add(double time, const Eigen::Matrix3Xd& points, const std::vector<int>& counted);

  double value() const { return largest_; }  ///< length per s^2; 0 before three frames

 private:
  std::vector<double> times_;             // at most two
  std::vector<Eigen::Matrix3Xd> frames_;  // as many
  double largest_ = 0;
};

/// Fills acceleration.joints of a clip from the joints as the written file moves them, at its sampled keys: a
/// joint stands where its motion carries the centroid of the rest points that it holds, each weighted by its
/// share of the surface and its weight. Joints without such points or under a singular rest transform are
/// left out.
void measure_smoothness(const RigFile& rig, const Scene& written, const Clip& written_clip,
                        const MeasureSettings& measure, ClipTransfer& clip);

}  // namespace pelt
