#include "quadruped.h"

#include <Eigen/Geometry>
#include <map>
#include <utility>

#include "skin_mesh.h"

namespace pelt {

RiggedSkin artist_rig() {
  const auto shape = animal_shape();
  RiggedSkin rig{mesh_of_shape(shape), artist_skeleton(), {}};
  rig.weights = heat_weights(rig.skin, limbs_of(rig.skin, shape), rig.skeleton);
  return rig;
}

RiggedSkin straight_rig(const Surface& skin) {
  RiggedSkin rig{skin, straight_skeleton(), {}};
  rig.weights = heat_weights(skin, limbs_of(skin, animal_shape()), rig.skeleton);
  return rig;
}

RiggedSkin subdivided(const RiggedSkin& rig) {
  const int old_vertices = static_cast<int>(rig.skin.positions.cols());
  const int old_triangles = static_cast<int>(rig.skin.triangles.cols());
  const int edges = old_triangles * 3 / 2;  // closed: two triangles an edge
  RiggedSkin fine{{}, rig.skeleton, {}};
  fine.skin.positions.resize(3, old_vertices + edges);
  fine.skin.positions.leftCols(old_vertices) = rig.skin.positions;
  fine.weights.resize(rig.weights.rows(), old_vertices + edges);
  fine.weights.leftCols(old_vertices) = rig.weights;
  fine.skin.triangles.resize(3, 4 * old_triangles);
  std::map<std::pair<int, int>, int> middle_of;
  const auto middle = [&](int a, int b) {
    const int next = old_vertices + static_cast<int>(middle_of.size());
    const auto [place, is_new] = middle_of.try_emplace(std::minmax(a, b), next);
    if (is_new) {
      fine.skin.positions.col(next) = 0.5 * (rig.skin.positions.col(a) + rig.skin.positions.col(b));
      fine.weights.col(next) = 0.5 * (rig.weights.col(a) + rig.weights.col(b));
    }
    return place->second;
  };
  for (int t = 0; t < old_triangles; ++t) {
    const Eigen::Vector3i v = rig.skin.triangles.col(t);
    const Eigen::Vector3i m(middle(v[0], v[1]), middle(v[1], v[2]), middle(v[2], v[0]));
    fine.skin.triangles.middleCols<4>(4 * t) << v[0], v[1], v[2], m[0],  //
        m[0], m[1], m[2], m[1],                                          //
        m[2], m[0], m[1], m[2];
  }
  return fine;
}

Eigen::Matrix3Xd skinned(const RiggedSkin& rig, const JointMotions& motions) {
  const Eigen::Matrix4Xd places = rig.skin.positions.colwise().homogeneous();
  Eigen::Matrix3Xd result = Eigen::Matrix3Xd::Zero(3, places.cols());
  for (std::size_t j = 0; j < motions.size(); ++j)
    result += motions[j].matrix().topRows<3>() * places * rig.weights.row(static_cast<int>(j)).asDiagonal();
  return result;
}

Eigen::Matrix3Xd normals_of(const Surface& skin) {
  Eigen::Matrix3Xd normals = Eigen::Matrix3Xd::Zero(3, skin.positions.cols());
  for (const auto& tri : skin.triangles.colwise()) {
    const Eigen::Vector3d a = skin.positions.col(tri[0]), b = skin.positions.col(tri[1]);
    const Eigen::Vector3d normal = (b - a).cross(skin.positions.col(tri[2]) - a);
    for (const int v : tri) normals.col(v) += normal;
  }
  return normals.colwise().normalized();
}

}  // namespace pelt
