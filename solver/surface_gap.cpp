// Two-sided distance by area samples: Cignoni, Rocchini, Scopigno, "Metro: measuring error on simplified
// surfaces", 1998. Percentiles interpolate linearly between order statistics (Hyndman and Fan 1996,
// definition 7).
#include "surface_gap.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "error.h"
#include "similarity.h"

namespace pelt {

namespace {

/// \pre sorted, not empty; 0 <= share <= 1
double percentile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

/// \pre sorted, not empty
GapFigures figures_of(std::vector<double> distance) {
  GapFigures figures;
  figures.mean =
      std::accumulate(distance.begin(), distance.end(), 0.0) / static_cast<double>(distance.size());
  figures.median = percentile(distance, 0.5);
  figures.p99 = percentile(distance, 0.99);
  figures.max = distance.back();
  figures.distances = std::move(distance);
  return figures;
}

/// Distances times `unit`.
GapFigures distances_to(const TriangleTree& tree, const Eigen::Matrix3Xd& samples, double unit) {
  const auto count = static_cast<int>(samples.cols());
  std::vector<double> distance(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(static)
  for (int k = 0; k < count; ++k) distance[k] = unit * std::sqrt(tree.closest(samples.col(k)).sq_dist);
  std::sort(distance.begin(), distance.end());
  return figures_of(std::move(distance));
}

Eigen::Matrix3Xd moved(const Eigen::Affine3d& motion, const Eigen::Matrix3Xd& points) {
  return (motion.linear() * points).colwise() + motion.translation();
}

}  // namespace

SurfaceGap surface_gap(const IndexedSurface& artist, const IndexedSurface& rig,
                       const Eigen::Matrix4d& artist_from_rig, int samples) {
  if (samples < 1) throw InvalidInput("surface gap: " + std::to_string(samples) + " samples");
  const Eigen::Affine3d to_artist(artist_from_rig);
  const Eigen::Matrix3Xd of_rig = sample_by_area(rig.surface, samples),
                         of_artist = sample_by_area(artist.surface, samples);
  SurfaceGap gap;
  gap.artist_from_rig = distances_to(artist.tree, moved(to_artist, of_rig), 1);
  gap.rig_from_artist =
      distances_to(rig.tree, moved(to_artist.inverse(), of_artist), scale_of(artist_from_rig));
  gap.two_sided_mean = (gap.artist_from_rig.mean + gap.rig_from_artist.mean) / 2;
  gap.two_sided_p99 = std::max(gap.artist_from_rig.p99, gap.rig_from_artist.p99);
  return gap;
}

SurfaceGap surface_gap(const Surface& artist, const Surface& rig, int samples) {
  return surface_gap(IndexedSurface(artist, "artist"), IndexedSurface(rig, "rig"),
                     Eigen::Matrix4d::Identity(), samples);
}

GapFigures within(const GapFigures& figures, double limit) {
  const std::vector<double>& all = figures.distances;
  return figures_of({all.begin(), std::upper_bound(all.begin(), all.end(), limit)});
}

double share_beyond(const GapFigures& figures, double limit) {
  const std::vector<double>& distances = figures.distances;
  if (distances.empty()) return 0;
  const auto beyond = distances.end() - std::upper_bound(distances.begin(), distances.end(), limit);
  return static_cast<double>(beyond) / static_cast<double>(distances.size());
}

}  // namespace pelt
