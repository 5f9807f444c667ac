// The bind pose of a file: raw POSITION of each skin, laid on the rest surface by a similarity (DESIGN
// section 1).
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "../solver/similarity.h"
#include "pose.h"
#include "trs.h"

namespace pelt {
namespace {

/// All vertices of one skin, before skinning and at rest.
struct SkinPoints {
  Eigen::Matrix3Xd mesh, rest;
  Eigen::VectorXd area;
  std::vector<double> joint_mass;  ///< area times weight, a skin joint each
};

SkinPoints gather(const Scene& scene, int skin, const Surface& rest, const Eigen::VectorXd& area) {
  int count = 0;
  for (const Part& part : scene.parts) count += part.skin == skin ? part.vertices : 0;
  SkinPoints points{Eigen::Matrix3Xd(3, count), Eigen::Matrix3Xd(3, count), Eigen::VectorXd(count),
                    std::vector<double>(scene.skins[skin].joints.size(), 0)};
  int first = 0;
  for (const Part& part : scene.parts) {
    if (part.skin != skin) continue;
    points.mesh.middleCols(first, part.vertices) = morphed(part, part.morph_weights);
    points.rest.middleCols(first, part.vertices) =
        rest.positions.middleCols(part.first_vertex, part.vertices);
    points.area.segment(first, part.vertices) = area.segment(part.first_vertex, part.vertices);
    for (int v = 0; v < part.vertices; ++v)
      for (int k = 0; k < part.influences; ++k)
        points.joint_mass[part.joints(k, v)] += part.weights(k, v) * area[part.first_vertex + v];
    first += part.vertices;
  }
  return points;
}

// Float chains of real files miss orthogonality by up to 2e-5.
constexpr double kSimilar = 1e-3;

/// The similarity that an affine map is but for the rounding of a chain of floats, agreeing with it at
/// `centre`; empty where it is none.
std::optional<Eigen::Matrix4d> as_similarity(const Eigen::Matrix4d& affine, const Eigen::Vector3d& centre) {
  const Eigen::Matrix3d linear = affine.topLeftCorner<3, 3>(), gram = linear.transpose() * linear;
  const double scale = std::sqrt(gram.trace() / 3);
  if (!(scale > 0) || (gram / (scale * scale) - Eigen::Matrix3d::Identity()).norm() > kSimilar)
    return std::nullopt;
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix4d similarity = Eigen::Matrix4d::Identity();
  similarity.topLeftCorner<3, 3>() = scale * svd.matrixU() * svd.matrixV().transpose();
  similarity.topRightCorner<3, 1>() =
      (affine * centre.homogeneous()).head<3>() - similarity.topLeftCorner<3, 3>() * centre;
  return similarity;
}

/// How much of the surface is off, by area: a distance d counts d / (d + c), c = 2 % of the spread, so that
/// posed legs count as off but not by how far, and what coincides exactly decides.
double area_off(const SkinPoints& points, const Eigen::Matrix4d& model_from_mesh) {
  const Eigen::VectorXd share = points.area / points.area.sum();
  const Eigen::Vector3d mean = points.rest * share;
  const double spread = std::sqrt((points.rest.colwise() - mean).colwise().squaredNorm() * share);
  const Eigen::Matrix3Xd moved = (model_from_mesh * points.mesh.colwise().homogeneous()).topRows<3>();
  const Eigen::ArrayXd distance = (moved - points.rest).colwise().norm().transpose();
  return (distance / (distance + 0.02 * spread + std::numeric_limits<double>::min()) * share.array()).sum();
}

/// Similarities that may lay the raw mesh on the rest surface: the least-squares fit, exact where nothing is
/// posed, and the rest skin matrices, one of which is exact where most of the body is not posed. Empty where
/// a matrix allows no bind pose.
std::vector<Eigen::Matrix4d> bind_candidates(const Skin& skin, const ScenePose& rest,
                                             const SkinPoints& points) {
  const std::vector<Eigen::Matrix4d> model_from_bind = skin_matrices(skin, rest);
  std::vector<Eigen::Matrix4d> candidates;
  double mirrored_mass = 0;
  const Eigen::Vector3d centre = points.mesh * (points.area / points.area.sum());
  for (size_t j = 0; j < model_from_bind.size(); ++j) {
    if (points.joint_mass[j] <= 0) continue;
    if (flattens(skin.joint_from_bind[j])) return {};
    const Eigen::Matrix4d& s = model_from_bind[j];
    mirrored_mass += s.topLeftCorner<3, 3>().determinant() < 0 ? points.joint_mass[j] : -points.joint_mass[j];
    const bool known = std::any_of(candidates.begin(), candidates.end(),
                                   [&](const Eigen::Matrix4d& c) { return c.isApprox(s, 1e-6); });
    const auto similarity = as_similarity(s, centre);
    if (similarity && !known) candidates.push_back(*similarity);
  }
  if (const auto fit = fit_similarity(points.mesh, points.rest, points.area, mirrored_mass > 0))
    candidates.push_back(*fit);
  return candidates;
}

std::optional<Eigen::Matrix4d> model_from_mesh_in_bind(const Skin& skin, const ScenePose& rest,
                                                       const SkinPoints& points) {
  std::optional<Eigen::Matrix4d> best;
  double least = std::numeric_limits<double>::infinity();
  for (const Eigen::Matrix4d& candidate : bind_candidates(skin, rest, points)) {
    const double off = area_off(points, candidate);
    if (!(off < least)) continue;
    least = off;
    best = candidate;
  }
  return best;
}

/// model_from_node of a skin's joints in the bind pose: the similarity, then the bind matrix of the joint.
void bind_joints(const Skin& skin, const Eigen::Matrix4d& model_from_mesh,
                 std::map<int, Eigen::Matrix4d>& model_from_joint) {
  for (size_t j = 0; j < skin.joints.size(); ++j)
    if (!flattens(skin.joint_from_bind[j]))
      model_from_joint.emplace(skin.joints[j], model_from_mesh * skin.joint_from_bind[j].inverse());
}

/// What carries a rigid part from rest to bind: the motion of the nearest joint above; nothing where there is
/// none.
Eigen::Matrix4d bind_motion(const Scene& scene, const ScenePose& rest, int node,
                            const std::map<int, Eigen::Matrix4d>& model_from_joint) {
  while (node >= 0 && !model_from_joint.count(node)) node = scene.nodes[node].parent;
  if (node < 0 || flattens(rest.model_from_node[node])) return Eigen::Matrix4d::Identity();
  return model_from_joint.at(node) * rest.model_from_node[node].inverse();
}

}  // namespace

bool bind_surface(const Scene& scene, Surface& out) {
  const ScenePose rest = rest_pose(scene);
  Surface bind{surface_at(scene, rest), scene.triangles};
  const Eigen::VectorXd area = vertex_areas(bind);
  std::map<int, Eigen::Matrix4d> model_from_mesh;   // by skin
  std::map<int, Eigen::Matrix4d> model_from_joint;  // by node
  for (const Part& part : scene.parts) {
    if (part.skin < 0 || model_from_mesh.count(part.skin)) continue;
    const Skin& skin = scene.skins[part.skin];
    const auto fit = model_from_mesh_in_bind(skin, rest, gather(scene, part.skin, bind, area));
    if (!fit) return false;
    model_from_mesh[part.skin] = *fit;
    bind_joints(skin, *fit, model_from_joint);
  }
  if (model_from_mesh.empty()) return false;

  for (const Part& part : scene.parts) {
    auto points = bind.positions.middleCols(part.first_vertex, part.vertices);
    const Eigen::Matrix3Xd unposed =
        part.skin >= 0 ? morphed(part, part.morph_weights) : Eigen::Matrix3Xd(points);
    const Eigen::Matrix4d motion =
        part.skin >= 0 ? model_from_mesh[part.skin] : bind_motion(scene, rest, part.node, model_from_joint);
    points = (motion * unposed.colwise().homogeneous()).topRows<3>();
  }
  out = std::move(bind);
  return true;
}

}  // namespace pelt
