// Coincident vertices by a kd-tree (nanoflann), everything else by exact closest points (closest_point.h).
#include "correspond.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <nanoflann.hpp>
#include <tuple>
#include <utility>

#include "error.h"

namespace pelt {

namespace {

/// Below this sine of its first angle a triangle's normal is mostly rounding.
constexpr double thinnest = 1e-8;

/// The used vertices of a surface, as nanoflann wants to see them.
struct UsedVertices {
  const Surface& surface;
  std::vector<int> vertex;

  explicit UsedVertices(const Surface& s) : surface(s) {
    const std::vector<char> used = used_vertices(s);
    for (int i = 0; i < static_cast<int>(used.size()); ++i) {
      if (used[i]) vertex.push_back(i);
    }
  }
  std::size_t kdtree_get_point_count() const { return vertex.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const {
    return surface.positions(static_cast<Eigen::Index>(axis), vertex[i]);
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};
using VertexTree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, UsedVertices>,
                                                       UsedVertices, 3, int>;

/// Triangles around each vertex: triangle[first[i]] to triangle[first[i + 1] - 1].
struct Adjacency {
  std::vector<int> first, triangle;

  explicit Adjacency(const Surface& surface)
      : first(surface.positions.cols() + 1, 0), triangle(surface.triangles.size()) {
    for (const int vertex : surface.triangles.reshaped()) ++first[vertex + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<int> next(first.begin(), first.end() - 1);
    for (int t = 0; t < surface.triangles.cols(); ++t) {
      for (const int vertex : surface.triangles.col(t)) triangle[next[vertex]++] = t;
    }
  }
};

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

/// Everything a rig vertex needs to find its place.
struct Matcher {
  const Surface& artist;
  const CorrespondSettings& settings;
  const TriangleTree& triangle_tree;
  Eigen::Matrix3Xd normals = face_normals(artist);
  double coincidence = settings.coincidence * bounding_diagonal(artist);
  Adjacency around = Adjacency(artist);
  UsedVertices used = UsedVertices(artist);
  VertexTree vertex_tree = VertexTree(3, used, {10});
};

bool coincides(const Matcher& matcher, int artist_vertex, const Eigen::Vector3d& p) {
  return (matcher.artist.positions.col(artist_vertex) - p).norm() <= matcher.coincidence;
}

SurfacePoint closest_on(const Surface& surface, int triangle, const Eigen::Vector3d& p) {
  const Eigen::Matrix3d corners = corners_of(surface.positions, surface.triangles.col(triangle));
  SurfacePoint point = closest_on_triangle(p, {corners.col(0), corners.col(1), corners.col(2)});
  point.triangle = triangle;
  return point;
}

std::vector<SurfacePoint> candidates_of(const Matcher& matcher, const Eigen::Vector3d& p) {
  std::vector<std::pair<int, double>> near;  // index into used.vertex, squared distance
  matcher.vertex_tree.radiusSearch(p.data(), matcher.coincidence * matcher.coincidence, near, {});
  std::vector<SurfacePoint> candidates;
  for (const auto& [index, sq_dist] : near) {
    const int vertex = matcher.used.vertex[index];
    for (int k = matcher.around.first[vertex]; k < matcher.around.first[vertex + 1]; ++k) {
      candidates.push_back(closest_on(matcher.artist, matcher.around.triangle[k], p));
    }
  }
  if (!candidates.empty()) return candidates;
  const SurfacePoint closest = matcher.triangle_tree.closest(p);
  candidates = matcher.triangle_tree.within(p, std::sqrt(closest.sq_dist) + matcher.coincidence);
  if (candidates.empty()) candidates = {closest};  // the square root may round down
  return candidates;
}

struct RigVertex {
  int index = 0;
  Eigen::Vector3d position, normal;
};

SurfacePoint best_of(const Matcher& matcher, const std::vector<SurfacePoint>& candidates,
                     const RigVertex& vertex) {
  const bool twin =
      vertex.index < matcher.artist.positions.cols() && coincides(matcher, vertex.index, vertex.position);
  const auto rank = [&](const SurfacePoint& point) {
    const double cosine = matcher.normals.col(point.triangle).dot(vertex.normal);
    const bool at_twin = twin && (matcher.artist.triangles.col(point.triangle).array() == vertex.index).any();
    return std::tuple(-std::nearbyint(cosine * (1 / matcher.settings.facing)), point.sq_dist, !at_twin,
                      point.triangle);
  };
  return *std::min_element(candidates.begin(), candidates.end(),
                           [&](const SurfacePoint& a, const SurfacePoint& b) { return rank(a) < rank(b); });
}

void validate(const CorrespondSettings& settings) {
  if (!(settings.coincidence >= 0))
    throw InvalidInput("coincidence " + std::to_string(settings.coincidence) + " < 0");
  if (!(settings.facing > 0)) throw InvalidInput("facing step " + std::to_string(settings.facing) + " <= 0");
}

void match(const Matcher& matcher, const RigVertex& vertex, Correspondence& result) {
  const SurfacePoint place = best_of(matcher, candidates_of(matcher, vertex.position), vertex);
  const Eigen::Vector3i corner = matcher.artist.triangles.col(place.triangle);
  const Eigen::Matrix3d corners = corners_of(matcher.artist.positions, corner);
  const Eigen::Vector3d offset = vertex.position - corners * place.barycentric;
  const bool at_vertex = std::any_of(corner.begin(), corner.end(),
                                     [&](int k) { return coincides(matcher, k, vertex.position); });
  result.corner.col(vertex.index) = corner;
  result.barycentric.col(vertex.index) = place.barycentric;
  result.gap[vertex.index] = offset.norm();
  result.kind[vertex.index] = at_vertex ? MatchKind::coincident : MatchKind::surface;
  if (offset.norm() <= matcher.coincidence) return;
  const Eigen::Matrix3d frame = triangle_frame(corners.col(0), corners.col(1), corners.col(2));
  result.offset.col(vertex.index) = frame.transpose() * offset;
}

/// The artist's vertex on which a rig vertex sits, -1 where it sits on none.
int vertex_under(const Correspondence& c, int i) {
  const double *offset = c.offset.data() + 3L * i, *barycentric = c.barycentric.data() + 3L * i;
  if (offset[0] != 0 || offset[1] != 0 || offset[2] != 0) return -1;
  for (int k = 0; k < 3; ++k)
    if (barycentric[k] == 1) return c.corner(k, i);
  return -1;
}

}  // namespace

Correspondence correspond(const Surface& artist, const Surface& rig, const CorrespondSettings& settings) {
  validate(artist, "artist");
  validate(rig, "rig");
  validate(settings);
  const TriangleTree tree(artist);
  const Matcher matcher{artist, settings, tree};
  const std::vector<char> used = used_vertices(rig);
  const Eigen::Matrix3Xd normals = vertex_normals(rig);
  const auto count = static_cast<int>(rig.positions.cols());
  Correspondence result;
  result.corner = Eigen::Matrix3Xi::Constant(3, count, -1);
  result.barycentric = Eigen::Matrix3Xd::Zero(3, count);
  result.offset = Eigen::Matrix3Xd::Zero(3, count);
  result.kind.assign(static_cast<std::size_t>(count), MatchKind::unused);
  result.gap = Eigen::VectorXd::Zero(count);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < count; ++i) {
    if (used[i]) match(matcher, {i, rig.positions.col(i), normals.col(i)}, result);
  }
  result.surface_gap = surface_gap(artist, tree, rig, settings.samples);
  return result;
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

Eigen::Matrix3Xd follow(const Correspondence& correspondence, const Eigen::Matrix3Xd& artist_positions) {
  const auto count = static_cast<int>(correspondence.kind.size());
  Eigen::Matrix3Xd targets(3, count);
  for (int i = 0; i < count; ++i) {
    if (correspondence.kind[i] == MatchKind::unused) {
      targets.col(i).setConstant(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    if (const int vertex = vertex_under(correspondence, i); vertex >= 0) {
      targets.col(i) = artist_positions.col(vertex);
      continue;
    }
    const Eigen::Matrix3d corners = corners_of(artist_positions, correspondence.corner.col(i));
    targets.col(i) = corners * correspondence.barycentric.col(i);
    if (correspondence.offset.col(i).isZero(0)) continue;
    const Eigen::Matrix3d frame = triangle_frame(corners.col(0), corners.col(1), corners.col(2));
    targets.col(i) += frame * correspondence.offset.col(i);
  }
  return targets;
}

}  // namespace pelt
