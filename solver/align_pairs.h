#pragma once

#include <Eigen/Core>
#include <vector>

#include "closest_point.h"

namespace pelt {

/// A surface made ready to be laid on another, in its own space.
struct AlignSide {
  const IndexedSurface& on;
  Eigen::Matrix3Xd normals;    ///< of the triangles
  Eigen::Matrix3Xd few, many;  ///< area samples
};

/// Closest points of two surfaces, a column a pair, in the artist's space: first the rig's samples with the
/// artist's surface, then as many of the artist's samples with the rig's surface.
struct ClosestPairs {
  Eigen::Matrix3Xd rig, artist;
  Eigen::Matrix3Xd normal;  ///< of the surface at its closest point, either sign; zero where it has none
  Eigen::VectorXd distance;
  std::vector<int> triangle;  ///< that holds the closest point
};

enum class Samples { few, many };

/// `before` are the triangles that another place of the rig had, or nothing; the nearer that place, the
/// faster.
ClosestPairs closest_pairs(const AlignSide& artist, const AlignSide& rig,
                           const Eigen::Matrix4d& artist_from_rig, Samples samples,
                           const std::vector<int>& before = {});

/// Mean distance of both sides, distances counting as no more than `far`.
double two_sided_gap(const ClosestPairs& pairs, double far);

/// The same with nothing looked for beyond `far`, which is fast from afar.
double two_sided_gap(const AlignSide& artist, const AlignSide& rig, const Eigen::Matrix4d& artist_from_rig,
                     double far);

/// 1 for pairs to be fitted, 0 for others: a side keeps its nearest nine tenths.
Eigen::VectorXd nearest_pairs(const ClosestPairs& pairs);

/// Of these only what is no farther than three medians or `coincidence`, so that a few parts without a
/// counterpart pull on nothing where the rest coincides.
Eigen::VectorXd agreeing_pairs(const ClosestPairs& pairs, double coincidence);

/// A similarity near identity, in the artist's space, that takes the rig's points of the pairs onto the
/// planes of their partners: one Gauss-Newton step. \pre diag > 0
Eigen::Matrix4d step_to_planes(const ClosestPairs& pairs, const Eigen::VectorXd& weights, double diag);

}  // namespace pelt
