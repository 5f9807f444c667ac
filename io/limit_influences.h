#pragma once

#include <vector>

#include "scene.h"

namespace pelt {

/// What a limit on the influences of a vertex takes away. Vertices are those that a triangle uses.
struct InfluenceCut {
  int limit = 0;         ///< influences that a vertex keeps
  int most = 0;          ///< influences of any vertex before
  int vertices = 0;      ///< that have a skin
  int cut = 0;           ///< those with more than `limit`
  double mean_lost = 0;  ///< share of weight that a cut vertex loses, 0 to 1
  double largest_lost = 0;
};

/// Keeps of each vertex its `limit` largest weights, scaled to sum to 1, as engines with so many slots do. A
/// joint that comes twice at a vertex is one influence; of equal weights the one in the lower slot stays.
/// Vertices with no more influences than that stay as they are to the bit. \pre limit >= 1
InfluenceCut limit_influences(Scene& scene, int limit);

}  // namespace pelt
