#pragma once

#include <Eigen/Core>

#include "scene.h"

namespace pelt {

/// The rotation R (det +1) that maximises trace(R^T m): for m = L S it minimises |L - R S| (Frobenius).
/// The identity for a zero matrix.
Eigen::Matrix3d closest_rotation(const Eigen::Matrix3d& m);

/// The TRS of an affine matrix: scale from the column lengths, a mirror on x, the closest rotation. Exact
/// unless there is shear.
Trs nearest_trs(const Eigen::Matrix4d& parent_from_local);

/// TRS of a node at rest, whichever way the file stores it.
Trs rest_trs(const Node& node);

/// Does the affine matrix map space onto a plane, a line or a point, but for rounding? So it is where it is
/// not finite.
bool flattens(const Eigen::Matrix4d& affine);

/// parent_from_local of a node at rest.
Eigen::Matrix4d rest_local(const Node& node);

}  // namespace pelt
