#include "control.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "../solver/affine.h"
#include "pose.h"

namespace pelt {
namespace {

// A joint motion whose 3x3 part misses orthogonality by more than this scales or shears; float files reach
// about 1e-6.
constexpr double kRigid = 1e-5;
// Rounding of the file on top of an error that is there for a reason.
constexpr double kRounding = 1e-5;

/// D_j = G_j(t) (G_j^rest)^-1 of every joint as the artist moves it; identity under a singular rest
/// transform.
Pose artist_motions(const RigFile& artist, const Clip& clip, double time) {
  const ScenePose pose = pose_at(artist.scene, clip, time);
  Pose motions = rest_pose(artist.rig.rig);
  for (std::size_t j = 0; j < motions.size(); ++j) {
    const Eigen::FullPivLU<Eigen::Matrix4d> rest(artist.rig.rig.model_from_joint[j]);
    if (rest.isInvertible())
      motions[j] = (pose.model_from_node[artist.rig.node_of_joint[j]] * rest.inverse()).topRows<3>();
  }
  return motions;
}

double distance_from_rigid(const Motion& motion) {
  const Eigen::Matrix3d m = motion.leftCols<3>();
  return (m.transpose() * m - Eigen::Matrix3d::Identity()).norm();
}

/// Error of the artist's own motions made rigid, each over its own support.
Figures measure_rigid(const RigFile& artist, const Clip& clip, const ClipTransfer& solved,
                      const System& system, const MeasureSettings& settings) {
  const Motive motive{&artist.scene, nullptr};
  Measure measure(settings, static_cast<int>(solved.sampled.size()));
  for (std::size_t f = 0; f < solved.sampled.size(); ++f) {
    const double time = solved.times[solved.sampled[f]];
    const Pose motions = artist_motions(artist, clip, time);
    Pose unknowns;
    for (const int j : system.joint) unknowns.push_back(to_unit(motions[j], system.moments.unit));
    Eigen::Matrix3Xd surface = skin(artist.rig.rig, expand(system, nearest_rigid(system, unknowns)));
    for (int i = 0; i < artist.rig.rig.vertices(); ++i)
      if (!surface.col(i).allFinite()) surface.col(i) = artist.rest.positions.col(i);
    measure.add(static_cast<int>(f), targets_at(motive, clip, time), surface);
  }
  return measure.figures();
}

bool scales(const RigFile& artist, const Clip& clip, const ClipTransfer& solved, const System& system) {
  for (const float time : solved.times) {
    const Pose motions = artist_motions(artist, clip, time);
    for (const int j : system.joint)
      if (system.moments.support[j].mass > 0 && distance_from_rigid(motions[j]) > kRigid) return true;
  }
  return false;
}

ControlVerdict judge(const RigFile& artist, const Clip& clip, const ClipTransfer& solved,
                     const System& system, const MeasureSettings& settings) {
  ControlVerdict verdict;
  const ControlBars bars;
  verdict.within_bars = solved.keys.mean <= bars.mean && solved.keys.worst <= bars.worst;
  verdict.artist_scales = scales(artist, clip, solved, system);
  verdict.passed = verdict.within_bars;
  if (verdict.artist_scales) {
    const Figures rigid = measure_rigid(artist, clip, solved, system, settings);
    verdict.rigid_mean = rigid.mean;
    verdict.rigid_rms = rigid.rms;
    verdict.passed = verdict.passed || solved.keys.squared <= rigid.squared * (1 + kRounding);
  }
  return verdict;
}

}  // namespace

Control run_control(const RigFile& artist, const std::vector<int>& clips, double diag,
                    const TransferSettings& settings, Transfer* written) {
  TransferSettings own = settings;
  own.write.drop_existing_clips = true;
  own.solve.stiffness = 0;
  const Motive motive{&artist.scene, nullptr};
  Transfer done = transfer(motive, clips, artist, diag, own);
  const MeasureSettings measure = measure_settings(motive, artist, diag, settings.weighting);
  const System system =
      make_system(artist.rig.rig, rig_moments(artist.rig.rig, measure.weight / measure.weight.sum()), 0);
  Control control;
  control.passed = true;
  for (std::size_t n = 0; n < clips.size(); ++n) {
    const ClipTransfer& clip = done.clips[n];
    control.verdicts.push_back(judge(artist, artist.scene.clips[clips[n]], clip, system, measure));
    control.passed = control.passed && control.verdicts.back().passed;
    control.mean = std::max(control.mean, clip.keys.mean);
    control.worst = std::max(control.worst, clip.keys.worst);
  }
  control.clips = done.clips;
  if (written) *written = std::move(done);
  return control;
}

}  // namespace pelt
