#include "merged_vertices.h"

#include <functional>
#include <unordered_set>

namespace pelt {
namespace {

// Of more vertices left than that share, copying takes what skinning saves.
constexpr double kWorthIt = 0.7;

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
    return part.positions.col(a) == part.positions.col(b) && part.weights.col(a) == part.weights.col(b) &&
           part.joints.col(a) == part.joints.col(b);
  }
};

/// Of each vertex the first like it.
std::vector<int> first_alike(const Part& part) {
  std::unordered_set<int, VertexHash, VertexEqual> seen(static_cast<std::size_t>(part.vertices), {part},
                                                        {part});
  std::vector<int> first;
  for (int v = 0; v < part.vertices; ++v) first.push_back(*seen.insert(v).first);
  return first;
}

MergedPart::Run run_of(const Part& part, const std::vector<int>& vertices, int influences) {
  MergedPart::Run run{influences, 0, static_cast<int>(vertices.size()), {}, {}};
  for (const int v : vertices)
    for (int k = 0; k < part.influences; ++k) {
      if (part.weights(k, v) == 0) continue;
      run.joints.push_back(part.joints(k, v));
      run.weights.push_back(part.weights(k, v));
    }
  return run;
}

MergedPart merge(const Part& part) {
  const std::vector<int> first = first_alike(part);
  std::vector<std::vector<int>> of_count(static_cast<std::size_t>(part.influences) + 1);
  int count = 0;
  for (int v = 0; v < part.vertices; ++v) {
    if (first[v] != v) continue;
    of_count[(part.weights.col(v).array() != 0).count()].push_back(v);
    ++count;
  }
  if (count > kWorthIt * part.vertices) return {};
  MergedPart out{{}, Eigen::Matrix3Xd(3, count), std::vector<int>(first.size())};
  int next = 0;
  for (std::size_t influences = 0; influences < of_count.size(); ++influences) {
    if (of_count[influences].empty()) continue;
    out.runs.push_back(run_of(part, of_count[influences], static_cast<int>(influences)));
    out.runs.back().first = next;
    for (const int v : of_count[influences]) {
      out.positions.col(next) = part.positions.col(v);
      out.merged[v] = next++;
    }
  }
  for (std::size_t v = 0; v < first.size(); ++v) out.merged[v] = out.merged[first[v]];
  return out;
}

}  // namespace

std::vector<MergedPart> merge_vertices(const Scene& scene) {
  std::vector<MergedPart> merged;
  for (const Part& part : scene.parts) merged.push_back(part.skin >= 0 ? merge(part) : MergedPart());
  return merged;
}

}  // namespace pelt
