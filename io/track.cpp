// glTF 2.0 specification, appendix C (animation interpolation): C.2 step, C.3 linear, C.4 slerp, C.5 cubic
// spline.
#include "track.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace pelt {
namespace {

Eigen::Quaterniond rotation_at(const Track& track, Eigen::Index key) {
  return Eigen::Quaterniond(Eigen::Vector4d(track.values.col(key)));
}

template <class Value>
Value linear(const Track& track, Eigen::Index key, double fraction) {
  if (track.path != TrackPath::rotation)
    return (1 - fraction) * track.values.col(key) + fraction * track.values.col(key + 1);
  return rotation_at(track, key).slerp(fraction, rotation_at(track, key + 1)).normalized().coeffs();
}

/// Hermite spline; the tangents are per second, so the length of the interval scales them.
template <class Value>
Value cubic(const Track& track, Eigen::Index key, double interval, double s) {
  const double s2 = s * s, s3 = s2 * s;
  Value value = (2 * s3 - 3 * s2 + 1) * track.values.col(key) +
                interval * (s3 - 2 * s2 + s) * track.out_tangents.col(key) +
                (3 * s2 - 2 * s3) * track.values.col(key + 1) +
                interval * (s3 - s2) * track.in_tangents.col(key + 1);
  if (track.path == TrackPath::rotation) value.normalize();
  return value;
}

template <class Value>
Value value_at(const Track& track, double time) {
  const auto after = std::upper_bound(track.times.begin(), track.times.end(), time,
                                      [](double t, float key) { return t < static_cast<double>(key); });
  if (after == track.times.begin()) return track.values.col(0);
  const Eigen::Index key = after - track.times.begin() - 1;
  const double start = track.times[key];
  if (after == track.times.end() || time == start || track.interpolation == Interpolation::step)
    return track.values.col(key);

  const double interval = *after - start, fraction = (time - start) / interval;
  return track.interpolation == Interpolation::cubic ? cubic<Value>(track, key, interval, fraction)
                                                     : linear<Value>(track, key, fraction);
}

}  // namespace

Eigen::VectorXd sample(const Track& track, double time) { return value_at<Eigen::VectorXd>(track, time); }

TrsValue sample_trs(const Track& track, double time) { return value_at<TrsValue>(track, time); }

bool same(const std::vector<Track>& a, const std::vector<Track>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Track& x, const Track& y) {
    return x.node == y.node && x.path == y.path && x.interpolation == y.interpolation && x.times == y.times &&
           x.values == y.values;
  });
}

}  // namespace pelt
