#pragma once

#include <Eigen/Core>
#include <vector>

#include "transfer.h"

namespace pelt {

/// Points at a time, 3 x N.
struct PointsInTime {
  double time;
  const Eigen::Matrix3Xd& points;
};

/// The largest acceleration, length per s^2, of the points that count, from three frames whose times
/// increase: the second divided difference 2 ((x2 - x1) / (t2 - t1) - (x1 - x0) / (t1 - t0)) / (t2 - t0).
/// Other points are not looked at.
double largest_acceleration(const PointsInTime& first, const PointsInTime& second, const PointsInTime& third,
                            const std::vector<int>& counted);

/// Fills acceleration.joints of a clip from the joints as the written file moves them, at its sampled keys:
/// the root mean square acceleration of the rest points that a joint holds, carried by it alone, each
/// weighted by its share of the surface and its weight. So a turn about their midst counts. Joints without
/// such points or under a singular rest transform are left out.
void measure_smoothness(const RigFile& rig, const Scene& written, const Clip& written_clip,
                        const MeasureSettings& measure, ClipTransfer& clip);

}  // namespace pelt
