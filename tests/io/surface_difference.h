#pragma once

#include "io/scene.h"

namespace pelt::test {

/// Largest distance between the surfaces of two files over the clip's times 0, 0.3 and 1, vertices paired by
/// their rest positions; both must have the same triangles over them.
double largest_difference(const Scene& a, const Scene& b);

}  // namespace pelt::test
