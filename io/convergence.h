#pragma once

#include <string>
#include <vector>

#include "transfer.h"

namespace pelt {

/// How near the solver came to its minima: the largest gradient that is left of any frame, and how many
/// frames it gave up on.
struct Convergence {
  double gradient = 0;
  int open = 0;
};
Convergence convergence(const ClipTransfer& clip);

/// A sentence for each clip with frames that the solver gave up on.
std::vector<std::string> open_frames(const std::vector<ClipTransfer>& clips);

}  // namespace pelt
