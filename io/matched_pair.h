#pragma once

#include <string>
#include <vector>

#include "bake.h"

namespace pelt {

/// Artist and rig, checked and matched, with nothing solved yet. \throw ReadError, InvalidInput,
/// NoCorrespondence
BakeResult matched_pair(const ArtistSession& artist, const RigFile& rig, const BakeOptions& options,
                        const std::vector<int>& clips);

/// \throw ReadError where the file has no skin, or none that can be matched
void check_is_rig(const RigFile& file);

/// The file's own warnings, or with `strict` the first of them as an error.
void take_warnings(const Scene& scene, bool strict, std::vector<std::string>& warnings);

/// Of the rig's joints; "#node" where a node has none.
std::vector<std::string> names_of_joints(const RigFile& file);

}  // namespace pelt
