#pragma once

#include <string>

#include "../io/bake.h"

namespace pelt {

/// What a pack of a rig is made of.
struct RigPackInput {
  const Scene& artist;
  const RigFile& rig;
  const BakeResult& result;
  Weighting weighting = Weighting::area;
  int max_influences = 0;  ///< as in BakeOptions
};

/// The rig's surface, its motion in every mode as it was written and read again, and where its vertices
/// belong on the artist's, as the text of a pack (docs/page.md).
std::string rig_pack(const RigPackInput& input);

}  // namespace pelt
