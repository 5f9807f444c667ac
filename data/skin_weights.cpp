// Bone heat: Baran and Popovic, "Automatic rigging and animation of 3D characters" (2007), section 4, with
// the bone of a vertex chosen within its limb instead of by visibility. The Laplacian is the cotangent one of
// Pinkall and Polthier (1993).

#include "skin_weights.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace pelt {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct NearestBone {
  int joint = -1;
  double sq_dist = std::numeric_limits<double>::infinity();
};

bool other_side(const Joint& joint, const Eigen::Vector3d& p) { return joint.origin.x() * p.x() < 0; }

NearestBone nearest_bone(const Eigen::Vector3d& p, BodyPart limb, const Skeleton& skeleton) {
  NearestBone nearest;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const Joint& joint = skeleton[j];
    if (joint.limb != limb || !joint.weighted || other_side(joint, p)) continue;
    const double sq_dist = (p - closest_on_segment(p, joint.origin, joint.tip)).squaredNorm();
    if (sq_dist < nearest.sq_dist) nearest = {static_cast<int>(j), sq_dist};
  }
  return nearest;
}

/// Cotangent Laplacian, positive semidefinite; negative cotangents count as zero, so that weights stay within
/// 0 and 1.
SparseMatrix laplacian(const Surface& skin) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int t = 0; t < skin.triangles.cols(); ++t)
    for (int corner = 0; corner < 3; ++corner) {
      const int apex = skin.triangles(corner, t);
      const int a = skin.triangles((corner + 1) % 3, t), b = skin.triangles((corner + 2) % 3, t);
      const Eigen::Vector3d to_a = skin.positions.col(a) - skin.positions.col(apex);
      const Eigen::Vector3d to_b = skin.positions.col(b) - skin.positions.col(apex);
      const double half_cotangent = std::max(0.0, 0.5 * to_a.dot(to_b) / to_a.cross(to_b).norm());
      entries.insert(
          entries.end(),
          {{a, a, half_cotangent}, {b, b, half_cotangent}, {a, b, -half_cotangent}, {b, a, -half_cotangent}});
    }
  SparseMatrix result(skin.positions.cols(), skin.positions.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// A third of the area of the triangles around each vertex.
Eigen::VectorXd third_areas(const Surface& skin) {
  Eigen::VectorXd area = Eigen::VectorXd::Zero(skin.positions.cols());
  for (const auto& tri : skin.triangles.colwise()) {
    const Eigen::Vector3d a = skin.positions.col(tri[0]), b = skin.positions.col(tri[1]);
    const double third = (b - a).cross(skin.positions.col(tri[2]) - a).norm() / 6;
    for (const int v : tri) area[v] += third;
  }
  return area;
}

void normalise_columns(WeightMatrix& weights) {
  for (auto column : weights.colwise()) column /= column.sum();
}

/// Fades paired joints out towards the plane x = 0 and beyond it.
void keep_to_own_side(const Surface& skin, const Skeleton& skeleton, WeightMatrix& weights) {
  const double fade = 0.08;  // metres
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    if (skeleton[j].origin.x() == 0) continue;
    const double side = skeleton[j].origin.x() > 0 ? 1 : -1;
    for (int v = 0; v < skin.positions.cols(); ++v) {
      const double s = std::clamp(side * skin.positions(0, v) / fade, 0.0, 1.0);
      weights(static_cast<int>(j), v) *= s * s * (3 - 2 * s);
    }
  }
}

std::vector<std::vector<int>> neighbours_of(const Surface& skin) {
  std::vector<std::vector<int>> of(skin.positions.cols());
  for (const auto& tri : skin.triangles.colwise())  // closed and oriented: each neighbour is next once
    for (int corner = 0; corner < 3; ++corner) of[tri[corner]].push_back(tri[(corner + 1) % 3]);
  return of;
}

