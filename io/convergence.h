#pragma once

#include <string>
#include <vector>

#include "transfer.h"

namespace pelt {

/// How near the solver came to its minima.
struct Convergence {
  double gradient = 0;  ///< the largest that is left of any frame
  int open = 0;         ///< frames that the solver gave up on
  int flat = 0;         ///< frames left in a flat valley, see FrameResult::flat
};
Convergence convergence(const ClipTransfer& clip);

/// A sentence for each clip with frames that the solver gave up on.
std::vector<std::string> open_frames(const std::vector<ClipTransfer>& clips);

}  // namespace pelt
