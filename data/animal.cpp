// The skin as an implicit surface of blended skeleton primitives: Bloomenthal and Shoemake, "Convolution
// surfaces" (1991) for the idea of a skin around a skeleton; the fillet is the quadratic smooth minimum of
// Quilez, "Smooth minimum" (2013).

#include "animal.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pelt {
namespace {

/// Radius at the place of the axis nearest to p, and the distance of p from there.
struct AxisDistance {
  double radius, distance;
};

AxisDistance axis_distance(const Capsule& capsule, const Eigen::Vector3d& p) {
  const Eigen::Vector3d axis = capsule.b - capsule.a;
  const double along = std::clamp((p - capsule.a).dot(axis) / axis.squaredNorm(), 0.0, 1.0);
  return {capsule.radius_a + along * (capsule.radius_b - capsule.radius_a),
          (p - capsule.a - along * axis).norm()};
}

double capsule_field(const Capsule& capsule, const Eigen::Vector3d& p) {
  const AxisDistance at = axis_distance(capsule, p);
  return at.distance - at.radius;
}

double smooth_min(double a, double b, double width) {
  const double overlap = std::max(width - std::abs(a - b), 0.0) / width;
  return std::min(a, b) - 0.25 * width * overlap * overlap;
}

void add_trunk(const Landmarks& at, std::vector<Capsule>& shape) {
  const BodyPart limb = BodyPart::trunk;
  const Eigen::Vector3d down{0, -1, 0};
  shape.push_back({at.pelvis, at.loin, 0.185, 0.170, 0.10, limb});
  shape.push_back({at.loin, at.thorax, 0.170, 0.195, 0.10, limb});
  shape.push_back({at.thorax, at.withers, 0.195, 0.185, 0.10, limb});
  shape.push_back({at.withers + 0.16 * down, at.loin + 0.10 * down, 0.205, 0.165, 0.12, limb});
  shape.push_back({at.withers, at.neck_base, 0.185, 0.165, 0.10, limb});
}

void add_head(const Landmarks& at, std::vector<Capsule>& shape) {
  const BodyPart limb = BodyPart::head;
  shape.push_back({at.neck_base, at.neck_mid, 0.165, 0.120, 0.12, limb});
  shape.push_back({at.neck_mid, at.poll, 0.120, 0.098, 0.08, limb});
  shape.push_back({at.poll, at.muzzle, 0.098, 0.056, 0.06, limb});
  shape.push_back({at.jaw, at.chin, 0.085, 0.044, 0.06, limb});
}

/// A chain of capsules through the places, from radius to radius.
void add_chain(const std::vector<Eigen::Vector3d>& places, const std::vector<double>& radii, BodyPart limb,
               std::vector<Capsule>& shape) {
  const double first_blend = 0.12, next_blend = 0.05;
  for (std::size_t k = 0; k + 1 < places.size(); ++k)
    shape.push_back(
        {places[k], places[k + 1], radii[k], radii[k + 1], k == 0 ? first_blend : next_blend, limb});
}

void add_side(const Landmarks& at, bool left, std::vector<Capsule>& shape) {
  std::vector<Eigen::Vector3d> fore{at.scapula, at.shoulder,     at.elbow,
                                    at.carpus,  at.fore_fetlock, at.fore_toe};
  std::vector<Eigen::Vector3d> hind{at.hip, at.stifle, at.hock, at.hind_fetlock, at.hind_toe};
  std::vector<Eigen::Vector3d> ear{at.ear_base, at.ear_tip};
  if (!left)
    for (auto* chain : {&fore, &hind, &ear})
      for (auto& place : *chain) place = mirrored(place);
  add_chain(fore, {0.110, 0.125, 0.100, 0.058, 0.047, 0.045},
            left ? BodyPart::fore_left : BodyPart::fore_right, shape);
  add_chain(hind, {0.150, 0.115, 0.058, 0.048, 0.045}, left ? BodyPart::hind_left : BodyPart::hind_right,
            shape);
  shape.push_back({ear[0], ear[1], 0.044, 0.024, 0.04, BodyPart::head});
}

}  // namespace

std::vector<Capsule> animal_shape() {
  const Landmarks at;
  std::vector<Capsule> shape;
  add_trunk(at, shape);
  add_head(at, shape);
  add_chain({at.pelvis, at.dock}, {0.150, 0.070}, BodyPart::trunk, shape);
  add_chain({at.dock, at.tail_1, at.tail_2, at.tail_tip}, {0.065, 0.052, 0.050, 0.034}, BodyPart::tail,
            shape);
  add_side(at, true, shape);
  add_side(at, false, shape);
  return shape;
}

double field(const std::vector<Capsule>& shape, const Eigen::Vector3d& p) {
  double value = capsule_field(shape.front(), p);
  for (std::size_t k = 1; k < shape.size(); ++k)
    value = smooth_min(value, capsule_field(shape[k], p), shape[k].blend);
  return value;
}

Eigen::Vector3d field_gradient(const std::vector<Capsule>& shape, const Eigen::Vector3d& p) {
  const double step = 1e-5;
  Eigen::Vector3d gradient;
  for (int axis = 0; axis < 3; ++axis) {
    const Eigen::Vector3d offset = step * Eigen::Vector3d::Unit(axis);
    gradient[axis] = (field(shape, p + offset) - field(shape, p - offset)) / (2 * step);
  }
  return gradient;
}

NearestCapsule nearest_capsule(const std::vector<Capsule>& shape, const Eigen::Vector3d& p) {
  NearestCapsule nearest;
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& capsule : shape) {
    const AxisDistance at = axis_distance(capsule, p);
    if (at.distance - at.radius >= smallest) continue;
    smallest = at.distance - at.radius;
    nearest = {capsule.limb, at.radius};
  }
  return nearest;
}

Eigen::Vector3d closest_on_segment(const Eigen::Vector3d& p, const Eigen::Vector3d& a,
                                   const Eigen::Vector3d& b) {
  const Eigen::Vector3d axis = b - a;
  return a + std::clamp((p - a).dot(axis) / axis.squaredNorm(), 0.0, 1.0) * axis;
}

}  // namespace pelt