/// Vertices within so many edges of the middle.
std::vector<int> patch_around(int middle, int rings, const std::vector<std::vector<int>>& neighbours) {
  std::vector<int> patch{middle};
  std::vector<char> taken(neighbours.size(), 0);
  taken[middle] = 1;
  std::size_t ring_start = 0;
  for (int ring = 0; ring < rings; ++ring) {
    const std::size_t ring_end = patch.size();
    for (; ring_start < ring_end; ++ring_start)
      for (const int v : neighbours[patch[ring_start]])
        if (!taken[v]) {
          taken[v] = 1;
          patch.push_back(v);
        }
  }
  return patch;
}

}  // namespace

std::vector<BodyPart> limbs_of(const Surface& skin, const std::vector<Capsule>& shape) {
  std::vector<BodyPart> limbs;
  for (const auto& p : skin.positions.colwise()) limbs.push_back(nearest_capsule(shape, p).limb);
  return limbs;
}

WeightMatrix heat_weights(const Surface& skin, const std::vector<BodyPart>& limbs, const Skeleton& skeleton) {
  const auto vertices = skin.positions.cols();
  const Eigen::VectorXd area = third_areas(skin);
  Eigen::MatrixXd sources = Eigen::MatrixXd::Zero(vertices, static_cast<int>(skeleton.size()));
  SparseMatrix system = laplacian(skin);
  for (int v = 0; v < vertices; ++v) {
    const NearestBone nearest = nearest_bone(skin.positions.col(v), limbs[v], skeleton);
    const double heat = area[v] / nearest.sq_dist;
    system.coeffRef(v, v) += heat;
    sources(v, nearest.joint) = heat;
  }
  const Eigen::SimplicialLDLT<SparseMatrix> factor(system);
  WeightMatrix weights = factor.solve(sources).transpose();
  keep_to_own_side(skin, skeleton, weights);
  normalise_columns(weights);
  return weights;
}

WeightMatrix blurred(const WeightMatrix& weights, const Surface& skin, int rounds) {
  const auto neighbours = neighbours_of(skin);
  WeightMatrix now = weights;
  for (int round = 0; round < rounds; ++round) {
    const WeightMatrix before = now;
    for (int v = 0; v < now.cols(); ++v) {
      Eigen::VectorXd sum = Eigen::VectorXd::Zero(now.rows());
      for (const int near : neighbours[v]) sum += before.col(near);
      now.col(v) = 0.5 * before.col(v) + 0.5 / static_cast<double>(neighbours[v].size()) * sum;
    }
  }
  return now;
}

WeightMatrix scattered(const WeightMatrix& weights, const Surface& skin, const Skeleton& skeleton,
                       const ScatterSettings& settings) {
  std::mt19937 random{settings.seed};  // its raw numbers: the standard fixes those, not the distributions
  const auto neighbours = neighbours_of(skin);
  WeightMatrix result = weights;
  for (int patch = 0; patch < settings.patches; ++patch) {
    const int middle = static_cast<int>(random() % static_cast<unsigned>(weights.cols()));
    int owner = 0;
    weights.col(middle).maxCoeff(&owner);
    int wrong = owner;
    while (!skeleton[wrong].weighted || skeleton[wrong].limb == skeleton[owner].limb)
      wrong = static_cast<int>(random() % skeleton.size());
    for (const int v : patch_around(middle, settings.rings, neighbours)) {
      result.col(v) *= 1 - settings.share;
      result(wrong, v) += settings.share;
    }
  }
  return result;
}

PackedWeights packed(const WeightMatrix& weights) {
  PackedWeights result;
  result.joint.setZero(4, weights.cols());
  result.weight.setZero(4, weights.cols());
  std::vector<int> order(weights.rows());
  for (int v = 0; v < weights.cols(); ++v) {
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weights(a, v) > weights(b, v); });
    const double least = 0.005 * weights(order[0], v);
    double sum = 0;
    int kept = 0;
    for (; kept < 4 && weights(order[kept], v) > least; ++kept) sum += weights(order[kept], v);
    float rest = 0;
    for (int slot = kept - 1; slot >= 0; --slot) {
      result.joint(slot, v) = order[slot];
      result.weight(slot, v) = slot > 0 ? static_cast<float>(weights(order[slot], v) / sum) : 1 - rest;
      rest += result.weight(slot, v);
    }
  }
  return result;
}

}  // namespace pelt
