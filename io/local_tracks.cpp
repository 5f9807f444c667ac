#include "local_tracks.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pose.h"
#include "trs.h"

namespace pelt {
namespace {

constexpr double float_rounding = 1.0 / (1 << 24);  // half the spacing of floats just below 1
constexpr double scale_tolerance = 1e-6;            // |L - R S| / |L| that needs no scale track

using Matrices = std::vector<Eigen::Matrix4d>;

Eigen::Matrix4d affine(const Motion& motion) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topRows<3>() = motion;
  return m;
}

/// |L - R S| / |L| of the linear parts.
double misfit(const Eigen::Matrix4d& local, const Trs& trs) {
  const Eigen::Matrix3d linear = local.topLeftCorner<3, 3>();
  const double norm = linear.norm();
  return norm > 0 ? (linear - trs.rotation.toRotationMatrix() * trs.scale.asDiagonal()).norm() / norm : 0;
}

/// The TRS nearest to a local transform whose scale is given.
Trs with_scale(const Eigen::Matrix4d& local, const Eigen::Vector3d& scale, const Trs& rest) {
  const Eigen::Matrix3d correlation = local.topLeftCorner<3, 3>() * scale.asDiagonal();
  Trs trs{local.topRightCorner<3, 1>(), rest.rotation, scale};
  if (!correlation.isZero(0)) trs.rotation = closest_rotation(correlation);
  return trs;
}

/// Column lengths, with the signs of the rest scale.
Eigen::Vector3d column_scale(const Eigen::Matrix4d& local, const Trs& rest) {
  Eigen::Vector3d scale = local.topLeftCorner<3, 3>().colwise().norm();
  for (int k = 0; k < 3; ++k) scale[k] = std::copysign(scale[k], rest.scale[k]);
  return scale;
}

/// All that is known of one joint while its keys are made. Clips are one after another: `key` runs over all
/// of them.
struct JointWork {
  Trs rest;
  Eigen::Matrix4d rest_local;
  Matrices model_from_parent;  ///< a key each; as written, the nodes between the joints included
  std::vector<Trs> keys;
};

/// Local transforms that the poses ask for; rest under a singular parent.
Matrices wanted_locals(const JointWork& work, const Matrices& model_from_joint) {
  Matrices locals(model_from_joint.size());
  for (size_t key = 0; key < locals.size(); ++key)
    locals[key] = flattens(work.model_from_parent[key])
                      ? work.rest_local
                      : work.model_from_parent[key].inverse() * model_from_joint[key];
  return locals;
}

/// Fits TRS keys, with scale keys only where `may_scale`; returns the largest misfit that is left.
double fit_keys(const Matrices& locals, bool may_scale, JointWork& work) {
  double worst = 0;
  work.keys.clear();
  for (const Eigen::Matrix4d& local : locals) {
    work.keys.push_back(with_scale(local, work.rest.scale, work.rest));
    worst = std::max(worst, misfit(local, work.keys.back()));
  }
  if (worst <= scale_tolerance || !may_scale) return worst;

  worst = 0;
  for (size_t key = 0; key < locals.size(); ++key) {
    work.keys[key] = with_scale(locals[key], column_scale(locals[key], work.rest), work.rest);
    worst = std::max(worst, misfit(locals[key], work.keys[key]));
  }
  return worst;
}

/// Turns signs so that neighbouring rotation keys (and the first and the rest) are less than 180 degrees
/// apart as 4-vectors.
void align_hemispheres(JointWork& work, const std::vector<SolvedClip>& clips) {
  size_t key = 0;
  for (const SolvedClip& clip : clips) {
    Eigen::Vector4d previous = work.rest.rotation.coeffs();
    for (size_t k = 0; k < clip.times.size(); ++k, ++key) {
      Eigen::Vector4d& q = work.keys[key].rotation.coeffs();
      if (q.dot(previous) < 0) q = -q;
      previous = q;
    }
  }
}

/// Rounds to float what a track will carry and puts rest where no track is needed, so that the keys are what
/// a reader gets.
template <typename Get>
PropertyKeys settle(JointWork& work, const std::vector<SolvedClip>& clips, double rounding, const Get& get) {
  PropertyKeys property;
  for (Trs& key : work.keys) property.moves |= !((get(key) - get(work.rest)).array().abs() <= rounding).all();

  size_t first = 0;
  for (const SolvedClip& clip : clips) {
    Eigen::MatrixXf values(get(work.rest).size(), clip.times.size());
    for (Eigen::Index k = 0; k < values.cols(); ++k) {
      auto& key = get(work.keys[first + k]);
      if (!property.moves) key = get(work.rest);
      values.col(k) = key.template cast<float>();
      if (property.moves) key = values.col(k).template cast<double>();
    }
    property.of_clip.push_back(std::move(values));
    first += clip.times.size();
  }
  return property;
}

/// `model_shift`: a joint that stands off by no more than this is not moved.
JointKeys settle_keys(JointWork& work, const std::vector<SolvedClip>& clips, double model_shift) {
  double parent_scale = 0;
  for (const Eigen::Matrix4d& m : work.model_from_parent)
    parent_scale = std::max(parent_scale, m.topLeftCorner<3, 3>().norm() / std::sqrt(3.0));
  const double shift = std::max(parent_scale > 0 ? model_shift / parent_scale : 0,
                                float_rounding * work.rest.translation.cwiseAbs().maxCoeff());
  JointKeys keys;
  keys.translation = settle(work, clips, shift, [](Trs& t) -> Eigen::Vector3d& { return t.translation; });
  keys.rotation =
      settle(work, clips, float_rounding, [](Trs& t) -> Eigen::Vector4d& { return t.rotation.coeffs(); });
  keys.scale = settle(work, clips, float_rounding * work.rest.scale.cwiseAbs().maxCoeff(),
                      [](Trs& t) -> Eigen::Vector3d& { return t.scale; });
  return keys;
}

/// model_from_joint as a reader computes it from the settled keys.
Matrices as_written(const JointWork& work, const JointKeys& keys) {
  const bool moves = keys.translation.moves || keys.rotation.moves || keys.scale.moves;
  Matrices model_from_joint(work.keys.size());
  for (size_t key = 0; key < work.keys.size(); ++key) {
    Trs trs = work.keys[key];
    trs.rotation.normalize();
    model_from_joint[key] = work.model_from_parent[key] * (moves ? matrix_of(trs) : work.rest_local);
  }
  return model_from_joint;
}

/// Size of the skeleton: the diagonal of the box around the joints at rest.
double extent(const Rig& rig) {
  Eigen::Matrix3Xd origins(3, rig.joints());
  for (int j = 0; j < rig.joints(); ++j) origins.col(j) = rig.model_from_joint[j].topRightCorner<3, 1>();
  return origins.cols() ? (origins.rowwise().maxCoeff() - origins.rowwise().minCoeff()).norm() : 0;
}

/// Rest transform of the node above `node` relative to the nearest joint above, or to the model where there
/// is none.
Eigen::Matrix4d joint_from_parent_node(const Scene& scene, const SceneRig& rig, int node) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  for (int up = scene.nodes[node].parent; up >= 0 && rig.joint_of_node[up] < 0; up = scene.nodes[up].parent)
    m = rest_local(scene.nodes[up]) * m;
  return m;
}

