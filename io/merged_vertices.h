#pragma once

#include <Eigen/Core>
#include <vector>

#include "scene.h"

namespace pelt {

/// The vertices of a skinned part, each once that lies at one place under the same weights: a file splits
/// them where normals or texture coordinates jump, three or four times on a faceted animal. They move alike.
struct MergedPart {
  /// Vertices of equally many influences.
  struct Run {
    int influences = 0, first = 0, vertices = 0;
    std::vector<int> joints;      ///< influences x vertices, index into Skin::joints
    std::vector<double> weights;  ///< likewise, none 0
  };
  std::vector<Run> runs;
  Eigen::Matrix3Xd positions;  ///< 3 x merged, mesh space, run after run
  std::vector<int> merged;     ///< a vertex of the part each: its column of `positions`
};

/// A part each; without runs where merging does not pay and where the part is rigid.
std::vector<MergedPart> merge_vertices(const Scene& scene);

}  // namespace pelt
