#include "resplit.h"

#include <Eigen/Geometry>
#include <map>
#include <numeric>
#include <random>
#include <utility>

namespace pelt {
namespace {

/// Fisher and Yates on the generator's raw numbers: the standard library's shuffle differs from one to
/// another.
std::vector<int> shuffled(int count, std::mt19937& random) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (int k = count - 1; k > 0; --k) std::swap(order[k], order[random() % static_cast<unsigned>(k + 1)]);
  return order;
}

/// 0 to 5: the axis, and the direction along it, that a triangle faces most.
int facing_group(const Surface& skin, const Eigen::Vector3i& tri) {
  const Eigen::Vector3d a = skin.positions.col(tri[0]), b = skin.positions.col(tri[1]);
  const Eigen::Vector3d normal = (b - a).cross(skin.positions.col(tri[2]) - a);
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  return 2 * axis + (normal[axis] > 0 ? 1 : 0);
}

}  // namespace

QuadrupedRig resplit(const RiggedSkin& rig, unsigned seed) {
  std::mt19937 random{seed};
  std::map<std::pair<int, int>, int> split;  // vertex and group
  for (const auto& tri : rig.skin.triangles.colwise())
    for (const int v : tri) split.try_emplace({v, facing_group(rig.skin, tri)}, 0);
  const auto place = shuffled(static_cast<int>(split.size()), random);
  int next = 0;
  for (auto& [corner, vertex] : split) vertex = place[next++];

  QuadrupedRig file;
  file.rig = {{}, rig.skeleton, WeightMatrix(rig.weights.rows(), split.size())};
  file.rig.skin.positions.resize(3, split.size());
  for (const auto& [corner, vertex] : split) {
    file.rig.skin.positions.col(vertex) = rig.skin.positions.col(corner.first);
    file.rig.weights.col(vertex) = rig.weights.col(corner.first);
  }
  const int triangles = static_cast<int>(rig.skin.triangles.cols());
  const auto order = shuffled(triangles, random);
  file.rig.skin.triangles.resize(3, triangles);
  for (int t = 0; t < triangles; ++t) {
    const Eigen::Vector3i tri = rig.skin.triangles.col(t);
    const int group = facing_group(rig.skin, tri);
    for (int corner = 0; corner < 3; ++corner)
      file.rig.skin.triangles((corner + t) % 3, order[t]) = split.at({tri[corner], group});
  }
  for (std::size_t j = 0; j < rig.skeleton.size(); ++j)
    file.rig.skeleton[j].name = "bone_" + std::to_string(j + 1);
  file.normals = normals_of(file.rig.skin);
  file.joints_backwards = true;
  return file;
}

}  // namespace pelt
