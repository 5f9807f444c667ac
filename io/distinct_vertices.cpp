#include "distinct_vertices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "rig_of_scene.h"

namespace pelt {
namespace {

// Of more vertices left than that share, copying takes what the others save.
constexpr double kWorthIt = 0.8;
// Shares of a triangle's corners that are rounded to the same such steps put a point at the same place.
constexpr double kShare = 0x1p-20;

/// What of a part's vertices decides where they go.
struct VertexHash {
  const Part& part;

  std::size_t operator()(int vertex) const {
    std::size_t hash = 0;
    for (const double x : part.positions.col(vertex))
      hash = (hash ^ std::hash<double>()(x)) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
  }
};
struct VertexEqual {
  const Part& part;

  bool operator()(int a, int b) const {
    const auto same = [&](const auto& columns) { return columns.col(a) == columns.col(b); };
    return same(part.positions) && (part.skin < 0 || (same(part.weights) && same(part.joints))) &&
           std::all_of(part.morphs.begin(), part.morphs.end(), same);
  }
};

/// Groups by the first vertex of each: keys in the order of the vertices, a number each.
class Groups {
 public:
  explicit Groups(const Scene& scene) : used_(used_vertices(scene)) {}

  /// The next vertex, in the group of an earlier one or in one of its own.
  void add(int vertex, int like) {
    const bool is_first = like == vertex;
    if (is_first) out_.kept.push_back(vertex), out_.copies.push_back(0);
    out_.group.push_back(is_first ? static_cast<int>(out_.kept.size()) - 1 : out_.group[like]);
    out_.copies[out_.group.back()] += used_[vertex];
  }

  DistinctVertices take() {
    const bool pays = static_cast<double>(out_.kept.size()) <= kWorthIt * static_cast<double>(used_.size());
    return pays ? std::move(out_) : DistinctVertices();
  }

 private:
  std::vector<char> used_;
  DistinctVertices out_;
};

/// Vertices of the artist, in ascending order, and their shares in units of kShare.
using FollowedPoint = std::array<std::pair<int, int>, 3>;

/// A vertex on top of one of the artist's follows that, whatever rounding gives to the other corners.
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

void keep_of_part(const DistinctVertices& distinct, int next, Part& part) {
  std::vector<int> columns;
  const auto end = distinct.kept.end();
  for (auto v = std::lower_bound(distinct.kept.begin(), end, part.first_vertex);
       v != end && *v < part.first_vertex + part.vertices; ++v)
    columns.push_back(*v - part.first_vertex);
  const auto keep = [&](auto& matrix) { matrix = matrix(Eigen::all, columns).eval(); };
  keep(part.positions);
  std::for_each(part.morphs.begin(), part.morphs.end(), keep);
  if (part.skin >= 0) keep(part.joints), keep(part.weights);
  part.first_vertex = next;
  part.vertices = static_cast<int>(columns.size());
}

}  // namespace

DistinctVertices distinct_vertices(const Scene& scene) {
  const auto moves_points = [](const Clip& clip) { return clip.points != nullptr; };
  if (std::any_of(scene.clips.begin(), scene.clips.end(), moves_points)) return {};
  Groups groups(scene);
  for (const Part& part : scene.parts) {
    std::unordered_map<int, int, VertexHash, VertexEqual> seen(static_cast<std::size_t>(part.vertices),
                                                               {part}, {part});
    for (int v = 0; v < part.vertices; ++v)
      groups.add(part.first_vertex + v, seen.try_emplace(v, part.first_vertex + v).first->second);
  }
  return groups.take();
}

DistinctVertices following_alike(const DistinctVertices& on_rig, const DistinctVertices& on_artist,
                                 const Scene& rig, const Correspondence& correspondence) {
  if (on_rig.is_all()) return {};
  Groups groups(rig);
  std::map<std::pair<int, Followed>, int> seen;
  for (int v = 0; v < static_cast<int>(on_rig.group.size()); ++v)
    groups.add(v,
               seen.try_emplace({on_rig.group[v], followed(correspondence, on_artist, v)}, v).first->second);
  return groups.take();
}

void keep_distinct(const DistinctVertices& distinct, Scene& scene) {
  if (distinct.is_all()) return;
  int next = 0;
  for (Part& part : scene.parts) {
    keep_of_part(distinct, next, part);
    next += part.vertices;
  }
  for (int& corner : scene.triangles.reshaped()) corner = distinct.group[corner];
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

}  // namespace pelt
