// Imai and Iri, "Computational-geometric methods for polygonal approximations of a curve" (1986), ask for the
// fewest points of a polyline that stay within a tolerance of it; here each run is made as long as it goes.
#include "thin_keys.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "track.h"

namespace pelt {
namespace {

// Cosine of half the largest turn between keys, about 169 degrees: at 180 the shortest path changes sides.
constexpr double kLeastDot = 0.1;

/// How far one value lies from another; the angle between rotations.
double distance(const Track& track, const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const double straight = (a - b).norm();
  if (track.path != TrackPath::rotation) return straight;
  return 4 * std::asin(std::min(1.0, std::min(straight, (a + b).norm()) / 2));
}

/// Can all keys between `from` and `to` be left out?
bool dispensable(const Track& track, int from, int to, double tolerance) {
  const Track ends = with_keys(track, {from, to});
  Eigen::VectorXd previous = track.values.col(from);
  for (int k = from + 1; k <= to; ++k) {
    if (track.path == TrackPath::rotation) {
      Eigen::VectorXd q = track.values.col(k);
      if (q.dot(previous) < 0) q = -q;
      if (q.dot(track.values.col(from)) < kLeastDot) return false;
      previous = q;
    }
    if (k < to && !(distance(track, sample(ends, track.times[k]), track.values.col(k)) <= tolerance))
      return false;
  }
  return true;
}

/// A key after `from` up to which all between can be left out: runs are doubled, then halved.
int farthest(const Track& track, int from, double tolerance) {
  const int last = static_cast<int>(track.times.size()) - 1;
  int reached = from + 1, step = 1;
  while (reached < last && dispensable(track, from, std::min(reached + step, last), tolerance)) {
    reached = std::min(reached + step, last);
    step *= 2;
  }
  for (step /= 2; step > 0; step /= 2)
    if (reached + step < last && dispensable(track, from, reached + step, tolerance)) reached += step;
  return reached;
}

}  // namespace

std::vector<int> choose_keys(const Track& track, double tolerance) {
  std::vector<int> keys{0};
  const int last = static_cast<int>(track.times.size()) - 1;
  while (keys.back() < last) keys.push_back(farthest(track, keys.back(), tolerance));
  return keys;
}

Track with_keys(const Track& track, const std::vector<int>& keys) {
  Track few;
  few.node = track.node, few.path = track.path, few.interpolation = track.interpolation;
  few.values = track.values(Eigen::all, keys);
  for (const int k : keys) few.times.push_back(track.times[k]);
  return few;
}

}  // namespace pelt
