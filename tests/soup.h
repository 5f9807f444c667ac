#pragma once

#include "data/quadruped.h"

namespace pelt::test {

/// Every triangle with vertices of its own.
inline RiggedSkin soup(const RiggedSkin& rig) {
  const auto corners = rig.skin.triangles.reshaped();
  RiggedSkin split{{rig.skin.positions(Eigen::all, corners), rig.skin.triangles},
                   rig.skeleton,
                   rig.weights(Eigen::all, corners)};
  for (int k = 0; k < split.skin.triangles.size(); ++k) split.skin.triangles(k % 3, k / 3) = k;
  return split;
}

}  // namespace pelt::test
