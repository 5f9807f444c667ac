#pragma once

#include <Eigen/SparseCholesky>

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
  Eigen::SparseMatrix<double> surface_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor_;
};

/// Each affine motion's nearest rigid motion over the joint's own support.
Pose nearest_rigid(const System& system, const Pose& affine);

}  // namespace pelt
