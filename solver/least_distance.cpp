// Least mean distance by least squares with weights that follow the residuals: each round the weights make
// the squares touch the distances from above, so that no round can end higher than it began.
// Based on: E. Weiszfeld, "Sur le point pour lequel la somme des distances de n points donnes est minimum",
// Tohoku Mathematical Journal 43, 1937; P. W. Holland, R. E. Welsch, "Robust regression using iteratively
// reweighted least-squares", 1977.
#include "least_distance.h"

#include <cmath>
#include <span>

#include "newton.h"
#include "settle.h"
#include "sweep.h"

namespace pelt {
namespace {

constexpr double kSmooth = 0.02;      // of the mean distance at the start
constexpr double kExact = 1e-9;       // fraction of diag: a mean distance below has nothing to gain
constexpr double kWorthwhile = 1e-6;  // a round that takes off less, relatively, is the last
constexpr int kMaxRounds = 100, kStepsARound = 8;
constexpr double kRoundTolerance = 1e-9;  // fraction of diag: the weights are those of the round before

/// Distances between skinned surface and targets; 0 where nothing is measured.
Eigen::VectorXd distances(const SolvedFrame& f, const Pose& pose) {
  const Eigen::Matrix3Xd actual = skin(f.rig, pose);
  Eigen::VectorXd d = Eigen::VectorXd::Zero(f.moments.measure.size());
  for (Eigen::Index i = 0; i < d.size(); ++i)
    if (f.moments.measure(i) > 0) d(i) = (actual.col(i) - f.target.col(i)).norm();
  return d;
}

/// |e| with its corner rounded off. `mean`: the mean distance at the start.
Eigen::VectorXd smoothed(const Eigen::VectorXd& distance, double mean) {
  return (distance.array().square() + kSmooth * kSmooth * mean * mean).sqrt();
}

/// The system under other shares, at the price that joints had under the frame's: its masses stay.
System reweighted(const SolvedFrame& f, RigMoments moments) {
  for (std::size_t j = 0; j < moments.support.size(); ++j)
    moments.support[j].mass = f.moments.support[j].mass;
  return with_price(make_system(f.rig, moments), f.price);
}

struct Round {
  double gain = 0;  ///< what it took off, relatively
  bool stuck = false;
};

/// One round: least squares under the weights of the pose.
Round improve(const SolvedFrame& f, const SolveSettings& settings, double mean, Pose& pose,
              FrameResult& result) {
  const Eigen::VectorXd& measure = f.moments.measure;
  const Eigen::VectorXd before = distances(f, pose);
  const Eigen::VectorXd weight = mean * measure.cwiseQuotient(smoothed(before, mean));
  const RigMoments moments = rig_moments(f.rig, weight);
  const System system = reweighted(f, moments);
  const FrameMoments frame = frame_moments(system, target_moments(moments, std::span(&f.target, 1)), 0);
  // what is made less: distances, and the price, which is what the energy has beside squares
  const auto value = [&](const Pose& unknowns, const Eigen::VectorXd& distance) {
    const double sum = 2 * mean * measure.dot(smoothed(distance, mean)) - weight.dot(distance.cwiseAbs2());
    return sum / (system.unit.length * system.unit.length) + energy(system, frame, unknowns);
  };
  const Pose from = unknowns_of(system, pose, frame.shift);
  Pose to = from;
  NewtonSolver newton(system, settings.freedom);
  const NewtonOutcome outcome = newton.polish(frame, {kRoundTolerance, kStepsARound}, to);
  if (settings.freedom != Freedom::rotate) settle(system, holds_of(system), frame, to);
  const Pose moved = expand(system, to, frame.shift);
  const double old_value = value(from, before), new_value = value(to, distances(f, moved));
  result.newton_steps += outcome.steps;
  const bool falls = new_value < old_value;
  if (!falls) return {0, !outcome.has_ended()};
  result.gradient = outcome.gradient;
  result.movement = movement(system, from, to);
  pose = moved;
  return {(old_value - new_value) / old_value, false};
}

}  // namespace

void reduce_distances(const SolvedFrame& frame, const SolveSettings& settings, Pose& pose,
                      FrameResult& result) {
  const Eigen::VectorXd& measure = frame.moments.measure;
  const double length = frame.moments.unit.length, mean = measure.dot(distances(frame, pose));
  if (mean <= kExact * length) return;
  result.converged = result.flat = false;
  for (int n = 0; n < kMaxRounds && !result.converged && !settings.stop.stop_requested(); ++n) {
    const Round round = improve(frame, settings, mean, pose, result);
    if (round.stuck) break;
    result.converged = round.gain < kWorthwhile;
  }
  result.rms = std::sqrt(measure.dot(distances(frame, pose).cwiseAbs2())) / length;
}

}  // namespace pelt
