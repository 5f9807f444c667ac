#pragma once

#include <Eigen/Core>
#include <optional>

#include "bones.h"

namespace pelt {

/// Points x with normal . x = offset, model space.
struct Plane {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();
  double offset = 0;

  double height(const Eigen::Vector3d& x) const { return normal.dot(x) - offset; }
  Eigen::Vector3d mirrored(const Eigen::Vector3d& x) const { return x - 2 * height(x) * normal; }
};

/// The plane in which the skeleton is most nearly its own mirror image, however bad that is; none where it
/// has fewer than two ends. `diag`: of the rest surface.
std::optional<Plane> mirror_plane(const Bones& bones, double diag);

}  // namespace pelt
