#pragma once

#include "../io/bake.h"
#include "page.h"

namespace pelt {

/// What a page shows of a bake; names and pointers into the report are left to the caller.
PageRig page_rig(const ArtistSession& artist, const RigFile& rig, const BakeOptions& options,
                 const BakeResult& result);

}  // namespace pelt
