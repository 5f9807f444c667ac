// Exact closest points (closest_point.h), then one sheet for neighbours (sheets.h).
#include "correspond.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "error.h"
#include "sheets.h"

namespace pelt {

namespace {

/// Below this sine of its first angle a triangle's normal is mostly rounding.
constexpr double thinnest = 1e-8;

/// Columns: direction of the first edge, normal x edge, normal. Orthonormal for every triangle that is
/// finite; where edge or normal are undefined, others take their place.
Eigen::Matrix3d triangle_frame(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  Eigen::Vector3d edge = b - a;
  const Eigen::Vector3d other = c - a;
  Eigen::Vector3d normal = edge.cross(other);
  if (edge.isZero(0)) edge = other.isZero(0) ? Eigen::Vector3d::UnitX() : other;
  if (!(normal.norm() > thinnest * edge.norm() * other.norm())) normal = edge.unitOrthogonal();
  Eigen::Matrix3d frame;
  frame.col(0) = edge.normalized();
  frame.col(2) = normal.normalized();
  frame.col(1) = frame.col(2).cross(frame.col(0));
  return frame;
}

Eigen::Matrix3d corners_of(const Eigen::Matrix3Xd& positions, const Eigen::Vector3i& corner) {
  return positions(Eigen::all, corner);
}

Eigen::Matrix3d frame_at(const Eigen::Matrix3Xd& positions, const Eigen::Vector3i& corner) {
  return triangle_frame(positions.col(corner[0]), positions.col(corner[1]), positions.col(corner[2]));
}

/// Everything a rig vertex needs to find its place.
struct Matcher {
  const IndexedSurface& artist;
  const CorrespondSettings& settings;
  Eigen::Matrix3Xd normals = face_normals(artist.surface);
  double diag = bounding_diagonal(artist.surface), coincidence = settings.coincidence * diag;

  const Eigen::Matrix3Xd& positions() const { return artist.surface.positions; }
  Eigen::Vector3i corner(const SurfacePoint& place) const {
    return artist.surface.triangles.col(place.triangle);
  }
  bool coincides(int artist_vertex, const Eigen::Vector3d& p) const {
    return (positions().col(artist_vertex) - p).norm() <= coincidence;
  }
  bool at_corner(const SurfacePoint& place, const Eigen::Vector3d& p) const {
    const Eigen::Vector3i corners = corner(place);
    return std::any_of(corners.begin(), corners.end(), [&](int k) { return coincides(k, p); });
  }
};

struct RigVertex {
  int index = 0;
  Eigen::Vector3d position, normal;
};

/// Of the candidates those around artist vertices at the same place, if there are any.
void prefer_vertices(const Matcher& matcher, const Eigen::Vector3d& p,
                     std::vector<SurfacePoint>& candidates) {
  const auto elsewhere = [&](const SurfacePoint& place) { return !matcher.at_corner(place, p); };
  if (!std::all_of(candidates.begin(), candidates.end(), elsewhere)) std::erase_if(candidates, elsewhere);
}

SurfacePoint best_of(const Matcher& matcher, const std::vector<SurfacePoint>& candidates,
                     const RigVertex& vertex) {
  const bool twin =
      vertex.index < matcher.positions().cols() && matcher.coincides(vertex.index, vertex.position);
  const auto rank = [&](const SurfacePoint& place) {
    const double cosine = matcher.normals.col(place.triangle).dot(vertex.normal);
    const bool at_twin = twin && (matcher.corner(place).array() == vertex.index).any();
    return std::tuple(-std::nearbyint(cosine * (1 / matcher.settings.facing)), place.sq_dist, !at_twin,
                      place.triangle);
  };
  return *std::min_element(candidates.begin(), candidates.end(),
                           [&](const SurfacePoint& a, const SurfacePoint& b) { return rank(a) < rank(b); });
}

/// The closest place of each used vertex, whatever its neighbours'.
std::vector<SurfacePoint> closest_places(const Matcher& matcher, const Surface& rig,
                                         const Eigen::Matrix3Xd& normals) {
  const std::vector<char> used = used_vertices(rig);
  std::vector<SurfacePoint> places(used.size());
#pragma omp parallel
  {
    std::vector<SurfacePoint> candidates;
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) continue;
      const auto column = static_cast<Eigen::Index>(i);
      const RigVertex vertex{static_cast<int>(i), rig.positions.col(column), normals.col(column)};
      matcher.artist.tree.closest_few(vertex.position, matcher.coincidence, candidates);
      prefer_vertices(matcher, vertex.position, candidates);
      places[i] = best_of(matcher, candidates, vertex);
    }
  }
  return places;
}

