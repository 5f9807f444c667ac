// Point-to-plane distances: Chen and Medioni, "Object modelling by registration of multiple range images",
// 1992; the linear step for small rotations follows Low, "Linear least-squares optimization for
// point-to-plane ICP surface registration", 2004, with the scale as seventh unknown and both surfaces'
// closest points. Leaving out the farthest pairs: Chetverikov, Svirko, Stepanov, Krsek, "The trimmed
// iterative closest point algorithm", 2002; three medians as the bound of outliers: Rousseeuw and Leroy,
// "Robust regression", 1987.
#include "align_pairs.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "similarity.h"

namespace pelt {

namespace {

constexpr double kKept = 0.9;         // share of pairs a side
constexpr double kMedians = 3;        // beyond so many a distance is an outlier
constexpr double kAlongPlane = 1e-3;  // weight of the distance within the plane: what slides freely stays

using Row7 = Eigen::Matrix<double, 3, 7>;

/// The smallest distance that a share of a side does not exceed.
double quantile(std::vector<double>& distance, double share) {
  const auto at =
      distance.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(distance.size() - 1));
  std::nth_element(distance.begin(), at, distance.end());
  return *at;
}

/// Change of a point, measured from the centre, by rotation vector, logarithm of scale and translation.
Row7 change_of(const Eigen::Vector3d& p) {
  Row7 change;
  change << 0, p.z(), -p.y(), p.x(), 1, 0, 0,  //
      -p.z(), 0, p.x(), p.y(), 0, 1, 0,        //
      p.y(), -p.x(), 0, p.z(), 0, 0, 1;
  return change;
}

Eigen::Matrix4d similarity_of(const Eigen::Matrix<double, 7, 1>& x, const Eigen::Vector3d& centre,
                              double diag) {
  const Eigen::Vector3d turn = x.head<3>();
  const Eigen::Matrix3d linear =
      std::exp(x[3]) * Eigen::AngleAxisd(turn.norm(), turn.stableNormalized()).toRotationMatrix();
  Eigen::Matrix4d similarity = Eigen::Matrix4d::Identity();
  similarity.topLeftCorner<3, 3>() = linear;
  similarity.topRightCorner<3, 1>() = centre + diag * x.tail<3>() - linear * centre;
  return similarity;
}

/// The closest point, looked for no farther than on the triangle `hint`.
SurfacePoint closest_from(int hint, const IndexedSurface& on, const Eigen::Vector3d& p) {
  const SurfacePoint there = closest_on(on.surface, hint, p), hit = on.tree.closest(p, there.sq_dist);
  return hit.triangle < 0 ? there : hit;
}

}  // namespace

ClosestPairs closest_pairs(const AlignSide& artist, const AlignSide& rig,
                           const Eigen::Matrix4d& artist_from_rig, Samples samples,
                           const std::vector<int>& before) {
  const Eigen::Affine3d to_artist(artist_from_rig), to_rig = to_artist.inverse();
  const double scale = scale_of(artist_from_rig);
  const Eigen::Matrix3Xd& of_rig = samples == Samples::few ? rig.few : rig.many;
  const Eigen::Matrix3Xd& of_artist = samples == Samples::few ? artist.few : artist.many;
  const auto side = static_cast<int>(of_rig.cols());
  ClosestPairs pairs;
  for (Eigen::Matrix3Xd* points : {&pairs.rig, &pairs.artist, &pairs.normal}) points->resize(3, 2 * side);
  pairs.distance.resize(2 * side);
  pairs.triangle.resize(static_cast<std::size_t>(2 * side));
#pragma omp parallel for schedule(static) if (samples == Samples::many)
  for (int k = 0; k < side; ++k) {
    const auto put = [&](int at, const AlignSide& on, const Eigen::Vector3d& from) -> Eigen::Vector3d {
      const SurfacePoint hit = closest_from(before.empty() ? 0 : before[at], on.on, from);
      pairs.triangle[at] = hit.triangle;
      pairs.normal.col(at) = on.normals.col(hit.triangle);
      pairs.distance[at] = std::sqrt(hit.sq_dist);
      const Surface& surface = on.on.surface;
      return surface.positions(Eigen::all, surface.triangles.col(hit.triangle)) * hit.barycentric;
    };
    pairs.rig.col(k) = to_artist * of_rig.col(k);
    pairs.artist.col(k) = put(k, artist, pairs.rig.col(k));
    const int other = side + k;
    pairs.artist.col(other) = of_artist.col(k);
    pairs.rig.col(other) = to_artist * put(other, rig, to_rig * of_artist.col(k));
    pairs.normal.col(other) = to_artist.linear() * pairs.normal.col(other) / scale;
    pairs.distance[other] *= scale;
  }
  return pairs;
}

