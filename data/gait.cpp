// Footfall phases: Hildebrand, "The quadrupedal gaits of vertebrates" (1989): lateral-sequence walk,
// transverse gallop. The legs by two-bone inverse kinematics (law of cosines) in the vertical plane of
// travel.

#include "gait.h"

#include <algorithm>
#include <cmath>

#include "leg.h"

namespace pelt {
namespace {

constexpr double two_pi = 6.283185307179586;

Eigen::Matrix3d turn(double about_x, double about_y = 0, double about_z = 0) {
  return (Eigen::AngleAxisd(about_y, Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(about_x, Eigen::Vector3d::UnitX()) *
          Eigen::AngleAxisd(about_z, Eigen::Vector3d::UnitZ()))
      .toRotationMatrix();
}

/// The rotation about a place, as a motion.
Eigen::Isometry3d about(const Eigen::Vector3d& place, const Eigen::Matrix3d& rotation) {
  Eigen::Isometry3d motion;
  motion.linear() = rotation;
  motion.translation() = place - rotation * place;
  return motion;
}

/// Turns of single joints relative to their parent, in the axes of the model at bind.
struct Poser {
  const Skeleton& skeleton;
  std::vector<Eigen::Matrix3d> turns =
      std::vector<Eigen::Matrix3d>(skeleton.size(), Eigen::Matrix3d::Identity());
  Eigen::Isometry3d root = Eigen::Isometry3d::Identity();

  void set(const std::string& name, const Eigen::Matrix3d& rotation) {
    turns[joint_named(skeleton, name)] = rotation;
  }

  JointMotions motions() const {
    JointMotions result(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
      const auto& parent = skeleton[j].parent < 0 ? root : result[skeleton[j].parent];
      result[j] = parent * about(skeleton[j].origin, turns[j]);
    }
    return result;
  }
};

double cycle(double phase) { return phase - std::floor(phase); }

void pose_trunk(const Gait& gait, double phase, Poser& poser) {
  const auto value = [&](const Wave& wave) { return at_phase(wave, phase); };
  poser.root.translation() << value(gait.sway), value(gait.rise), 0;
  poser.set("Root", turn(value(gait.pitch), 0, value(gait.roll)));
  const double flexion = value(gait.flexion), bend = value(gait.bend);
  poser.set("Body", turn(-flexion, -bend));
  for (const char* name : {"Spine1", "Spine2", "Spine3"})
    poser.set(name, turn(0.6 * flexion, 2.0 / 3 * bend));
  poser.set("Neck1", turn(value(gait.neck), -0.5 * bend));
  poser.set("Neck2", turn(0.5 * value(gait.neck), -0.5 * bend));
  poser.set("Head", turn(value(gait.head)));
  poser.set("Jaw", turn(value(gait.jaw)));
  for (const char* side : {".L", ".R"}) poser.set(std::string("Ear") + side, turn(value(gait.ear)));
  for (int k = 1; k <= 3; ++k) {
    const double delay = 0.1 * k;  // the swing runs down the tail
    poser.set("Tail" + std::to_string(k),
              turn(at_phase(gait.tail_lift, phase - delay), at_phase(gait.tail_swing, phase - delay)));
  }
}

/// Where a foot is in its cycle, as turns and a way from rest.
FootPath foot_path(const Gait& gait, const FootStep& step, double phase_of_foot) {
  const double half = 0.5 * step.travel, speed = step.travel / gait.duty;  // metres a cycle
  FootPath path;
  if (phase_of_foot < gait.duty) {
    path.way = {0, step.ahead + half - speed * phase_of_foot};
    return path;
  }
  const double u = (phase_of_foot - gait.duty) / (1 - gait.duty), v = 1 - u;
  const double slope =
      -std::min(speed * (1 - gait.duty), step.travel);  // leaves and meets the ground going back
  const double forward = half * (u * u * (3 - 2 * u) - v * v * (3 - 2 * v)) + slope * (u * v * v - u * u * v);
  path.way = {16 * step.lift * u * u * v * v, step.ahead + forward};
  const double folded = u * u * v * v * v / 0.03456;  // 1 at its peak, u = 0.4
  path.cannon_turn = step.flexion * folded;
  path.foot_turn = step.foot_flexion * folded;
  return path;
}

}  // namespace

double at_phase(const Wave& wave, double phase) {
  return wave.mean + wave.amplitude * std::cos(two_pi * (wave.cycles * phase - wave.lag));
}

bool stands(const Gait& gait, Foot foot, double phase) {
  return cycle(phase - gait.footfall[foot]) < gait.duty;
}

Gait walk() {
  Gait gait;
  gait.name = "Walk";
  gait.seconds = 1;
  gait.footfall = {0, 0.25, 0.5, 0.75};
  gait.duty = 0.65;
  gait.hind = {.travel = 0.54, .ahead = 0.03, .lift = 0.09, .flexion = 0.35, .foot_flexion = 0.9};
  gait.fore = {.travel = 0.48, .ahead = 0.02, .lift = 0.10, .flexion = 0.95, .foot_flexion = 1.2};
  gait.rise = {-0.015, 0.012, 2, 0.35};
  gait.sway = {0, 0.015, 1, 0.3};
  gait.pitch = {0, 0.015, 2, 0.1};
  gait.roll = {0, 0.03, 1, 0.55};
  gait.flexion = {0, 0.02, 2, 0.6};
  gait.bend = {0, 0.06, 1, 0.5};
  gait.scapula = {0, 0.16, 1, 0.82};
  gait.neck = {0.02, 0.06, 2, 0.4};
  gait.head = {0, -0.05, 2, 0.4};
  gait.jaw = {0.02, 0.02, 1, 0};
  gait.ear = {0, 0.12, 2, 0.2};
  gait.tail_lift = {0, 0.04, 2, 0};
  gait.tail_swing = {0, 0.14, 1, 0.2};
  return gait;
}

Gait gallop() {
  Gait gait;
  gait.name = "Gallop";
  gait.seconds = 0.5;
  gait.footfall = {0, 0.375, 0.125, 0.5};
  gait.duty = 0.25;
  gait.hind = {.travel = 0.56, .ahead = 0.02, .lift = 0.24, .flexion = 0.45, .foot_flexion = 1.1};
  gait.fore = {.travel = 0.52, .ahead = 0.04, .lift = 0.26, .flexion = 1.25, .foot_flexion = 1.2};
  gait.rise = {-0.02, 0.05, 1, 0.88};
  gait.sway = {0, 0.01, 1, 0.1};
  gait.pitch = {0.01, 0.09, 1, 0.62};
  gait.roll = {0, 0.02, 1, 0.3};
  gait.flexion = {0.03, 0.13, 1, 0.94};
  gait.bend = {0, 0.03, 1, 0.4};
  gait.scapula = {0, 0.26, 1, 0.62};
  gait.neck = {0.22, 0.13, 1, 0.2};
  gait.head = {-0.22, -0.10, 1, 0.2};
  gait.jaw = {0.10, 0.05, 1, 0};
  gait.ear = {-0.35, 0.12, 1, 0.5};
  gait.tail_lift = {0.22, 0.14, 1, 0.3};
  gait.tail_swing = {0, 0.10, 1, 0};
  return gait;
}

JointMotions gait_pose(const Skeleton& artist, const Gait& gait, double phase) {
  Poser poser{artist};
  pose_trunk(gait, phase, poser);
  const auto phase_of = [&](Foot foot) { return cycle(phase - gait.footfall[foot]); };
  poser.set("Scapula.L", turn(at_phase(gait.scapula, phase_of(fore_left))));
  poser.set("Scapula.R", turn(at_phase(gait.scapula, phase_of(fore_right))));
  JointMotions motions = poser.motions();
  for (const Foot foot : {hind_left, fore_left, hind_right, fore_right}) {
    const bool fore = foot == fore_left || foot == fore_right, left = foot == hind_left || foot == fore_left;
    const auto path = foot_path(gait, fore ? gait.fore : gait.hind, phase_of(foot));
    place_leg(artist, leg_joints(artist, fore, left), path, motions);
  }
  return motions;
}

JointMotions standing_pose(const Skeleton& artist) {
  Poser poser{artist};
  poser.set("Neck1", turn(0.30, 0.25));
  poser.set("Neck2", turn(0.15, 0.20));
  poser.set("Head", turn(-0.25));
  poser.set("Tail1", turn(0.3, 0.2));
  JointMotions motions = poser.motions();
  place_leg(artist, leg_joints(artist, true, true), {{0.16, 0.10}, 0.9, 0.7}, motions);
  place_leg(artist, leg_joints(artist, true, false), {{0, -0.12}, 0, 0}, motions);
  place_leg(artist, leg_joints(artist, false, true), {{0, 0.16}, 0, 0}, motions);
  place_leg(artist, leg_joints(artist, false, false), {{0.06, -0.20}, 0.3, 0.6}, motions);
  return motions;
}

std::vector<Eigen::Isometry3d> local_transforms(const Skeleton& skeleton, const JointMotions& motions) {
  std::vector<Eigen::Isometry3d> model_from_joint, parent_from_joint;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    model_from_joint.push_back(motions[j] * bind_transform(skeleton[j]));
    const int parent = skeleton[j].parent;
    parent_from_joint.push_back(parent < 0 ? model_from_joint[j]
                                           : model_from_joint[parent].inverse() * model_from_joint[j]);
  }
  return parent_from_joint;
}

}  // namespace pelt