void validate(const CorrespondSettings& settings) {
  if (!(settings.coincidence >= 0))
    throw InvalidInput("coincidence " + std::to_string(settings.coincidence) + " < 0");
  if (!(settings.facing > 0)) throw InvalidInput("facing step " + std::to_string(settings.facing) + " <= 0");
  if (!(settings.reach >= 0)) throw InvalidInput("reach " + std::to_string(settings.reach) + " < 0");
}

/// A vertex, at p, takes its place.
void put(const Matcher& matcher, int vertex, const Eigen::Vector3d& p, const SurfacePoint& place,
         Correspondence& result) {
  const Eigen::Vector3i corner = matcher.corner(place);
  const Eigen::Vector3d offset = p - corners_of(matcher.positions(), corner) * place.barycentric;
  result.corner.col(vertex) = corner;
  result.barycentric.col(vertex) = place.barycentric;
  result.gap[vertex] = offset.norm();
  result.kind[vertex] = matcher.at_corner(place, p) ? MatchKind::coincident : MatchKind::surface;
  if (offset.norm() > matcher.coincidence)
    result.offset.col(vertex) = frame_at(matcher.positions(), corner).transpose() * offset;
}

/// Numbers the triangles whose frames are needed.
void find_carriers(const Matcher& matcher, const std::vector<SurfacePoint>& places, Correspondence& result) {
  std::vector<int> number(static_cast<std::size_t>(matcher.normals.cols()), -1), triangles;
  result.carrier_of.assign(places.size(), -1);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (result.offset.col(static_cast<Eigen::Index>(i)).isZero(0)) continue;
    int& carrier = number[places[i].triangle];
    if (carrier < 0) {
      carrier = static_cast<int>(triangles.size());
      triangles.push_back(places[i].triangle);
    }
    result.carrier_of[i] = carrier;
  }
  result.carrier = matcher.artist.surface.triangles(Eigen::all, triangles);
}

}  // namespace

Correspondence correspond(const IndexedSurface& artist, const Surface& rig,
                          const CorrespondSettings& settings) {
  validate(rig, "rig");
  validate(settings);
  const Matcher matcher{artist, settings};
  const Eigen::Matrix3Xd normals = vertex_normals(rig);
  const std::vector<SurfacePoint> closest = closest_places(matcher, rig, normals);
  std::vector<SurfacePoint> places = closest;
  keep_to_sheets(artist, rig, normals, {matcher.coincidence, settings.reach * matcher.diag}, places);
  const Eigen::Index count = rig.positions.cols();
  Correspondence result;
  result.corner = Eigen::Matrix3Xi::Constant(3, count, -1);
  result.barycentric = Eigen::Matrix3Xd::Zero(3, count);
  result.offset = Eigen::Matrix3Xd::Zero(3, count);
  result.kind.assign(places.size(), MatchKind::unused);
  result.gap = Eigen::VectorXd::Zero(count);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].triangle < 0) continue;
    put(matcher, static_cast<int>(i), rig.positions.col(static_cast<Eigen::Index>(i)), places[i], result);
    const double farther = std::sqrt(places[i].sq_dist) - std::sqrt(closest[i].sq_dist);
    if (farther > matcher.coincidence) result.kind[i] = MatchKind::sheet;
  }
  find_carriers(matcher, places, result);
  return result;
}

Correspondence correspond(const Surface& artist, const Surface& rig, const CorrespondSettings& settings) {
  return correspond(IndexedSurface(artist, "artist"), rig, settings);
}

int leave_out_far(Correspondence& correspondence, double limit) {
  int count = 0;
  for (std::size_t i = 0; i < correspondence.kind.size(); ++i) {
    if (!(correspondence.gap(static_cast<Eigen::Index>(i)) > limit)) continue;
    correspondence.kind[i] = MatchKind::none;
    ++count;
  }
  return count;
}

Eigen::Matrix3Xd follow(const Correspondence& correspondence, const Eigen::Matrix3Xd& artist_positions,
                        Offset offset) {
  std::vector<Eigen::Matrix3d> frames;
  if (offset == Offset::carried)
    for (const auto& corner : correspondence.carrier.colwise())
      frames.push_back(frame_at(artist_positions, corner));
  const auto count = static_cast<int>(correspondence.kind.size());
  Eigen::Matrix3Xd targets(3, count);
  for (int i = 0; i < count; ++i) {
    if (correspondence.kind[i] == MatchKind::unused) {
      targets.col(i).setConstant(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const auto corner = correspondence.corner.col(i);
    const auto share = correspondence.barycentric.col(i);
    Eigen::Vector3d target = share[0] * artist_positions.col(corner[0]) +
                             share[1] * artist_positions.col(corner[1]) +
                             share[2] * artist_positions.col(corner[2]);
    const int carrier = correspondence.carrier_of[i];
    if (carrier >= 0 && offset == Offset::carried) target += frames[carrier] * correspondence.offset.col(i);
    targets.col(i) = target;
  }
  return targets;
}

}  // namespace pelt
