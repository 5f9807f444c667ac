#include "frame_solver.h"

#include <algorithm>

#include "chain_model.h"
#include "choose_path.h"
#include "sweep.h"

namespace pelt {
namespace {

// Sweeps bring a start into the basin of its minimum; Newton's method then does in a few steps what they
// would need hundreds for.
constexpr int kColdSweeps = 2, kWarmSweeps = 1, kChainSweeps = 1;
constexpr double kSweepGoal = 1e-4;  // fraction of diag
constexpr int kMaxSteps = 1000;
// Two answers this close to each other, as a share of the energy, are the same minimum.
constexpr double kSameEnergy = 1e-7;

bool is_cold(Start start) { return start == Start::linear || start == Start::free; }

}  // namespace

bool lower(const Candidate& a, const Candidate& b, const FrameMoments& frame) {
  return a.outcome.energy < b.outcome.energy * (1 - kSameEnergy) - 1e-15 * frame.sq_norm;
}

double least_energy(const std::vector<Candidate>& candidates) {
  const auto less = [](const Candidate& a, const Candidate& b) {
    return a.outcome.energy < b.outcome.energy;
  };
  return std::min_element(candidates.begin(), candidates.end(), less)->outcome.energy;
}

FrameSolver::FrameSolver(const System& system, const SolveSettings& settings)
    : system_(system), settings_(settings), newton_(system, settings.freedom) {}

void FrameSolver::sweep_some(const FrameMoments& frame, Start start, Pose& pose) const {
  const AddTime time(settings_.times, &SolveTimes::sweeps);
  if (settings_.freedom == Freedom::rotate) {
    pose = on_chain(system_, pose);
    for (int n = 0; n < kChainSweeps && is_cold(start); ++n) sweep_chain(system_, frame, pose);
  } else if (settings_.freedom == Freedom::free) {
    sweep_until_still(system_, frame, {kSweepGoal, is_cold(start) ? kColdSweeps : kWarmSweeps}, pose);
  }
}

Candidate FrameSolver::operator()(const FrameMoments& frame, const Pose& from, Start start,
                                  const Candidate* known) {
  Candidate c{from, {}, start};
  sweep_some(frame, start, c.pose);
  const AddTime time(settings_.times, &SolveTimes::finish);
  const bool usable = known && known->outcome.has_ended();
  NewtonSettings newton;
  newton.tolerance = settings_.tolerance;
  newton.max_steps = kMaxSteps;
  if (usable) {
    newton.known = &known->pose;
    newton.goal = as_good_as(known->outcome.energy, frame, settings_.freedom);
  }
  c.outcome = newton_.polish(frame, newton, c.pose);
  return c.outcome.at_known ? *known : c;
}

Candidate FrameSolver::judge(const FrameMoments& frame, const Candidate& other) {
  Candidate c = other;
  NewtonSettings look;
  look.max_steps = 0;
  const NewtonOutcome here = newton_.polish(frame, look, c.pose);
  c.outcome.energy = here.energy, c.outcome.gradient = here.gradient;
  return c;
}

}  // namespace pelt
