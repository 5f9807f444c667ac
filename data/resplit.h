#pragma once

#include "rig_file.h"

namespace pelt {

/// The same surface as another exporter would write it: flat-shaded in six groups of triangles, by the axis
/// they face, with vertices split between the groups; vertices and triangles in a seeded random order; joints
/// renamed and listed backwards.
QuadrupedRig resplit(const RiggedSkin& rig, unsigned seed);

}  // namespace pelt