/// Starts the work on a joint whose parent is done: `written` has the model transforms of the joints so far.
JointWork begin(const Scene& scene, const SceneRig& rig, int j, size_t keys,
                const std::vector<Matrices>& written) {
  const int node = rig.node_of_joint[j], parent = rig.rig.parent[j];
  const Eigen::Matrix4d above = joint_from_parent_node(scene, rig, node);
  JointWork work{rest_trs(scene.nodes[node]), rest_local(scene.nodes[node]), Matrices(keys, above), {}};
  if (parent < 0) return work;
  for (size_t key = 0; key < keys; ++key) work.model_from_parent[key] = written[parent][key] * above;
  return work;
}

}  // namespace

LocalTracks local_tracks(const Scene& scene, const SceneRig& rig, const std::vector<SolvedClip>& clips,
                         bool rigid_bones) {
  std::vector<const Pose*> poses;
  for (const SolvedClip& clip : clips)
    for (const Pose& pose : clip.poses) poses.push_back(&pose);

  const double size = extent(rig.rig);
  LocalTracks tracks;
  std::vector<Matrices> written;  // model_from_joint, a joint each
  for (int j = 0; j < rig.rig.joints(); ++j) {
    JointWork work = begin(scene, rig, j, poses.size(), written);
    Matrices model_from_joint;
    for (const Pose* pose : poses)
      model_from_joint.push_back(affine((*pose)[j]) * rig.rig.model_from_joint[j]);
    const double shear = fit_keys(wanted_locals(work, model_from_joint), !rigid_bones, work);
    if (rigid_bones && rig.rig.parent[j] >= 0)
      for (Trs& key : work.keys) key.translation = work.rest.translation;
    if (shear > tracks.worst_shear) {
      tracks.worst_shear = shear;
      tracks.worst_joint = j;
    }
    align_hemispheres(work, clips);
    tracks.joints.push_back(settle_keys(work, clips, float_rounding * size));
    written.push_back(as_written(work, tracks.joints.back()));
  }
  return tracks;
}

}  // namespace pelt
