#pragma once

#include <Eigen/Core>
#include <vector>

namespace pelt {

/// Places of the animal that shape and skeletons share: metres, y up, facing +z, so the left side is +x.
/// Paired places are those of the left side; `mirrored` gives the right.
struct Landmarks {
  Eigen::Vector3d trunk{0, 0.92, -0.08};
  Eigen::Vector3d pelvis{0, 1.00, -0.50}, loin{0, 1.02, -0.24}, thorax{0, 1.00, 0.05}, withers{0, 1.02, 0.30};
  Eigen::Vector3d neck_base{0, 1.04, 0.44}, neck_mid{0, 1.23, 0.62}, poll{0, 1.44, 0.78},
      muzzle{0, 1.23, 1.13};
  Eigen::Vector3d jaw{0, 1.34, 0.84}, chin{0, 1.18, 1.06};
  Eigen::Vector3d ear_base{0.060, 1.50, 0.75}, ear_tip{0.090, 1.65, 0.77};
  Eigen::Vector3d dock{0, 1.08, -0.66}, tail_1{0, 0.98, -0.84}, tail_2{0, 0.76, -0.93},
      tail_tip{0, 0.57, -0.95};
  Eigen::Vector3d scapula{0.10, 1.10, 0.28}, shoulder{0.15, 0.82, 0.42}, elbow{0.155, 0.66, 0.27};
  Eigen::Vector3d carpus{0.15, 0.38, 0.31}, fore_fetlock{0.145, 0.12, 0.29}, fore_toe{0.145, 0.045, 0.36};
  Eigen::Vector3d hip{0.12, 0.98, -0.50}, stifle{0.16, 0.69, -0.36}, hock{0.15, 0.44, -0.64};
  Eigen::Vector3d hind_fetlock{0.145, 0.12, -0.60}, hind_toe{0.145, 0.045, -0.53};
};

/// The same place on the other side of the plane x = 0.
inline Eigen::Vector3d mirrored(const Eigen::Vector3d& p) { return {-p.x(), p.y(), p.z()}; }

/// Parts of the body that move as chains of their own.
enum class BodyPart { trunk, head, tail, fore_left, fore_right, hind_left, hind_right };

inline bool is_leg(BodyPart limb) { return limb >= BodyPart::fore_left; }

/// A tapered capsule: all points nearer to the segment from a to b than the radius that goes linearly from
/// radius_a to radius_b.
struct Capsule {
  Eigen::Vector3d a, b;
  double radius_a, radius_b;
  double blend;  ///< width of the fillet towards the capsules before it, metres
  BodyPart limb;
};

/// The whole animal, both sides.
std::vector<Capsule> animal_shape();

/// Negative inside, positive outside, zero on the skin; close to the distance near the skin.
/// Uses only + - * / and square roots, so that it is the same number on every IEEE machine.
double field(const std::vector<Capsule>& shape, const Eigen::Vector3d& p);

/// Gradient of the field by central differences.
Eigen::Vector3d field_gradient(const std::vector<Capsule>& shape, const Eigen::Vector3d& p);

/// The capsule whose surface is nearest, and its radius there.
struct NearestCapsule {
  BodyPart limb = BodyPart::trunk;
  double radius = 0;
};
NearestCapsule nearest_capsule(const std::vector<Capsule>& shape, const Eigen::Vector3d& p);

/// Closest point of the segment from a to b.
Eigen::Vector3d closest_on_segment(const Eigen::Vector3d& p, const Eigen::Vector3d& a,
                                   const Eigen::Vector3d& b);

}  // namespace pelt
