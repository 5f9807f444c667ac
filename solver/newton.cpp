// Newton's method in the coordinates of a freedom, in moment space.
// Based on: D. W. Marquardt, "An algorithm for least-squares estimation of nonlinear parameters", 1963, for
// the damping; L. Armijo, "Minimization of functions having Lipschitz continuous first partial derivatives",
// 1966, for steps that are shortened.

#include "newton.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "chain_model.h"
#include "joint_model.h"
#include "progress.h"
#include "sweep.h"

namespace pelt {
namespace {

constexpr double kMostTimes = 64;                           // a step of the convex model
constexpr double kShorter = 0.4, kLeastTimes = 0.01;        // of a step that led upwards
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

double raised(double damping) { return std::max(10 * damping, kFirstDamping); }
double lowered(double damping) { return damping < 10 * kFirstDamping ? 0 : damping / 10; }

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
  if (model_->factor(damping)) return true;
  model_->expand(frame, pose, Curvature::exact);
  return false;
}

/// The convex model is stiffer than the energy: along a valley its steps point right and end early. They are
/// doubled while that lowers the energy. Returns whether it did.
bool NewtonSolver::lengthen(const FrameMoments& frame, const Pose& pose, const Step& step,
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

/// Where a step leads upwards, part of it leads down: an energy is cheaper than another model. Returns
/// whether one was found.
bool NewtonSolver::shorten(const FrameMoments& frame, const Pose& pose, const Step& step, Pose& moved) const {
  const double now = energy(system_, frame, pose);
  for (double times = kShorter; times > kLeastTimes; times *= kShorter) {
    Pose shorter = model_->retract(pose, times * step);
    if (!(energy(system_, frame, shorter) < now - noise_of(frame))) continue;
    moved = std::move(shorter);
    return true;
  }
  return false;
}

NewtonSolver::Trial NewtonSolver::try_step(const FrameMoments& frame, const Pose& pose) {
  const double now = model_->energy();
  const Step step = model_->step();
  Trial trial{model_->retract(pose, step)};
  // the step moves the surface by the root of step^T H step = -gradient^T step, root mean square, or less
  trial.sq_surface = -model_->gradient().dot(step);
  trial.lengthened = !is_exact_ && lengthen(frame, pose, step, trial.pose);
  model_->expand(frame, trial.pose, Curvature::exact);
  if (model_->energy() > now + noise_of(frame) && shorten(frame, pose, step, trial.pose)) {
    trial.shortened = true;
    model_->expand(frame, trial.pose, Curvature::exact);
  }
  return trial;
}

NewtonOutcome NewtonSolver::polish(const FrameMoments& frame, const NewtonSettings& settings, Pose& pose) {
  NewtonOutcome outcome;
  if (system_.unknowns == 0) return outcome.converged = true, outcome;
  const double noise = noise_of(frame);
  Progress progress{noise, settings.goal};
  double damping = 0;
  model_->expand(frame, pose, Curvature::exact);
  Value now = value_of(*model_);
  int accepted = 0;
  while (!outcome.has_ended() && outcome.steps < settings.max_steps && damping < kMaxDamping) {
    ++outcome.steps;
    if (!factor(frame, pose, damping)) {
      damping = raised(damping);
      continue;
    }
    Trial trial = try_step(frame, pose);
    const Value next = value_of(*model_);
    const double distance = movement(system_, pose, trial.pose);
    // a step that lowers the energy by less than its rounding is the last: the quadratic model is exact
    // there, or no longer step helps
    const bool is_rounding = damping <= kFirstDamping && trial.sq_surface <= 0.1 * noise && !trial.lengthened;
    outcome.converged = is_rounding || (distance <= settings.tolerance && !trial.shortened);
    if (improves(next, now, noise)) {
      pose = std::move(trial.pose);
      now = next;
      outcome.movement = distance;
      damping = trial.shortened ? raised(damping) : lowered(damping);
      progress.look(++accepted, now.energy);
      outcome.flat = progress.still && !outcome.converged;
      outcome.given_up = progress.hopeless && !outcome.converged;
    } else if (!outcome.converged) {
      damping = raised(damping);
      model_->expand(frame, pose, Curvature::exact);
    }
    if (!outcome.has_ended() && settings.known &&
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
