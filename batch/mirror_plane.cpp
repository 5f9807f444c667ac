// Candidates half-way between ends of the skeleton, each refined by matching the mirrored joints to their
// nearest and fitting the plane to the matches, as iterated closest points do (Besl and McKay 1992).
#include "mirror_plane.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "point_tree.h"

namespace pelt {
namespace {

constexpr std::size_t kEnds = 24;      // of the skeleton that candidates come from: the farthest ones
constexpr std::size_t kSiblings = 64;  // pairs of siblings, those nearest to the root
constexpr Eigen::Index kAsked = 1000;  // joints that a plane is judged by, taken evenly where there are more
constexpr int kRounds = 4;
constexpr double kPartner = 0.05;   // of diag: no joint farther off is fitted to
constexpr double kFar = 0.02;       // a joint without a partner costs no more than this
constexpr double kOnePlace = 1e-3;  // of diag
constexpr double kBetter = 1e-6;    // of diag

/// Joints without children, the one farthest from its root along the bones first.
std::vector<int> farthest_ends(const Bones& bones) {
  std::vector<double> way(bones.joints(), 0);
  std::vector<int> ends;
  for (int j = 0; j < bones.joints(); ++j) {
    const int parent = bones.parent[j];
    if (parent >= 0) way[j] = way[parent] + (bones.origin.col(j) - bones.origin.col(parent)).norm();
    if (bones.is_end(j)) ends.push_back(j);
  }
  std::stable_sort(ends.begin(), ends.end(), [&](int a, int b) { return way[a] > way[b]; });
  if (ends.size() > kEnds) ends.resize(kEnds);
  return ends;
}

using Pair = std::pair<Eigen::Vector3d, Eigen::Vector3d>;

/// The best plane for pairs of points: with both about their common centroid, sum |mirrored(p) - q|^2 is a
/// constant plus 4 n^T (sum p q^T) n.
Plane fitted(const std::vector<Pair>& pairs) {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (const auto& [p, q] : pairs) centre += (p + q) / (2 * static_cast<double>(pairs.size()));
  Eigen::Matrix3d cross = Eigen::Matrix3d::Zero();
  for (const auto& [p, q] : pairs) {
    const Eigen::Matrix3d product = (p - centre) * (q - centre).transpose();
    cross += product + product.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(cross);
  const Eigen::Vector3d normal = solver.eigenvectors().col(0);
  return {normal, normal.dot(centre)};
}

/// Fits the plane anew and returns how far mirrored joints are from their nearest, on average, before that.
double refine(const PointTree& cloud, double diag, Plane& plane) {
  std::vector<Pair> pairs;
  double sum = 0;
  const Eigen::Index all = cloud.points().cols(), step = (all + kAsked - 1) / kAsked;
  for (Eigen::Index k = 0; k < all; k += step) {
    const Eigen::Vector3d p = cloud.points().col(k);
    double sq_dist = 0;
    const Eigen::Index near = cloud.nearest(plane.mirrored(p), sq_dist);
    sum += std::min(std::sqrt(sq_dist), kFar * diag);
    if (sq_dist < kPartner * kPartner * diag * diag) pairs.emplace_back(p, cloud.points().col(near));
  }
  if (pairs.size() > 2) plane = fitted(pairs);
  return sum * static_cast<double>(step) / static_cast<double>(all);
}

using Pairs = std::vector<std::array<int, 2>>;

/// Children of one joint, which stay in place where limbs are posed; the first ones of the skeleton.
Pairs siblings(const Bones& bones) {
  Pairs pairs;
  for (const std::vector<int>& children : bones.children)
    for (std::size_t a = 0; a < children.size(); ++a)
      for (std::size_t b = a + 1; b < children.size(); ++b) {
        if (pairs.size() == kSiblings) return pairs;
        pairs.push_back({children[a], children[b]});
      }
  return pairs;
}

/// Joints that may be each other's mirror image.
Pairs likely_pairs(const Bones& bones) {
  Pairs pairs = siblings(bones);
  const std::vector<int> ends = farthest_ends(bones);
  for (std::size_t a = 0; a < ends.size(); ++a)
    for (std::size_t b = a + 1; b < ends.size(); ++b) pairs.push_back({ends[a], ends[b]});
  return pairs;
}

/// Where joints are that move something; several at one place count once.
Eigen::MatrixXd places_of(const Bones& bones, double diag) {
  std::map<std::array<long long, 3>, int> joint_in_cell;
  for (int j = 0; j < bones.joints(); ++j) {
    if (!bones.moves[j]) continue;
    const Eigen::Vector3d cell = bones.origin.col(j) / (kOnePlace * diag);
    joint_in_cell.emplace(std::array{std::llround(cell.x()), std::llround(cell.y()), std::llround(cell.z())},
                          j);
  }
  std::vector<int> joints;
  for (const auto& [cell, j] : joint_in_cell) joints.push_back(j);
  return bones.origin(Eigen::all, joints);
}

}  // namespace

std::optional<Plane> mirror_plane(const Bones& bones, double diag) {
  const PointTree cloud(places_of(bones, diag));

  std::optional<Plane> best;
  double least = 0;
  for (const auto& [a, b] : likely_pairs(bones)) {
    const Eigen::Vector3d p = bones.origin.col(a), q = bones.origin.col(b);
    if ((p - q).norm() < kBetter * diag) continue;
    Plane plane{(p - q).normalized(), 0};
    plane.offset = plane.normal.dot(p + q) / 2;
    for (int round = 0; round < kRounds; ++round) {
      const Plane tried = plane;
      const double cost = refine(cloud, diag, plane);
      if (!best || cost < least - kBetter * diag) least = cost, best = tried;
    }
  }
  return best;
}

}  // namespace pelt
