#pragma once

#include <string>

#include "../io/bake.h"

namespace pelt {

/// The artist's surface and its motion over the clips of a bake, as the text of a pack (docs/page.md); the
/// same text for every rig that was baked with the same clips and rate.
std::string artist_pack(const Scene& artist, const BakeResult& result);

/// Times of a clip's keys that figures count.
std::vector<float> counted_times(const ClipTransfer& clip);

}  // namespace pelt
