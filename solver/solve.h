#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "local_model.h"
#include "moments.h"
#include "rig.h"
#include "solve_times.h"
#include "system.h"

namespace pelt {

/// What is made least.
enum class Loss {
  squares,  ///< the mean square of the distances between surface and targets
  distance  ///< their mean, which is what `quality` counts (least_distance.h)
};

/// The most that prices may be: beyond it joints turn alone but for rounding, which is Freedom::rotate.
constexpr double kLargestPrice = 1e6;

/// From there on the way to the minimum is a narrow bent valley, in which Newton's method comes to a halt; it
/// is entered at its other end, Freedom::rotate, which is solved as well.
constexpr double kHighPrice = 1;

struct SolveSettings {
  Freedom freedom = Freedom::free;
  /// Price on a joint's origin leaving its parent's motion (DESIGN section 2), a pure number. It fades where
  /// the weights could follow exactly, so that it never costs a rig what that rig can do: where the affine
  /// floor of a clip is far below kExactFloor nothing is priced.
  double stiffness = 1e-3;
  double stretch = 0;           ///< the same price, but it never fades
  Loss loss = Loss::squares;    ///< of solve_clip(); solve_clips() has no positions and knows squares alone
  double tolerance = 1e-11;     ///< see NewtonSettings
  int threads = 1;              ///< results are bit-identical for any number
  std::stop_token stop{};       ///< asks the solve to give up
  SolveTimes* times = nullptr;  ///< where to add up what the stages take, if anybody asks
};

/// \throw Stopped where the settings' token asks for it
void check_stop(const SolveSettings& settings);

constexpr double kExactFloor = 1e-4;  ///< RMS, fraction of diag

/// Which of the starts gave the answer.
enum class Start : char { linear, free, priced, turned, forward, backward, neighbour };

struct FrameResult {
  double rms = 0;          ///< sqrt of the surface's energy, fraction of diag, over vertices with influences
  double floor_rms = 0;    ///< the same of the best affine motions: no rigid answer is below it
  double gradient = 0;     ///< norm of what is left of the gradient, solve units
  double movement = 0;     ///< how far the last step moved a vertex at most, fraction of diag
  int newton_steps = 0;    ///< of the start that was kept
  bool converged = false;  ///< the last step was within the tolerance, or within rounding
  bool flat = false;  ///< left in a valley so flat that many steps take off next to nothing of the energy
  Start start = Start::linear;
};

struct SolveResult {
  double price = 0;                 ///< what stiffness and stretch came to
  std::vector<Pose> poses;          ///< F; model-space motions of every joint of the rig, rigid
  std::vector<Pose> affine;         ///< F; the affine floor's motions
  std::vector<FrameResult> frames;  ///< F
};

/// An earlier solve of the same clip with the same settings, in which it had fewer frames.
struct Earlier {
  const SolveResult* result = nullptr;  ///< nullptr: there was none
  std::vector<int> frame;               ///< F; which of its frames has the targets of this one, -1: none
};

/// Finds for every frame of every clip the joint motions, of the freedom asked for, whose skinned surface
/// comes closest to the targets: several starts (previous frame, next frame, linear; for other freedoms than
/// free the free answer; under high prices that of joints which only turn), each swept and polished by
/// Newton's method, the lowest energy kept; where the starts disagree, neighbouring frames' answers are tried
/// as well. Where several minima are as good, the joints' way through the frames is the shortest, and a clip
/// that ends on its first targets ends in its first pose.
///
/// `earlier`: empty, or one for each clip. What was solved then, and not left open, keeps its answer, and the
/// clip keeps its price. \throw Stopped \throw InvalidInput for prices that are negative or above
/// kLargestPrice, and for earlier solves of another number of clips, frames or joints.
std::vector<SolveResult> solve_clips(const System& system, const std::vector<TargetMoments>& clips,
                                     const SolveSettings& settings = {},
                                     const std::vector<Earlier>& earlier = {});

/// The same for one clip given as positions: targets[f] is 3 x V in model space, measure V vertex shares >=
/// 0. \throw InvalidInput for a rig that breaks a rule of validate(), targets of another size or not finite
/// at a vertex with influences.
SolveResult solve_clip(const Rig& rig, const std::vector<Eigen::Matrix3Xd>& targets,
                       const Eigen::VectorXd& measure, const SolveSettings& settings = {});

}  // namespace pelt
