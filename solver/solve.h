#pragma once

#include <string>
#include <vector>

#include "moments.h"
#include "rig.h"
#include "system.h"

namespace pelt {

struct SolveSettings {
  double stiffness =
      0;  ///< price on a joint's origin leaving its parent's motion (DESIGN section 2); a pure number
  double tolerance = 1e-11;  ///< a frame is solved when a step moves no vertex farther, fraction of diag
  int threads = 1;           ///< results are bit-identical for any number
};

/// Which of the starts gave the answer.
enum class Start : char { linear, forward, backward, neighbour };

struct FrameResult {
  double rms = 0;        ///< sqrt of the surface's energy, fraction of diag, over vertices with influences
  double floor_rms = 0;  ///< the same of the best affine motions: no rigid answer is below it
  double gradient = 0;   ///< norm of what is left of the gradient, solve units
  double movement = 0;   ///< how far the last step moved a vertex at most, fraction of diag
  int newton_steps = 0;  ///< of the start that was kept
  bool converged = false;
  Start start = Start::linear;
};

struct SolveResult {
  std::vector<Pose> poses;          ///< F; model-space motions of every joint of the rig, rigid
  std::vector<Pose> affine;         ///< F; the affine floor's motions
  std::vector<FrameResult> frames;  ///< F
};

/// Finds for every frame of every clip the rigid joint motions whose skinned surface comes closest to the
/// targets: three starts (previous frame, next frame, linear), each swept and polished by Newton's method,
/// the lowest energy kept; where the starts disagree, neighbouring frames' answers are tried as well.
std::vector<SolveResult> solve_clips(const System& system, const std::vector<TargetMoments>& clips,
                                     const SolveSettings& settings = {});

/// The same for one clip given as positions: targets[f] is 3 x V in model space, measure V vertex shares >=
/// 0. \throw InvalidInput for a rig that breaks a rule of validate(), targets of another size or not finite
/// at a vertex with influences.
SolveResult solve_clip(const Rig& rig, const std::vector<Eigen::Matrix3Xd>& targets,
                       const Eigen::VectorXd& measure, const SolveSettings& settings = {});

}  // namespace pelt
