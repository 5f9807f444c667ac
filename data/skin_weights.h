#pragma once

#include <Eigen/Core>
#include <vector>

#include "../solver/surface.h"
#include "skeleton.h"

namespace pelt {

/// Weights of joints (rows) at vertices (columns); columns sum to 1.
using WeightMatrix = Eigen::MatrixXd;

/// The limb each vertex belongs to.
std::vector<BodyPart> limbs_of(const Surface& skin, const std::vector<Capsule>& shape);

/// Smooth weights: each vertex starts with the nearest bone of its limb, then heat flows along the skin
/// between the bones. Paired joints have no weight on the other side of the plane x = 0, and none on it.
WeightMatrix heat_weights(const Surface& skin, const std::vector<BodyPart>& limbs, const Skeleton& skeleton);

/// The weights after `rounds` of averaging with the neighbours on the skin.
WeightMatrix blurred(const WeightMatrix& weights, const Surface& skin, int rounds);

struct ScatterSettings {
  unsigned seed = 20240607;
  int patches = 60;
  int rings = 3;       ///< a patch is all vertices within so many edges of its middle
  double share = 0.6;  ///< of the weight that goes to the wrong joint
};

/// The weights with seeded patches that follow a joint of another limb.
WeightMatrix scattered(const WeightMatrix& weights, const Surface& skin, const Skeleton& skeleton,
                       const ScatterSettings& settings = {});

/// The four largest weights of each vertex as a file stores them; largest first, empty slots are joint 0 with
/// weight 0.
struct PackedWeights {
  Eigen::Matrix<int, 4, Eigen::Dynamic> joint;
  Eigen::Matrix<float, 4, Eigen::Dynamic> weight;  ///< sums to 1 in float, least first
};
PackedWeights packed(const WeightMatrix& weights);

}  // namespace pelt
