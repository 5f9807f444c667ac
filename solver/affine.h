#pragma once

#include "block_cholesky.h"
#include "system.h"

namespace pelt {

/// The regularised 4B x 4B normal matrix, factored once for all frames.
class AffineSolver {
 public:
  explicit AffineSolver(const System& system);

  /// The best affine motions of a frame: no rigid answer has a smaller RMS (the floor). Solve units, over the
  /// unknowns.
  Pose solve(const FrameMoments& frame) const;

 private:
  const System& system_;
  BlockCholesky<4> factor_;
  bool factored_ = false;
};

/// Each affine motion's nearest rigid motion over the joint's own support.
Pose nearest_rigid(const System& system, const Pose& affine);

}  // namespace pelt
