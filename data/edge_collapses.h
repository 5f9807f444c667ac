#pragma once

#include <functional>

#include "../solver/surface.h"

namespace pelt {

/// The edge length wanted at a place.
using TargetLength = std::function<double(const Eigen::Vector3d&)>;

/// Collapses edges shorter than 4/5 of the target until none is left that may go. The surface stays a
/// manifold, no normal turns over, and vertices on the boundary plane x = 0 stay on it: an edge to one
/// collapses into it.
void collapse_short_edges(Surface& surface, const TargetLength& target_length);

}  // namespace pelt
