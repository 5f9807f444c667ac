#pragma once

#include <Eigen/Core>
#include <optional>

namespace pelt {

/// The similarity (scale, proper rotation or its mirror image, translation) that lays `from` on `to` with the
/// least weighted sum of squares, as a 4x4 matrix. Points are columns; \pre weights >= 0, a weight a point.
/// Empty where the points do not define one: no weight, or all weighted points of a side coincide.
std::optional<Eigen::Matrix4d> fit_similarity(const Eigen::Matrix3Xd& from, const Eigen::Matrix3Xd& to,
                                              const Eigen::VectorXd& weights, bool mirrored = false);

/// Does it reflect? \pre a similarity
bool is_mirror(const Eigen::Matrix4d& similarity);

/// Length in the target space of a unit of the source space. \pre a similarity
double scale_of(const Eigen::Matrix4d& similarity);

}  // namespace pelt
