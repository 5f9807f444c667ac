#pragma once

#include "clip_work.h"

namespace pelt {

/// A clip whose last frame has the targets of its first may end as it began: sets `loop`, and both frames
/// have the same candidates in the same order. Targets that differ by the rounding of a file are the same
/// ones too; then the candidates of the last frame are those of the first where they show an error that
/// nobody can tell from the least, else what they lead to.
void close_loop(FrameSolver& solver, ClipWork& w);

}  // namespace pelt
