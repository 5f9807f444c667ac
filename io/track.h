#pragma once

#include <Eigen/Core>
#include <vector>

#include "scene.h"

namespace pelt {

/// Value of a track at a time (seconds): clamped outside its keys, the key itself at exactly its time; LINEAR
/// rotations by shortest-path slerp; the result of a rotation is of unit length. `components` numbers.
Eigen::VectorXd sample(const Track& track, double time);

/// Translation, rotation or scale, held in place: files are sampled many thousand times.
using TrsValue = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 4, 1>;

/// The same. \pre the track is none of morph weights
TrsValue sample_trs(const Track& track, double time);

/// The same keys, value for value?
bool same(const std::vector<Track>& a, const std::vector<Track>& b);

}  // namespace pelt
