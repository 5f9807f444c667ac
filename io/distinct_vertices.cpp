#include "distinct_vertices.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "rig_of_scene.h"

namespace pelt {
namespace {

// Of more vertices left than that share, copying takes what the others save.
constexpr double kWorthIt = 0.8;

/// What of a part's vertices decides where they go.
struct VertexHash {
  const Part& part;

  std::size_t operator()(int vertex) const {
    std::size_t hash = 0;
    const auto add = [&](const auto& columns) {
      for (const auto x : columns.col(vertex)) hash = (hash ^ std::hash<double>()(x)) * 0x9E3779B97F4A7C15u;
    };
    add(part.positions);
    if (part.skin >= 0) add(part.weights), add(part.joints);
    std::for_each(part.morphs.begin(), part.morphs.end(), add);
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

DistinctVertices grouped(const Scene& scene, const std::vector<int>& like) {
  const std::vector<char> used = used_vertices(scene);
  DistinctVertices out;
  for (int v = 0; v < static_cast<int>(like.size()); ++v) {
    const bool is_first = like[v] == v;
    if (is_first) out.kept.push_back(v), out.copies.push_back(0);
    out.group.push_back(is_first ? static_cast<int>(out.kept.size()) - 1 : out.group[like[v]]);
    out.copies[out.group.back()] += used[v];
  }
  const bool pays = static_cast<double>(out.kept.size()) <= kWorthIt * static_cast<double>(like.size());
  return pays ? out : DistinctVertices();
}

DistinctVertices distinct_vertices(const Scene& scene) {
  const auto moves_points = [](const Clip& clip) { return clip.points != nullptr; };
  if (std::any_of(scene.clips.begin(), scene.clips.end(), moves_points)) return {};
  std::vector<int> like;
  for (const Part& part : scene.parts) {
    std::unordered_set<int, VertexHash, VertexEqual> seen(static_cast<std::size_t>(part.vertices), {part},
                                                          {part});
    for (int v = 0; v < part.vertices; ++v) like.push_back(part.first_vertex + *seen.insert(v).first);
  }
  return grouped(scene, like);
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

}  // namespace pelt
