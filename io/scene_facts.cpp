#include "scene_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pose.h"

namespace pelt {
namespace {

int most_influences(const Scene& scene, int skin) {
  Eigen::Index most = 0;
  for (const Part& part : scene.parts)
    if (part.skin == skin && part.vertices > 0)
      most = std::max(most, (part.weights.array() > 0).colwise().count().maxCoeff());
  return static_cast<int>(most);
}

/// Distance of the bind surface from the rest surface, a skin each.
void measure_bind(const Scene& scene, const Surface& rest, SceneFacts& facts) {
  Surface bind;
  if (!(facts.diag > 0) || !bind_surface(scene, bind)) return;
  const Eigen::VectorXd area = vertex_areas(rest);
  const Eigen::VectorXd distance = (bind.positions - rest.positions).colwise().norm();
  for (std::size_t s = 0; s < scene.skins.size(); ++s) {
    double sum = 0, mass = 0, most = 0;
    for (const Part& part : scene.parts) {
      if (part.skin != static_cast<int>(s)) continue;
      for (int v = part.first_vertex; v < part.first_vertex + part.vertices; ++v) {
        if (!(area[v] > 0)) continue;
        sum += area[v] * distance[v], mass += area[v], most = std::max(most, distance[v]);
      }
    }
    if (!(mass > 0)) continue;
    facts.skins[s].off_bind_mean = 100 * sum / mass / facts.diag;
    facts.skins[s].off_bind_max = 100 * most / facts.diag;
  }
}

}  // namespace

std::vector<char> weighted_joints(const Scene& scene, int skin) {
  std::vector<char> weighted(scene.skins[skin].joints.size(), 0);
  for (const Part& part : scene.parts) {
    if (part.skin != skin) continue;
    for (Eigen::Index i = 0; i < part.weights.size(); ++i)
      if (part.weights.data()[i] > 0) weighted[part.joints.data()[i]] = 1;
  }
  return weighted;
}

Eigen::AlignedBox3d box_of(const Surface& surface) {
  Eigen::AlignedBox3d box;
  for (const int v : surface.triangles.reshaped()) box.extend(surface.positions.col(v));
  return box.isEmpty() ? Eigen::AlignedBox3d(Eigen::Vector3d::Zero()) : box;
}

std::optional<double> key_rate(const Clip& clip) {
  double step = std::numeric_limits<double>::infinity();
  for (const Track& track : clip.tracks)
    for (std::size_t k = 1; k < track.times.size(); ++k)
      step = std::min(step, static_cast<double>(track.times[k]) - track.times[k - 1]);
  if (!std::isfinite(step)) return 0;
  for (const Track& track : clip.tracks)
    for (std::size_t k = 1; k < track.times.size(); ++k) {
      const double steps = (static_cast<double>(track.times[k]) - track.times[k - 1]) / step;
      if (std::abs(steps - std::round(steps)) > 0.02 * steps) return std::nullopt;
    }
  return 1 / step;
}

SceneFacts scene_facts(const Scene& scene) {
  SceneFacts facts;
  const Surface rest = rest_surface(scene);
  facts.size = box_of(rest).sizes();
  facts.diag = facts.size.norm();
  for (std::size_t s = 0; s < scene.skins.size(); ++s) {
    const std::vector<char> weighted = weighted_joints(scene, static_cast<int>(s));
    facts.skins.push_back({static_cast<int>(weighted.size()),
                           static_cast<int>(std::count(weighted.begin(), weighted.end(), 1)),
                           most_influences(scene, static_cast<int>(s)), std::nullopt, 0});
  }
  measure_bind(scene, rest, facts);
  for (const Part& part : scene.parts) {
    facts.odd_sums += part.odd_sums;
    if (std::abs(part.worst_sum - 1) > std::abs(facts.worst_sum - 1)) facts.worst_sum = part.worst_sum;
  }
  for (const Clip& clip : scene.clips) facts.key_rate.push_back(key_rate(clip));
  return facts;
}

}  // namespace pelt
