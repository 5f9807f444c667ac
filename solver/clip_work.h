#pragma once

#include <vector>

#include "affine.h"
#include "frame_solver.h"
#include "solve.h"

namespace pelt {

/// One clip on its way: its frames and what was found of each.
struct ClipWork {
  System system;  ///< with the clip's price
  double price = 0;
  std::vector<FrameMoments> frames;
  std::vector<Pose> affine;
  std::vector<double> floor_rms;              ///< of the affine motions, fraction of diag
  std::vector<std::vector<Candidate>> found;  ///< a list a frame: different minima, the best first
  std::vector<char> contested;                ///< frames in which not all starts came to the best minimum
  bool loop = false;                          ///< the last frame has the targets of the first
  Earlier earlier;

  const Candidate& best(int f) const { return found[f].front(); }

  /// The frame of the earlier solve that answered this one; -1 where none did, or was left open.
  int answered_by(int f) const;
  bool is_answered(int f) const { return answered_by(f) >= 0; }

  /// No other start can be better: the answer is on the affine floor, below which no answer is. Or none is
  /// asked for.
  bool certain(int f) const;
};

/// Takes a candidate in unless it is known or was given up. True if it is the new best.
bool take(const Candidate& c, int f, ClipWork& w);

/// RMS distance of the surface from its targets, without prices, fraction of diag.
double surface_rms(const System& system, const TargetMoments& targets, int f, const Pose& pose);

/// A clip to solve.
struct ClipOrder {
  const TargetMoments& targets;
  Earlier earlier;
};

/// Moments, the affine floor, and the price that follows from it.
ClipWork make_work(const System& system, const ClipOrder& order, const AffineSolver& affine,
                   const SolveSettings& settings);

}  // namespace pelt
