#include "legs.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>
#include <optional>
#include <tuple>

#include "point_tree.h"

namespace pelt {
namespace {

constexpr double kBeside = 0.02;           // of diag: a foot is at least as far from the mirror plane
constexpr double kGirdle = 0.04;           // of diag, or half a foot's: what is nearer joins leg and trunk
constexpr double kEnd = 0.18, kHip = 0.2;  // of the surface's height: at most, at least
constexpr double kComesDown = 0.5;         // of the hip's height
constexpr double kFoot = 0.15;             // of the limb's: a joint so low belongs to the foot
constexpr Eigen::Index kPartners = 64;     // legs that may mirror one: those whose hips do best
constexpr double kShort = 0.05;            // of the leg's length: no bone that could bend

/// A place where bones meet: one joint, or several so close that they turn as one.
struct Knot {
  Eigen::Vector3d place;
  bool weighted = false;
};

double above_ground(const Stand& stand, const Eigen::Vector3d& p) { return stand.up.dot(p) - stand.ground; }

/// The joints of a limb down to the first one of its foot, and where their bones meet: at the joints, and at
/// the tip where there is no foot.
struct Way {
  std::vector<int> joints;
  std::vector<Knot> knots;
};

Way way_down(const Bones& bones, const Limb& limb, const Stand& stand) {
  Way way;
  double top = 0;
  for (const int j : limb.joints) {
    const double height = above_ground(stand, bones.origin.col(j));
    top = std::max(top, height);
    way.joints.push_back(j);
    way.knots.push_back({bones.origin.col(j), bones.weighted[j] != 0});
    if (height <= kFoot * top) return way;
  }
  way.knots.push_back({bones.tip.col(limb.joints.back())});
  return way;
}

/// Of the knots of a limb the first that is no girdle; none where the limb does not stand on the ground.
std::optional<std::size_t> hip_of(const std::vector<Knot>& knots, const Stand& stand) {
  const double beside = std::abs(stand.plane.height(knots.back().place));
  if (beside < kBeside * stand.diag) return std::nullopt;
  std::size_t k = 0;
  while (std::abs(stand.plane.height(knots[k].place)) < std::min(kGirdle * stand.diag, beside / 2)) ++k;
  const double hip = above_ground(stand, knots[k].place), foot = above_ground(stand, knots.back().place);
  if (hip < kHip * stand.height || foot > kEnd * stand.height || foot > kComesDown * hip) return std::nullopt;
  return k;
}

double length_of(const std::vector<Knot>& knots) {
  double length = 0;
  for (std::size_t k = 1; k < knots.size(); ++k) length += (knots[k].place - knots[k - 1].place).norm();
  return length;
}

/// Joints that are no farther than `least` from the one before turn as one with it; a last bone that short is
/// left out.
std::vector<Knot> merged(const std::vector<Knot>& knots, double least) {
  std::vector<Knot> kept{knots.front()};
  for (std::size_t k = 1; k < knots.size(); ++k) {
    if ((knots[k].place - kept.back().place).norm() > least)
      kept.push_back(knots[k]);
    else
      kept.back().weighted |= knots[k].weighted;
  }
  return kept;
}

double deviation(const Eigen::Vector3d& before, const Eigen::Vector3d& at, const Eigen::Vector3d& after) {
  const Eigen::Vector3d in = at - before, out = after - at;
  return std::atan2(in.cross(out).norm(), in.dot(out)) * 180 / std::numbers::pi;
}

void judge(const std::vector<Knot>& all, Leg& leg) {
  const std::vector<Knot> knots = merged(all, kShort * length_of(all));
  for (std::size_t k = 1; k + 1 < knots.size(); ++k)
    leg.bends.push_back(deviation(knots[k - 1].place, knots[k].place, knots[k + 1].place));
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) leg.weighted &= knots[k].weighted;
}

/// Where the joints of a leg are, each place once: a tree does not help to tell equal points apart.
Eigen::MatrixXd places_of(const Bones& bones, const Leg& leg) {
  std::vector<int> joints = leg.joints;
  const auto key = [&](int j) {
    return std::tuple(bones.origin(0, j), bones.origin(1, j), bones.origin(2, j));
  };
  std::sort(joints.begin(), joints.end(), [&](int a, int b) { return key(a) < key(b); });
  const auto same = [&](int a, int b) { return key(a) == key(b); };
  joints.erase(std::unique(joints.begin(), joints.end(), same), joints.end());
  return bones.origin(Eigen::all, joints);
}

double farthest_from(const PointTree& from, const PointTree& to, const Plane& plane) {
  double most = 0;
  for (const auto& p : from.points().colwise()) {
    double sq_dist = 0;
    to.nearest(plane.mirrored(p), sq_dist);
    most = std::max(most, sq_dist);
  }
  return std::sqrt(most);
}

}  // namespace

std::vector<Leg> legs_of(const Bones& bones, const Limbs& limbs, const Stand& stand) {
  std::vector<Leg> legs;
  for (std::size_t l = 0; l < limbs.limbs.size(); ++l) {
    const Way way = way_down(bones, limbs.limbs[l], stand);
    const std::optional<std::size_t> hip = hip_of(way.knots, stand);
    if (!hip || *hip >= way.joints.size()) continue;
    const auto first = static_cast<std::ptrdiff_t>(*hip);
    legs.push_back({static_cast<int>(l), {way.joints.begin() + first, way.joints.end()}, {}});
    judge({way.knots.begin() + first, way.knots.end()}, legs.back());
  }
  return legs;
}

double leg_asymmetry(const Bones& bones, const std::vector<Leg>& legs, const Plane& plane) {
  std::deque<PointTree> trees;
  Eigen::MatrixXd hip(3, legs.size());
  for (std::size_t l = 0; l < legs.size(); ++l) {
    trees.emplace_back(places_of(bones, legs[l]));
    hip.col(static_cast<Eigen::Index>(l)) = bones.origin.col(legs[l].joints.front());
  }
  const PointTree hips(hip);
  double most = 0;
  for (std::size_t l = 0; l < legs.size(); ++l) {
    double least = std::numeric_limits<double>::infinity();
    for (const Eigen::Index other :
         hips.nearest(plane.mirrored(hip.col(static_cast<Eigen::Index>(l))), kPartners))
      least = std::min(least, std::max(farthest_from(trees[l], trees[other], plane),
                                       farthest_from(trees[other], trees[l], plane)));
    most = std::max(most, least);
  }
  return most;
}

}  // namespace pelt
