#include "point_clip.h"

#include <cmath>
#include <cstdio>
#include <nanoflann.hpp>
#include <optional>

#include "../solver/surface.h"
#include "io_error.h"
#include "pose.h"

namespace pelt {
namespace {

constexpr double kCoincidence = 1e-5;  // of the diagonal
constexpr double kClearlyNearer = 0.5;
constexpr double kFar = 0.5;  // of the mesh's own size

/// z up, y forward becomes y up, -z forward: what Blender's exporters do.
Eigen::Matrix3Xd y_up(const Eigen::Matrix3Xd& points) {
  Eigen::Matrix3Xd turned(3, points.cols());
  turned.row(0) = points.row(0);
  turned.row(1) = points.row(2);
  turned.row(2) = -points.row(1);
  return turned;
}

/// Points of the used vertices about their mean.
struct Cloud {
  Eigen::Matrix3Xd centred;

  Cloud(const Eigen::Matrix3Xd& points, const std::vector<char>& used) {
    std::vector<Eigen::Index> columns;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (used[i]) columns.push_back(static_cast<Eigen::Index>(i));
    centred = points(Eigen::all, columns);
    centred.colwise() -= Eigen::Vector3d(centred.rowwise().mean());
  }
  double size() const { return centred.norm(); }
};

/// The one point on which each used vertex lies; empty where one lies on none.
std::vector<int> points_by_place(const Surface& rest, const Eigen::Matrix3Xd& points,
                                 const PointCache& cache) {
  using Tree = nanoflann::KDTreeEigenMatrixAdaptor<Eigen::MatrixXd, 3, nanoflann::metric_L2_Simple, false>;
  const Eigen::MatrixXd columns = points;
  const Tree tree(3, columns);
  const double radius = kCoincidence * bounding_diagonal(rest);
  const std::vector<char> used = used_vertices(rest);
  std::vector<int> point_of_vertex(used.size(), 0);
  std::vector<std::pair<Tree::IndexType, double>> near;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (!used[v]) continue;
    const Eigen::Vector3d p = rest.positions.col(static_cast<Eigen::Index>(v));
    tree.index->radiusSearch(p.data(), radius * radius, near, {});
    if (near.empty()) return {};
    if (near.size() > 1)
      throw ReadError(cache.file + ": points " + std::to_string(near[0].first) + " and " +
                      std::to_string(near[1].first) + " of its first frame both lie on vertex " +
                      std::to_string(v) +
                      " of the mesh: give an .obj mesh with the points in the cache's order");
    point_of_vertex[v] = static_cast<int>(near[0].first);
  }
  return point_of_vertex;
}

void match_by_place(const Scene& scene, const Surface& rest, PointsUp up, PointTrack& track) {
  const Eigen::Matrix3Xd first = points_in_frame(track.cache, 0);
  for (const bool z_up : {false, true}) {
    if (up == (z_up ? PointsUp::y : PointsUp::z)) continue;
    track.point_of_vertex = points_by_place(rest, z_up ? y_up(first) : first, track.cache);
    track.z_up = z_up;
    if (!track.point_of_vertex.empty()) return;
  }
  throw ReadError(track.cache.file + ": " + std::to_string(track.cache.points) + " points, but " +
                  scene.file + " has " + std::to_string(scene.vertices()) +
                  " vertices, and not each of them lies on a point of the first frame: give an .obj mesh "
                  "with the points in "
                  "the cache's order");
}

bool looks_z_up(const PointTrack& track, const Surface& rest) {
  const std::vector<char> used = used_vertices(rest);
  const Eigen::Matrix3Xd first = points_in_frame(track.cache, 0);
  const Cloud wanted(rest.positions, used), as_is(first, used), turned(y_up(first), used);
  return (turned.centred - wanted.centred).norm() < kClearlyNearer * (as_is.centred - wanted.centred).norm();
}

/// Another unit, or the space of an object that is turned or scaled, goes unseen where frames are only
/// counted.
void warn_of_distance(const PointTrack& track, const Surface& rest, Scene& scene) {
  const std::vector<char> used = used_vertices(rest);
  const Cloud first(vertices_at(track, 0), used), wanted(rest.positions, used);
  if ((first.centred - wanted.centred).norm() < kFar * wanted.size()) return;
  char text[200];
  std::snprintf(
      text, sizeof text,
      ": its first frame, %.3g times the size of the mesh, lies far from it: another unit, up axis or order "
      "of points, or the space of a moved object?",
      first.size() / wanted.size());
  scene.warnings.push_back(track.cache.file + text);
}

}  // namespace

void add_point_clip(Scene& scene, PointCache cache, PointsUp up) {
  const Surface rest = rest_surface(scene);
  const auto track = std::make_shared<PointTrack>();
  track->cache = std::move(cache);
  if (track->cache.points == scene.vertices())
    track->z_up = up == PointsUp::z || (up == PointsUp::automatic && looks_z_up(*track, rest));
  else
    match_by_place(scene, rest, up, *track);
  warn_of_distance(*track, rest, scene);
  Clip clip;
  clip.name = track->cache.name;
  clip.has_name = true;
  clip.index = static_cast<int>(scene.clips.size());
  clip.end = track->cache.times.back();
  clip.points = track;
  scene.clips.push_back(std::move(clip));
}

Eigen::Matrix3Xd vertices_at(const PointTrack& track, double time) {
  Eigen::Matrix3Xd points = points_at(track.cache, time);
  if (track.z_up) points = y_up(points);
  if (track.point_of_vertex.empty()) return points;
  return points(Eigen::all, track.point_of_vertex);
}

}  // namespace pelt
