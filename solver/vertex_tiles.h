#pragma once

#include <algorithm>

namespace pelt {

/// How a pass over vertices is cut up: into tiles that fit the nearest cache, and these into a fixed number
/// of runs, whose sums are added in order. So a sum does not depend on how many threads shared the work.
struct VertexTiles {
  static constexpr int kTile = 256;  ///< vertices; the last tile may have fewer

  int vertices = 0, joints = 0;

  int tiles() const { return (vertices + kTile - 1) / kTile; }
  int begin(int tile) const { return tile * kTile; }
  int end(int tile) const { return std::min((tile + 1) * kTile, vertices); }

  /// Few enough that sums by joint take no more memory than what is summed.
  int runs() const {
    constexpr int most = 16, least_tiles = 8;
    return std::max(1, std::min({most, tiles() / least_tiles, vertices / (4 * std::max(joints, 1))}));
  }
  /// Tiles of run r are [first_tile(r), first_tile(r + 1)).
  int first_tile(int run) const { return static_cast<int>(static_cast<long long>(tiles()) * run / runs()); }
};

}  // namespace pelt
