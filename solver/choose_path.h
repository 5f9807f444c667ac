#pragma once

#include <vector>

#include "frame_solver.h"

namespace pelt {

/// Chooses one candidate a frame so that the joints move least from frame to frame, among those whose energy
/// is that of the frame's best but for a few parts in ten thousand: where two minima are as good as each
/// other, the answer does not jump between them. Returns indices into `candidates`, a frame each.
///
/// `loop`: the last frame has the targets of the first, and gets the same candidate.
/// \pre every frame has a candidate; with `loop` the first and the last frame have the same candidates
std::vector<int> choose_path(const System& system, const std::vector<FrameMoments>& frames,
                             const std::vector<std::vector<Candidate>>& candidates, bool loop);

/// The energy up to which a candidate is as good as the best.
double as_good_as(double best_energy, const FrameMoments& frame);

}  // namespace pelt
