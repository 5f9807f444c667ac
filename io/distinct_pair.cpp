#include "distinct_pair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace pelt {
namespace {

// Shares of a triangle's corners that are rounded to the same such steps put a point at the same place.
constexpr double kShare = 0x1p-20;

/// Vertices of the artist, in ascending order, and their shares in units of kShare.
using FollowedPoint = std::array<std::pair<int, int>, 3>;

/// A vertex on top of one of the artist's follows that, whatever rounding gives to the other corners: the
/// targets of vertices that are alike differ by CorrespondSettings::coincidence at most.
FollowedPoint followed_point(const Correspondence& c, const DistinctVertices& on_artist, int vertex) {
  FollowedPoint point;
  point.fill({-1, 0});
  const auto corner = [&](Eigen::Index k) { return on_artist.group_of(c.corner(k, vertex)); };
  if (c.kind[vertex] == MatchKind::coincident) {
    Eigen::Index nearest = 0;
    c.barycentric.col(vertex).maxCoeff(&nearest);
    point[0] = {corner(nearest), 1};
    return point;
  }
  for (int k = 0; k < 3; ++k)
    if (const auto share = std::lround(c.barycentric(k, vertex) / kShare); share != 0)
      point[k] = {corner(k), static_cast<int>(share)};
  std::sort(point.begin(), point.end());
  return point;
}

/// What a vertex of the rig follows: how it was matched, where, and what carries which offset.
using Followed = std::tuple<MatchKind, FollowedPoint, int, std::array<double, 3>>;

Followed followed(const Correspondence& c, const DistinctVertices& on_artist, int vertex) {
  Followed out{c.kind[vertex], {}, c.carrier_of[vertex], {}};
  auto& [kind, point, carrier, offset] = out;
  if (kind != MatchKind::unused) point = followed_point(c, on_artist, vertex);
  if (carrier >= 0) Eigen::Vector3d::Map(offset.data()) = c.offset.col(vertex);
  return out;
}

}  // namespace

DistinctVertices following_alike(const DistinctVertices& on_rig, const DistinctVertices& on_artist,
                                 const Scene& rig, const Correspondence& correspondence) {
  if (on_rig.is_all()) return {};
  std::vector<int> like;
  std::map<std::pair<int, Followed>, int> seen;
  for (int v = 0; v < static_cast<int>(on_rig.group.size()); ++v)
    like.push_back(
        seen.try_emplace({on_rig.group[v], followed(correspondence, on_artist, v)}, v).first->second);
  return grouped(rig, like);
}

Correspondence between_distinct(const DistinctVertices& on_rig, const DistinctVertices& on_artist,
                                const Correspondence& correspondence) {
  Correspondence out = correspondence;
  const auto to_artist = [&](Eigen::Matrix3Xi& corners) {
    for (int& corner : corners.reshaped())
      if (corner >= 0) corner = on_artist.group_of(corner);
  };
  to_artist(out.corner), to_artist(out.carrier);
  if (on_rig.is_all()) return out;
  const auto keep = [&](auto& matrix) { matrix = matrix(Eigen::all, on_rig.kept).eval(); };
  keep(out.corner), keep(out.barycentric), keep(out.offset);
  out.gap = out.gap(on_rig.kept).eval();
  for (std::size_t n = 0; n < on_rig.kept.size(); ++n) {
    out.kind[n] = correspondence.kind[on_rig.kept[n]];
    out.carrier_of[n] = correspondence.carrier_of[on_rig.kept[n]];
  }
  out.kind.resize(on_rig.kept.size()), out.carrier_of.resize(on_rig.kept.size());
  return out;
}

DistinctPair::DistinctPair(const RigFile& artist, const RigFile& rig, const Correspondence& correspondence)
    : rig_(rig), correspondence_(correspondence) {
  DistinctVertices distinct =
      following_alike(distinct_vertices(rig.scene), artist.distinct, rig.scene, correspondence);
  if (!distinct.is_all() || !artist.distinct.is_all())
    between_ = between_distinct(distinct, artist.distinct, correspondence);
  distinct_ = with_distinct(rig, std::move(distinct));
}

}  // namespace pelt
