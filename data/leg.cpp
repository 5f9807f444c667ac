#include "leg.h"

#include <algorithm>
#include <cmath>

namespace pelt {
namespace {

/// Places in the vertical plane of travel: y, then z. A turn about x adds to the angle.
using Plane = Eigen::Vector2d;

Plane plane(const Eigen::Vector3d& p) { return p.tail<2>(); }
double angle(const Plane& v) { return std::atan2(v[1], v[0]); }
Plane turned(const Plane& v, double by) { return Eigen::Rotation2Dd(by) * v; }
double between_pi(double turn) { return std::remainder(turn, 6.283185307179586); }

/// Turns of two bones a and b, joined end to end, that put the end of b at `target`; the knee stays on its
/// side.
std::array<double, 2> reach(const Plane& a, const Plane& b, const Plane& target) {
  const double most = 0.998 * (a.norm() + b.norm());
  const double distance = std::min(target.norm(), most);
  const double cosine = (a.squaredNorm() + distance * distance - b.squaredNorm()) / (2 * a.norm() * distance);
  const double side = between_pi(angle(a) - angle(a + b)) > 0 ? 1 : -1;
  const double knee = angle(target) + side * std::acos(std::clamp(cosine, -1.0, 1.0));
  const Plane upper = a.norm() * Plane(std::cos(knee), std::sin(knee));
  const Plane lower = distance / target.norm() * target - upper;
  return {between_pi(knee - angle(a)), between_pi(angle(lower) - angle(b))};
}

}  // namespace

LegJoints leg_joints(const Skeleton& artist, bool fore, bool left) {
  const std::array<std::string, 4> names =
      fore ? std::array<std::string, 4>{"UpperArm", "Forearm", "ForeCannon", "ForeFoot"}
           : std::array<std::string, 4>{"Thigh", "Shin", "HindCannon", "HindFoot"};
  LegJoints joints;
  for (int k = 0; k < 4; ++k) joints[k] = joint_named(artist, names[k] + (left ? ".L" : ".R"));
  return joints;
}

void place_leg(const Skeleton& skeleton, const LegJoints& leg, const FootPath& path,
               std::vector<Eigen::Isometry3d>& motions) {
  std::array<Plane, 4> bind;
  for (int k = 0; k < 4; ++k) bind[k] = plane(skeleton[leg[k]].origin);
  const Eigen::Isometry3d& above = motions[skeleton[leg[0]].parent];
  const Plane top = plane(above * skeleton[leg[0]].origin), fetlock = bind[3] + path.way;
  const double swing = between_pi(angle(fetlock - top) - angle(bind[3] - bind[0]));
  const double cannon = swing + path.cannon_turn;
  const Plane hock = fetlock - turned(bind[3] - bind[2], cannon);
  const auto upper = reach(bind[1] - bind[0], bind[2] - bind[1], hock - top);
  const std::array<double, 4> turns{upper[0], upper[1], cannon, path.foot_turn};
  for (int k = 0; k < 4; ++k) {
    const Joint& joint = skeleton[leg[k]];
    Eigen::Isometry3d& motion = motions[leg[k]];
    motion = Eigen::AngleAxisd(turns[k], Eigen::Vector3d::UnitX());
    motion.translation() = motions[joint.parent] * joint.origin - motion.linear() * joint.origin;
  }
}

}  // namespace pelt
