#include "motive.h"

#include "pose.h"

namespace pelt {
namespace {

/// Of how many of the file's vertices each vertex stands.
Eigen::VectorXd copies_of(const RigFile& rig) {
  const std::vector<int>& copies = rig.distinct.copies;
  if (copies.empty()) return Eigen::VectorXd::Ones(rig.rest.positions.cols());
  return Eigen::Map<const Eigen::VectorXi>(copies.data(), static_cast<Eigen::Index>(copies.size()))
      .cast<double>();
}

}  // namespace

Eigen::Matrix3Xd passing_surface_at(const Motive& motive, const Clip& clip, double time) {
  return motive.cache ? motive.cache->anew(clip, time)
                      : surface_at(*motive.scene, pose_at(*motive.scene, clip, time));
}

Eigen::Matrix3Xd targets_on(const Motive& motive, const Eigen::Matrix3Xd& surface, Offset offset) {
  if (!motive.correspondence) return surface;
  Eigen::Matrix3Xd points = follow(*motive.correspondence, surface, offset);
  if (motive.rig_from_artist.isIdentity(0)) return points;
  const Eigen::Affine3d to_rig(motive.rig_from_artist);
  for (Eigen::Index i = 0; i < points.cols(); ++i) points.col(i) = to_rig * points.col(i);
  return points;
}

Eigen::Matrix3Xd targets_at(const Motive& motive, const Clip& clip, double time) {
  if (!motive.cache) return passing_targets_at(motive, clip, time);
  return motive.cache->with(clip, time,
                            [&](const Eigen::Matrix3Xd& surface) { return targets_on(motive, surface); });
}

Eigen::Matrix3Xd passing_targets_at(const Motive& motive, const Clip& clip, double time) {
  Eigen::Matrix3Xd surface = passing_surface_at(motive, clip, time);
  if (motive.correspondence) return targets_on(motive, surface);
  return surface;
}

Eigen::Matrix3Xd targets_at_rest(const Motive& motive, Offset offset) {
  return targets_on(motive, surface_at(*motive.scene, rest_pose(*motive.scene)), offset);
}

Eigen::VectorXd vertex_shares(const Motive& motive, const RigFile& rig, Weighting weighting) {
  Eigen::VectorXd shares =
      vertex_areas(motive.correspondence ? Surface{targets_at_rest(motive), rig.rest.triangles} : rig.rest);
  const std::vector<char> used = used_vertices(rig.rest);
  const Eigen::VectorXd copies = copies_of(rig);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (weighting == Weighting::uniform) shares(row) = used[i] ? copies(row) : 0;
    if (motive.correspondence && motive.correspondence->kind[i] == MatchKind::none) shares(row) = 0;
  }
  return shares;
}

MeasureSettings measure_settings(const Motive& motive, const RigFile& rig, double diag, Weighting weighting) {
  MeasureSettings settings;
  settings.weight = vertex_shares(motive, rig, weighting);
  settings.rest = targets_at_rest(motive);
  settings.copies = copies_of(rig);
  settings.diag = diag;
  settings.first_influence = rig.rig.rig.first_influence;
  settings.joint = rig.rig.rig.joint;
  settings.influence_weight = rig.rig.rig.weight;
  settings.joints = rig.rig.rig.joints();
  return settings;
}

}  // namespace pelt
