#pragma once

#include <vector>

#include "transfer.h"

namespace pelt {

/// Middles of the intervals inside which the written clip strays farther than at their ends, by more than
/// `tolerance` in % of diag. \pre clip.keys and clip.between are figures at all of clip.times
std::vector<float> missing_keys(const ClipTransfer& clip, double tolerance);

/// Adds to times that ascend. Returns for each then where it was before, -1 for the new ones.
std::vector<int> insert_keys(const std::vector<float>& added, std::vector<float>& times);

}  // namespace pelt
