// Newton's method in the coordinates of a freedom, in moment space.
// Based on: D. W. Marquardt, "An algorithm for least-squares estimation of nonlinear parameters", 1963, for
// the damping.

#include "newton.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "chain_model.h"
#include "joint_model.h"
#include "sweep.h"

namespace pelt {
namespace {

constexpr double kMostTimes = 64;                           // a step of the convex model
constexpr double kFirstDamping = 1e-6, kMaxDamping = 1e12;  // shares of a joint's mass and inertia

/// By how much rounding changes an energy.
double noise_of(const FrameMoments& frame) { return 1e-15 * frame.sq_norm; }

struct Value {
  double energy, sq_gradient;
};

Value value_of(const LocalModel& model) { return {model.energy(), model.gradient().squaredNorm()}; }

/// Where the energies differ by rounding alone, a smaller gradient is the better judge.
bool improves(const Value& next, const Value& now, double noise) {
  const double change = next.energy - now.energy;
  return change < -noise || (change < noise && next.sq_gradient < now.sq_gradient);
}

}  // namespace

std::unique_ptr<LocalModel> make_local_model(const System& system, Freedom freedom) {
  if (freedom == Freedom::rotate) return std::make_unique<ChainModel>(system);
  if (freedom == Freedom::scale) return std::make_unique<JointModel<7>>(system);
  return std::make_unique<JointModel<6>>(system);
}

Inertia inertia_of(const System& s, int unknown) {
  const Eigen::Matrix4d& a = s.total[s.diagonal[unknown]];
  const double mass = a(3, 3);
  const double inertia = a.topLeftCorner<3, 3>().trace() - mass * s.pivot[unknown].squaredNorm();
  return {mass, std::max(inertia, 1e-6 * mass)};
}

NewtonSolver::NewtonSolver(const System& system, Freedom freedom)
    : system_(system), model_(make_local_model(system, freedom)) {}

/// The exact Hessian where it is positive definite, else the convex one.
bool NewtonSolver::factor(const FrameMoments& frame, const Pose& pose, double damping) {
  is_exact_ = true;
  if (model_->factor(damping)) return true;
  is_exact_ = false;
  model_->expand(frame, pose, Curvature::convex);
  return model_->factor(damping);
}

/// The convex model is stiffer than the energy: along a valley its steps point right and end early. They are
/// doubled while that lowers the energy. Returns whether it did.
bool NewtonSolver::go_further(const FrameMoments& frame, const Pose& pose, const Step& step,
                              Pose& moved) const {
  double reached = energy(system_, frame, moved);
  double times = 2;
  for (; times <= kMostTimes; times *= 2) {
    Pose further = model_->retract(pose, times * step);
    const double energy_there = energy(system_, frame, further);
    if (!(energy_there < reached - noise_of(frame))) break;
    reached = energy_there;
    moved = std::move(further);
  }
  return times > 2;
}

NewtonOutcome NewtonSolver::polish(const FrameMoments& frame, const NewtonSettings& settings, Pose& pose) {
  NewtonOutcome outcome;
  if (system_.unknowns == 0) return outcome.converged = true, outcome;
  const double noise = noise_of(frame);
  double damping = 0;
  model_->expand(frame, pose, Curvature::exact);
  Value now = value_of(*model_);
  while (!outcome.converged && outcome.steps < settings.max_steps && damping < kMaxDamping) {
    ++outcome.steps;
    if (!factor(frame, pose, damping)) {
      damping = std::max(10 * damping, kFirstDamping);
      continue;
    }
    const Step step = model_->step();
    Pose moved = model_->retract(pose, step);
    const bool went_further = !is_exact_ && go_further(frame, pose, step, moved);
    const double distance = movement(system_, pose, moved);
    // the step moves the surface by the root of step^T H step = -gradient^T step, root mean square, or less
    const double sq_surface = -model_->gradient().dot(step);
    // a step that lowers the energy by less than its rounding is the last: the quadratic model is exact
    // there, or no longer step helps
    const bool is_rounding = damping <= kFirstDamping && sq_surface <= 0.1 * noise;
    outcome.converged = distance <= settings.tolerance || (is_rounding && !went_further);
    model_->expand(frame, moved, Curvature::exact);
    if (const Value next = value_of(*model_); improves(next, now, noise)) {
      pose = moved;
      now = next;
      outcome.movement = distance;
      damping = damping < 10 * kFirstDamping ? 0 : damping / 10;
    } else if (!outcome.converged) {
      damping = std::max(10 * damping, kFirstDamping);
      model_->expand(frame, pose, Curvature::exact);
    }
    if (!outcome.converged && settings.known &&
        surface_distance(system_, pose, *settings.known) <= settings.known_reach) {
      pose = *settings.known;
      outcome.at_known = true;
      return outcome;
    }
  }
  outcome.energy = std::max(now.energy, 0.0);
  outcome.gradient = std::sqrt(now.sq_gradient);
  return outcome;
}

}  // namespace pelt
