#pragma once

#include "bake.h"

namespace pelt {

/// Measures the clips that a rig's file has already, whoever made them, against the artist's of the same
/// names: nothing is solved or written. Of the options files, clips, matching, weighting and rate count. In
/// the result there is no control, and clips have no floor and no solved frames. \throw as bake(); NoSuchClip
/// also where the rig's file lacks a clip that was asked for, or all of the artist's
BakeResult appraise(ArtistSession& artist, const RigFile& rig, const BakeOptions& options);

}  // namespace pelt
