#pragma once

#include <cstddef>
#include <vector>

#include "../solver/local_model.h"
#include "motive.h"

namespace pelt {

/// How much memory a solve may take that files of so many bytes ask for: so much that files under 1 MiB are
/// solved in 512 MiB altogether.
std::size_t justified_bytes(std::size_t file_bytes);

/// Frames of the clips that are solved.
struct SolvedFrames {
  std::size_t all = 0;
  std::size_t longest = 0;  ///< of one clip: clips are solved a few at a time
  bool by_fps = false;      ///< as many as the user asked for, whatever the file holds
};

/// Before a solve takes memory. \throw ReadError naming the rig where its joints share so many vertices, or
/// there are so many frames, that the files do not justify it; UsageError where the user's frames are too
/// many
void check_solve_size(const Motive& motive, const RigFile& rig, Freedom freedom, const SolvedFrames& frames);

}  // namespace pelt
