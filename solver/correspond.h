#pragma once

#include <Eigen/Core>
#include <vector>

#include "closest_point.h"
#include "surface.h"

namespace pelt {

/// How a rig vertex found its place on the artist's surface.
enum class MatchKind : char {
  unused,      ///< no triangle of the rig uses the vertex: it is not matched, solved or measured
  coincident,  ///< on top of an artist vertex, within CorrespondSettings::coincidence
  surface,     ///< closest point on a triangle
  sheet,       ///< closest point on the sheet that its neighbours lie on, another being closer
  none,  ///< too far from the artist's surface to have a counterpart there (a saddle): see leave_out_far
};

/// For every rig vertex the point of the artist's surface that it must follow.
struct Correspondence {
  Eigen::Matrix3Xi corner;       ///< 3 x V, artist vertices; -1 for unused vertices
  Eigen::Matrix3Xd barycentric;  ///< 3 x V, of the closest point, sums to 1
  /// 3 x V, rig vertex minus surface point, in the frame of the triangle. Zero where no longer than
  /// CorrespondSettings::coincidence: that is rounding of the file and not worth a frame.
  Eigen::Matrix3Xd offset;
  std::vector<MatchKind> kind;  ///< V
  Eigen::VectorXd gap;          ///< V, distance in the matching pose; 0 for unused vertices
  Eigen::Matrix3Xi carrier;     ///< corners of the triangles in whose frames there are offsets
  std::vector<int> carrier_of;  ///< V, index of a carrier; -1 where the offset is zero
};

struct CorrespondSettings {
  double coincidence = 1e-6;  ///< points this close are the same, fraction of the artist's diagonal
  double facing = 1e-3;       ///< ties are compared by the cosine between normals, in steps of this
  double reach = 0.02;  ///< a sheet farther than this is none of a vertex's, fraction of the diagonal; 0: the
                        ///< closest point is taken wherever it lies
};

/// Matches each used rig vertex to the artist's surface, both in their matching pose and in one space. (A rig
/// that is turned, scaled or mirrored against the artist goes through a similarity before this call.)
///
/// Candidates are the triangles around the artist vertices within `coincidence` of the rig vertex; where
/// there is none, all artist triangles within `coincidence` of the smallest distance. Of the candidates wins
/// the one that faces the way the rig vertex does; then the nearest; then, split vertices being able to move
/// apart, the one at the artist vertex of the same index if that lies here too; then the first.
/// Vertices that are not on the artist's surface are then kept on the sheet of their neighbours (sheets.h).
/// Exact: no approximation in the search. Identical for any number of threads.
/// \throw InvalidInput if the rig's surface is not valid, or a setting is out of range.
Correspondence correspond(const IndexedSurface& artist, const Surface& rig,
                          const CorrespondSettings& settings = {});

/// The same. \throw InvalidInput also if the artist's surface is not valid.
Correspondence correspond(const Surface& artist, const Surface& rig, const CorrespondSettings& settings = {});

/// Marks vertices whose gap is larger than `limit` (unit of the surfaces) as having no counterpart; how many
/// there are.
int leave_out_far(Correspondence& correspondence, double limit);

/// Whether a vertex off the artist's surface keeps its distance from it, or follows its point there itself.
enum class Offset { carried, left_out };

/// Where the rig's vertices should be when the artist's surface is at `artist_positions` (3 x V_artist): 3 x
/// V. An offset that is carried turns with the triangle: in the matching pose the target is the rig vertex,
/// within `coincidence`. Where a triangle collapses the offset keeps its length, not its direction. Unused
/// vertices are NaN.
Eigen::Matrix3Xd follow(const Correspondence& correspondence, const Eigen::Matrix3Xd& artist_positions,
                        Offset offset = Offset::carried);

}  // namespace pelt
