#include "control.h"

#include <Eigen/LU>
#include <algorithm>
#include <optional>

#include "../solver/affine.h"
#include "pose.h"

namespace pelt {
namespace {

// A joint motion whose 3x3 part misses orthogonality by more than this scales or shears; float files reach
// about 1e-6.
constexpr double kRigid = 1e-5;
// Rounding of the file on top of an error that is there for a reason.
constexpr double kRounding = 1e-5;

/// (G_j^rest)^-1 of every joint; none of a singular one.
std::vector<std::optional<Eigen::Matrix4d>> joint_from_model_at_rest(const Rig& rig) {
  std::vector<std::optional<Eigen::Matrix4d>> inverse;
  for (const Eigen::Matrix4d& rest : rig.model_from_joint) {
    const bool is_invertible = Eigen::FullPivLU<Eigen::Matrix4d>(rest).isInvertible();
    inverse.push_back(is_invertible ? std::optional<Eigen::Matrix4d>(rest.inverse()) : std::nullopt);
  }
  return inverse;
}

double distance_from_rigid(const Motion& motion) {
  const Eigen::Matrix3d m = motion.leftCols<3>();
  return (m.transpose() * m - Eigen::Matrix3d::Identity()).norm();
}

/// What a clip of the control is judged by.
struct Case {
  const RigFile& artist;
  const Motive& motive;
  const Clip& clip;
  const ClipTransfer& solved;
  const System& system;
  const MeasureSettings& measure;
  const std::vector<std::optional<Eigen::Matrix4d>>& joint_from_rest;  ///< model space, as above

  double time(std::size_t n) const { return solved.times[solved.sampled[n]]; }
  ScenePose pose(std::size_t n) const { return pose_at(artist.scene, clip, time(n)); }
};

/// D_j = G_j(t) (G_j^rest)^-1 of every joint as the artist moves it; identity under a singular rest
/// transform.
Pose artist_motions(const Case& c, const ScenePose& pose) {
  Pose motions = rest_pose(c.artist.rig.rig);
  for (std::size_t j = 0; j < motions.size(); ++j)
    if (c.joint_from_rest[j])
      motions[j] = (pose.model_from_node[c.artist.rig.node_of_joint[j]] * *c.joint_from_rest[j]).topRows<3>();
  return motions;
}

/// Error of some joint motions at the sampled times, in memory.
Figures measure_motions(const Case& c, const std::vector<Pose>& poses) {
  Measure measure(c.measure, static_cast<int>(poses.size()));
  for (std::size_t n = 0; n < poses.size(); ++n)
    measure.add(static_cast<int>(n), targets_at(c.motive, c.clip, c.time(n)), surface_of(c.artist, poses[n]));
  return measure.figures();
}

std::vector<Pose> solved_motions(const Case& c) {
  std::vector<Pose> poses;
  for (const int f : c.solved.sampled) poses.push_back(c.solved.poses[f]);
  return poses;
}

/// The artist's own joint motions, each made rigid over its own support.
std::vector<Pose> rigid_motions(const Case& c) {
  std::vector<Pose> poses;
  for (std::size_t n = 0; n < c.solved.sampled.size(); ++n) {
    const Pose motions = artist_motions(c, c.pose(n));
    Pose unknowns;
    for (const int j : c.system.joint) unknowns.push_back(to_unit(motions[j], c.system.unit));
    poses.push_back(expand(c.system, nearest_rigid(c.system, unknowns), Eigen::Vector3d::Zero()));
  }
  return poses;
}

/// Do morph weights leave their rest values?
bool morphs(const Scene& scene, const Clip& clip) {
  for (const Track& track : clip.tracks) {
    if (track.path != TrackPath::weights) continue;
    for (const Part& part : scene.parts)
      if (part.node == track.node && part.morph_weights.size() == track.values.rows() &&
          (track.values.colwise() - part.morph_weights).norm() > kRigid)
        return true;
  }
  return false;
}

/// Does any weighted joint do what no rigid motion can?
bool scales(const Case& c) {
  for (std::size_t n = 0; n < c.solved.sampled.size(); ++n) {
    const ScenePose pose = c.pose(n);
    const Pose motions = artist_motions(c, pose);
    for (const int j : c.system.joint) {
      if (c.system.support[j].mass == 0) continue;
      const Eigen::Matrix4d& rest = c.artist.rig.rig.model_from_joint[j];
      const Eigen::Matrix4d change = pose.model_from_node[c.artist.rig.node_of_joint[j]] - rest;
      const bool grows_from_nothing = !c.joint_from_rest[j] && change.norm() > kRigid * rest.norm();
      if (grows_from_nothing || distance_from_rigid(motions[j]) > kRigid) return true;
    }
  }
  return false;
}

ControlVerdict judge(const Case& c) {
  ControlVerdict verdict;
  const ControlBars bars;
  verdict.within_bars = c.solved.keys.mean <= bars.mean && c.solved.keys.worst <= bars.worst;
  verdict.artist_deforms = morphs(c.artist.scene, c.clip) || scales(c);
  verdict.passed = verdict.within_bars;
  if (!verdict.artist_deforms) return verdict;
  const Figures own = measure_motions(c, solved_motions(c)), rigid = measure_motions(c, rigid_motions(c));
  verdict.rigid_mean = rigid.mean;
  verdict.rigid_rms = rigid.rms;
  verdict.lost_in_file = std::max(0.0, c.solved.keys.rms - own.rms);
  verdict.passed = verdict.passed || own.squared <= rigid.squared * (1 + kRounding);
  return verdict;
}

}  // namespace

Control run_control(const RigFile& artist, const std::vector<int>& clips, double diag,
                    const TransferSettings& settings, Transfer* written, SurfaceCache* cache) {
  TransferSettings own = settings;
  own.write.drop_existing_clips = true;
  // free: an artist may move joints off their parents. Without a price: where he morphs as well it would not
  // fade, and his own motions made rigid, by which he is judged then, pay none.
  own.solve = {.stiffness = 0,
               .tolerance = settings.solve.tolerance,
               .threads = settings.solve.threads,
               .stop = settings.solve.stop};
  own.write.rigid_bones = false;
  own.key_tolerance = 0;
  Motive motive{&artist.scene, nullptr};
  motive.cache = cache;
  Transfer done = transfer(motive, clips, artist, diag, own);
  const MeasureSettings measure = measure_settings(motive, artist, diag, settings.weighting);
  const auto joint_from_rest = joint_from_model_at_rest(artist.rig.rig);
  Control control;
  control.passed = true;
  for (std::size_t n = 0; n < clips.size(); ++n) {
    const ClipTransfer& clip = done.clips[n];
    control.verdicts.push_back(
        judge({artist, motive, artist.scene.clips[clips[n]], clip, done.system, measure, joint_from_rest}));
    control.passed = control.passed && control.verdicts.back().passed;
    control.mean = std::max(control.mean, clip.keys.mean);
    control.worst = std::max(control.worst, clip.keys.worst);
  }
  control.clips = done.clips;
  if (written) *written = std::move(done);
  return control;
}

}  // namespace pelt
