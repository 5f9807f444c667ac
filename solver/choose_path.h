#pragma once

#include <vector>

#include "frame_solver.h"

namespace pelt {

struct PathSettings {
  Freedom freedom = Freedom::free;
  bool loop = false;  ///< the last frame has the targets of the first, and gets the same candidate
};

/// Chooses one candidate a frame so that the joints move least from frame to frame, among those that are as
/// good as the frame's best: the answer does not jump between two minima where nobody sees which of them is
/// lower. Energy above the best counts as way. Returns indices into `candidates`, a frame each.
/// \pre every frame has a candidate; with `loop` the first and the last frame have the same candidates
std::vector<int> choose_path(const System& system, const std::vector<FrameMoments>& frames,
                             const std::vector<std::vector<Candidate>>& candidates,
                             const PathSettings& settings = {});

/// The energy up to which a candidate is as good as the best: RMS errors differ by a thousandth, or, where
/// joints that only turn may have to turn right round to change over, by a fortieth.
double as_good_as(double best_energy, const FrameMoments& frame, Freedom freedom);

}  // namespace pelt
