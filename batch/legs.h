#pragma once

#include <vector>

#include "limbs.h"

namespace pelt {

/// A limb that stands on the ground.
struct Leg {
  int limb = -1;              ///< in Limbs
  std::vector<int> joints;    ///< from the hip to the first of the foot, or the limb's last
  std::vector<double> bends;  ///< deviations from straight where bones meet above the foot, degrees
  bool weighted = true;       ///< every bone between hip and foot has a joint with weights
};

/// What legs are found by.
struct Stand {
  Plane plane;
  Eigen::Vector3d up = Eigen::Vector3d::UnitY();
  double ground = 0;  ///< the lowest point of the surface, along `up`
  double height = 0;  ///< of the surface
  double diag = 0;
};

/// Legs are the limbs that come down from the body beside the mirror plane; docs/rig-health.md says how far.
std::vector<Leg> legs_of(const Bones& bones, const Limbs& limbs, const Stand& stand);

/// The largest distance of a leg's joint, mirrored, from the nearest joint of the leg that mirrors it best.
/// Both ways, so that legs of different joints never agree. Of more than 64 legs only those whose hips mirror
/// a leg's best are asked. Unit of the model. \pre legs is not empty
double leg_asymmetry(const Bones& bones, const std::vector<Leg>& legs, const Plane& plane);

}  // namespace pelt
