#pragma once

#include "rig_dump.h"

namespace pelt::bench {

struct AnimalPlan {
  int vertices = 5000, joints = 30, frames = 24;
};

/// A made-up animal of tubes around a tree of joints (a spine with chains of four below it), moved by rigid
/// joint motions that its own weights reproduce exactly; 3.2 influences a vertex on average. The same for
/// the same plan. \pre at least one joint, vertex and frame
RigDump exact_animal(const AnimalPlan& plan);

/// The same surface under other weights: another rig of the animal.
RigDump other_rig(const RigDump& animal);

}  // namespace pelt::bench
