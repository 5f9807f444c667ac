#pragma once

#include <vector>

#include "newton.h"
#include "solve.h"

namespace pelt {

/// Where a start led in one frame: to a minimum, unless its outcome says otherwise.
struct Candidate {
  Pose pose;  ///< over the unknowns, solve units
  NewtonOutcome outcome;
  Start start = Start::linear;
};

/// Is a lower than b by more than two roads to one minimum differ?
bool lower(const Candidate& a, const Candidate& b, const FrameMoments& frame);

/// \pre there is one
double least_energy(const std::vector<Candidate>& candidates);

/// What one thread needs to solve frames.
class FrameSolver {
 public:
  FrameSolver(const System& system, const SolveSettings& settings);

  /// Sweeps, then polishes. `known`: a minimum of this frame, nullptr if there is none yet; it is returned
  /// where the road from `from` leads to it.
  Candidate operator()(const FrameMoments& frame, const Pose& from, Start start, const Candidate* known);

  /// An answer of another frame as it stands here.
  Candidate judge(const FrameMoments& frame, const Candidate& other);

 private:
  void sweep_some(const FrameMoments& frame, Start start, Pose& pose) const;

  const System& system_;
  const SolveSettings& settings_;
  NewtonSolver newton_;
};

}  // namespace pelt
