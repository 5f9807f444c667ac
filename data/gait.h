#pragma once

#include <Eigen/Geometry>
#include <array>
#include <string>
#include <vector>

#include "skeleton.h"

namespace pelt {

/// mean + amplitude * cos(2 pi (cycles * phase - lag)): a curve that closes after one cycle of the gait.
struct Wave {
  double mean = 0, amplitude = 0;
  int cycles = 1;
  double lag = 0;
};
double at_phase(const Wave& wave, double phase);

enum Foot { hind_left, fore_left, hind_right, fore_right };

/// What the feet of a pair do. Lengths in metres, angles in radians.
struct FootStep {
  double travel = 0;   ///< way of a foot backwards while it stands
  double ahead = 0;    ///< middle of that way, forward of where the foot stands at rest
  double lift = 0;     ///< height of the swing
  double flexion = 0;  ///< how far the cannon folds back in the swing
  double foot_flexion = 0;
};

/// A gait. Phases are fractions of the cycle. Angles about x are positive nose down, about y positive to the
/// left.
struct Gait {
  std::string name;
  double seconds = 1;
  std::array<double, 4> footfall{};  ///< phase at which each Foot lands
  double duty = 0.5;                 ///< share of the cycle for which a foot stands
  FootStep hind, fore;
  Wave rise, sway;     ///< of the root, metres, up and left
  Wave pitch, roll;    ///< of the root
  Wave flexion, bend;  ///< of the spine, about x and y
  Wave scapula;        ///< about x, for the left; the phase of a scapula counts from its foot's footfall
  Wave neck, head, jaw, ear;
  Wave tail_lift, tail_swing;
};

/// Lateral sequence: LH 0, LF 0.25, RH 0.5, RF 0.75; each foot stands for 0.65 of the cycle of 1 s.
Gait walk();

/// Transverse gallop, right lead: LH 0, RH 0.125, LF 0.375, RF 0.5; each foot stands for a quarter of the
/// cycle of 0.5 s, all four are in the air from 0.75 to 1.
Gait gallop();

/// Does the foot stand at this phase?
bool stands(const Gait& gait, Foot foot, double phase);

/// Model-space motions of the joints away from bind.
using JointMotions = std::vector<Eigen::Isometry3d>;

/// The artist skeleton at a phase of a gait.
JointMotions gait_pose(const Skeleton& artist, const Gait& gait, double phase);

/// A stance with turned neck, bent tail and two lifted legs; the trunk stays where it is.
JointMotions standing_pose(const Skeleton& artist);

/// Local transforms, parent_from_joint, of joints that have moved away from bind.
std::vector<Eigen::Isometry3d> local_transforms(const Skeleton& skeleton, const JointMotions& motions);

}  // namespace pelt
