#pragma once

#include <cstddef>
#include <vector>

#include "kept_keys.h"
#include "scene.h"

namespace pelt {

/// What thinning did to a clip. Keys and bytes are summed over its tracks; tracks with the same key times
/// share these.
struct Thinning {
  std::size_t keys_before = 0, keys_after = 0;
  std::size_t bytes_before = 0, bytes_after = 0;  ///< of key times and values
  double deviation = 0;  ///< largest distance of a vertex from where all keys have it, % of diag
};

struct ThinSettings {
  double tolerance = 0;  ///< % of diag
  double diag = 1;
  int threads = 1;
};

/// A clip of a scene, to be compared with another of the same surface.
struct Play {
  const Scene& scene;
  const Clip& clip;
};

/// Largest distance between a vertex in one clip and the same vertex in the other, at the key times and at
/// the quarters of every interval.
double largest_distance(const Play& a, const Play& b, const std::vector<float>& times, int threads);

/// Keys that the tracks of a clip can do with while no vertex of the surface leaves its place by more than
/// the tolerance. A track leaves the times that it shares with others only where that saves bytes of the
/// file. \pre LINEAR tracks, each with a key at each of the times; their first and last keys stay.
KeptKeys thin(const Play& play, const std::vector<float>& times, const ThinSettings& settings);

/// Keys and bytes of the clip before and after.
Thinning count_keys(const Clip& clip, const KeptKeys& kept);

}  // namespace pelt
