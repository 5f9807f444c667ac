#include "limit_influences.h"

#include <algorithm>

#include "rig_of_scene.h"

namespace pelt {
namespace {

struct Influence {
  int joint = 0;
  double weight = 0;
};

/// Influences of a vertex in the order of their slots, each joint once.
std::vector<Influence> influences_of(const Part& part, int vertex) {
  std::vector<Influence> influences;
  for (int slot = 0; slot < part.influences; ++slot) {
    const Influence next{part.joints(slot, vertex), part.weights(slot, vertex)};
    if (next.weight == 0) continue;
    const auto same = std::find_if(influences.begin(), influences.end(),
                                   [&](const Influence& i) { return i.joint == next.joint; });
    if (same == influences.end())
      influences.push_back(next);
    else
      same->weight += next.weight;
  }
  return influences;
}

/// Leaves the vertex its largest influences; returns the share of weight that it loses.
double cut(Part& part, int vertex, std::vector<Influence> influences, int limit) {
  std::stable_sort(influences.begin(), influences.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  double all = 0, kept = 0;
  for (const Influence& i : influences) all += i.weight;
  influences.resize(limit);
  for (const Influence& i : influences) kept += i.weight;
  part.joints.col(vertex).setZero();
  part.weights.col(vertex).setZero();
  for (int slot = 0; slot < limit; ++slot) {
    part.joints(slot, vertex) = influences[slot].joint;
    part.weights(slot, vertex) = influences[slot].weight / kept;
  }
  return 1 - kept / all;
}

}  // namespace

InfluenceCut limit_influences(Scene& scene, int limit) {
  InfluenceCut result;
  result.limit = limit;
  const std::vector<char> used = used_vertices(scene);
  double lost = 0;
  for (Part& part : scene.parts)
    for (int v = 0; v < part.vertices; ++v) {
      if (part.skin < 0 || !used[part.first_vertex + v]) continue;
      const std::vector<Influence> influences = influences_of(part, v);
      const int count = static_cast<int>(influences.size());
      ++result.vertices;
      result.most = std::max(result.most, count);
      if (count <= limit) continue;
      ++result.cut;
      const double share = cut(part, v, influences, limit);
      lost += share;
      result.largest_lost = std::max(result.largest_lost, share);
    }
  if (result.cut > 0) result.mean_lost = lost / result.cut;
  return result;
}

}  // namespace pelt