double two_sided_gap(const ClosestPairs& pairs, double far) { return pairs.distance.cwiseMin(far).mean(); }

double two_sided_gap(const AlignSide& artist, const AlignSide& rig, const Eigen::Matrix4d& artist_from_rig,
                     double far) {
  const Eigen::Affine3d to_artist(artist_from_rig), to_rig = to_artist.inverse();
  const double scale = scale_of(artist_from_rig), far_on_rig = far / scale;
  double sum = 0;
  for (const auto& p : rig.few.colwise())
    sum += std::sqrt(artist.on.tree.closest(to_artist * p, far * far).sq_dist);
  for (const auto& p : artist.few.colwise())
    sum += scale * std::sqrt(rig.on.tree.closest(to_rig * p, far_on_rig * far_on_rig).sq_dist);
  return sum / static_cast<double>(2 * rig.few.cols());
}

namespace {

/// Flags of the pairs that are no farther than a side's limit, of its distances.
template <class Limit>
Eigen::VectorXd pairs_within(const ClosestPairs& pairs, Limit&& limit) {
  const Eigen::Index side = pairs.distance.size() / 2;
  Eigen::VectorXd weights(2 * side);
  for (const Eigen::Index first : {Eigen::Index(0), side}) {
    const auto distance = pairs.distance.segment(first, side);
    std::vector<double> sorted(distance.begin(), distance.end());
    weights.segment(first, side) = (distance.array() <= limit(sorted)).template cast<double>();
  }
  return weights;
}

}  // namespace

Eigen::VectorXd nearest_pairs(const ClosestPairs& pairs) {
  return pairs_within(pairs, [](std::vector<double>& distance) { return quantile(distance, kKept); });
}

Eigen::VectorXd agreeing_pairs(const ClosestPairs& pairs, double coincidence) {
  return pairs_within(pairs, [&](std::vector<double>& distance) {
    return std::min(quantile(distance, kKept), std::max(coincidence, kMedians * quantile(distance, 0.5)));
  });
}

Eigen::Matrix4d step_to_planes(const ClosestPairs& pairs, const Eigen::VectorXd& weights, double diag) {
  const Eigen::Vector3d centre = pairs.artist * weights / weights.sum();
  Eigen::Matrix<double, 7, 7> normal_matrix = Eigen::Matrix<double, 7, 7>::Zero();
  Eigen::Matrix<double, 7, 1> gradient = Eigen::Matrix<double, 7, 1>::Zero();
  for (Eigen::Index k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0) continue;
    const Eigen::Vector3d normal = pairs.normal.col(k);
    const Row7 change = change_of((pairs.rig.col(k) - centre) / diag);
    const Eigen::Matrix3d metric = normal * normal.transpose() + kAlongPlane * Eigen::Matrix3d::Identity();
    const Eigen::Matrix<double, 7, 3> weighted = change.transpose() * metric;
    normal_matrix += weighted * change;
    gradient += weighted * ((pairs.artist.col(k) - pairs.rig.col(k)) / diag);
  }
  return similarity_of(normal_matrix.ldlt().solve(gradient), centre, diag);
}

}  // namespace pelt
