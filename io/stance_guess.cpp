#include "stance_guess.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "scene_facts.h"

namespace pelt {
namespace {

constexpr int kSamples = 4000;
constexpr double kFeet = 0.03, kHead = 0.15;  // of the height
constexpr double kByFar = 4, kBroad = 0.25;
constexpr double kClear = 0.1;  // of the length
constexpr double kFlat = 1e-3;  // of the longest side

struct Direction {
  int axis = 1;
  double sign = 1;

  std::string name() const { return (sign > 0 ? "+" : "-") + std::string(1, "XYZ"[axis]); }
};

/// Points of the surface in its own box: each coordinate from 0 to 1.
Eigen::Matrix3Xd in_unit_box(const Eigen::Matrix3Xd& points) {
  const Eigen::Vector3d low = points.rowwise().minCoeff();
  const Eigen::Vector3d size = (points.rowwise().maxCoeff() - low).cwiseMax(1e-300);
  return ((points.colwise() - low).array().colwise() / size.array()).matrix();
}

/// The points within `share` of the end of the box that lies against a direction.
Eigen::Matrix3Xd outermost(const Eigen::Matrix3Xd& points, const Direction& away, double share) {
  Eigen::Matrix3Xd kept(3, points.cols());
  Eigen::Index count = 0;
  for (const auto& p : points.colwise())
    if ((away.sign > 0 ? p[away.axis] : 1 - p[away.axis]) < share) kept.col(count++) = p;
  return kept.leftCols(count);
}

/// Which share of the box's face the feet would span if this direction were up.
double footing(const Eigen::Matrix3Xd& points, const Direction& up) {
  const Eigen::Matrix3Xd feet = outermost(points, up, kFeet);
  if (feet.cols() < 4) return 0;
  Eigen::Vector3d size = feet.rowwise().maxCoeff() - feet.rowwise().minCoeff();
  size[up.axis] = 1;
  return size.prod();
}

/// Upside down or on a side is not how files go wrong: Z for up is.
Direction up_of(const Eigen::Matrix3Xd& points, bool level_y = false) {
  Direction best;
  double most = level_y ? -1 : std::max(kByFar * footing(points, best), kBroad);
  for (const double sign : {1.0, -1.0}) {
    const double here = footing(points, {2, sign});
    if (here > most) most = here, best = {2, sign};
  }
  return best;
}

/// How far the surface is from its mirror image along an axis: mean difference of the share of points on
/// either side, over the cells of a coarse grid.
double asymmetry(const Eigen::Matrix3Xd& points, int axis) {
  constexpr int kCells = 8;
  std::array<int, kCells * kCells * kCells> count{};
  const auto cell = [&](const Eigen::Vector3d& p) {
    const Eigen::Vector3i c = (p * kCells).cast<int>().cwiseMax(0).cwiseMin(kCells - 1);
    return (c[0] * kCells + c[1]) * kCells + c[2];
  };
  for (const auto& p : points.colwise()) {
    Eigen::Vector3d mirrored = p;
    mirrored[axis] = 1 - p[axis];
    ++count[cell(p)];
    --count[cell(mirrored)];
  }
  double sum = 0;
  for (const int c : count) sum += std::abs(c);
  return sum / static_cast<double>(points.cols());
}

std::string guess_facing(const Eigen::Matrix3Xd& points, const Eigen::Vector3d& size, const Direction& up) {
  const int one = (up.axis + 1) % 3, other = (up.axis + 2) % 3;
  const int axis = asymmetry(points, one) < asymmetry(points, other) ? other : one;
  const bool upright = size[up.axis] > size[axis];
  const Direction end{up.axis, upright ? up.sign : -up.sign};
  const Eigen::Matrix3Xd tell_tale = outermost(points, end, upright ? kFeet : kHead);
  if (tell_tale.cols() == 0) return "unclear";
  const double ahead = tell_tale.row(axis).mean() - points.row(axis).mean();
  return std::abs(ahead) < kClear ? "unclear" : Direction{axis, ahead}.name();
}

std::string guess_unit(const Eigen::Vector3d& size) {
  const double longest = size.maxCoeff();
  if (std::abs(longest - 1) < 1e-3 || std::abs(longest - 2) < 1e-3) return "unit box";
  if (longest >= 0.1 && longest < 20) return "metres";
  if (longest >= 20 && longest < 2000) return "centimetres";
  return "unclear";
}

bool is_flat(const Eigen::Vector3d& size) { return size.minCoeff() < kFlat * size.maxCoeff(); }

}  // namespace

StanceGuess guess_stance(const Surface& rest) {
  const Eigen::Vector3d size = box_of(rest).sizes();
  if (is_flat(size)) return {guess_unit(size), "unclear", "unclear"};
  const Eigen::Matrix3Xd samples = sample_by_area(rest, kSamples);
  const Eigen::Matrix3Xd points = in_unit_box(samples);
  const Direction up = up_of(points);
  return {guess_unit(size), up.name(), guess_facing(points, size, up)};
}

Eigen::Vector3d guess_up(const Surface& rest, const Eigen::Vector3d& level) {
  const bool level_y = std::abs(level.y()) > std::numbers::sqrt2 / 2;
  if (is_flat(box_of(rest).sizes())) return level_y ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY();
  const Direction up = up_of(in_unit_box(sample_by_area(rest, kSamples)), level_y);
  return up.sign * Eigen::Vector3d::Unit(up.axis);
}

}  // namespace pelt
