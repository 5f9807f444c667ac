#include "solve.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "affine.h"
#include "error.h"
#include "newton.h"
#include "settle.h"
#include "sweep.h"

namespace pelt {
namespace {

// Sweeps bring a start into the basin of its minimum; Newton's method then does in a few steps what they
// would need hundreds for.
constexpr int kColdSweeps = 8, kWarmSweeps = 2;
constexpr double kSweepGoal = 1e-4;  // fraction of diag
// Two answers this close to each other, as a share of the energy, are the same minimum.
constexpr double kSameEnergy = 1e-9;
constexpr int kNeighbourRounds = 4;
// Moments that differ by no more than rounding are those of the same targets.
constexpr double kSameTargets = 1e-13;
constexpr int kMaxSteps = 300;

struct Candidate {
  Pose pose;  ///< over the unknowns, solve units
  NewtonOutcome outcome;
  Start start = Start::linear;
};

/// One clip on its way: its frames and the best answer so far of each.
struct ClipWork {
  std::vector<FrameMoments> frames;
  std::vector<Pose> affine;
  std::vector<Candidate> linear, forward, backward, best;
};

/// What one thread needs to solve frames.
class FrameSolver {
 public:
  FrameSolver(const System& system, const SolveSettings& settings)
      : system_(system), settings_(settings), newton_(system) {}

  /// `known`: a minimum of this frame, nullptr if there is none yet; it is returned where the road from
  /// `from` leads to it.
  Candidate operator()(const FrameMoments& frame, const Pose& from, Start start, const Candidate* known) {
    Candidate c{from, {}, start};
    const int sweeps = start == Start::linear ? kColdSweeps : kWarmSweeps;
    sweep_until_still(system_, frame, {kSweepGoal, sweeps}, c.pose);
    const bool usable = known && known->outcome.converged;
    c.outcome =
        newton_.polish(frame, {settings_.tolerance, kMaxSteps, usable ? &known->pose : nullptr}, c.pose);
    return c.outcome.at_known ? *known : c;
  }

 private:
  const System& system_;
  const SolveSettings& settings_;
  NewtonSolver newton_;
};

/// Is a lower than b by more than two roads to one minimum differ?
bool lower(const Candidate& a, const Candidate& b, const FrameMoments& frame) {
  return a.outcome.energy < b.outcome.energy * (1 - kSameEnergy) - 1e-15 * frame.sq_norm;
}

/// Runs task(solver, n) for n in [0, count), each thread with a solver of its own.
void run(const System& system, const SolveSettings& settings, int count,
         const std::function<void(FrameSolver&, int)>& task) {
#pragma omp parallel num_threads(settings.threads)
  {
    FrameSolver solver(system, settings);
#pragma omp for schedule(dynamic)
    for (int n = 0; n < count; ++n) task(solver, n);
  }
}

void start_linear(const System& system, const SolveSettings& settings, std::vector<ClipWork>& work) {
  const AffineSolver affine(system);
  std::vector<std::pair<ClipWork*, int>> all;
  for (ClipWork& w : work)
    for (std::size_t f = 0; f < w.frames.size(); ++f) all.emplace_back(&w, static_cast<int>(f));
  run(system, settings, static_cast<int>(all.size()), [&](FrameSolver& solver, int n) {
    auto [w, f] = all[n];
    w->affine[f] = affine.solve(w->frames[f]);
    w->linear[f] = solver(w->frames[f], nearest_rigid(system, w->affine[f]), Start::linear, nullptr);
  });
}

/// Each frame from the answer of the frame before (or after); the first from its linear start.
void run_chain(FrameSolver& solver, bool forward, ClipWork& w) {
  const int frames = static_cast<int>(w.frames.size());
  std::vector<Candidate>& chain = forward ? w.forward : w.backward;
  for (int n = 0; n < frames; ++n) {
    const int f = forward ? n : frames - 1 - n;
    if (n == 0)
      chain[f] = w.linear[f];
    else
      chain[f] = solver(w.frames[f], chain[forward ? f - 1 : f + 1].pose,
                        forward ? Start::forward : Start::backward, &w.linear[f]);
  }
}

void choose(ClipWork& w) {
  for (std::size_t f = 0; f < w.frames.size(); ++f) {
    w.best[f] = w.forward[f];
    for (const Candidate* c : {&w.backward[f], &w.linear[f]})
      if (lower(*c, w.best[f], w.frames[f])) w.best[f] = *c;
  }
}

bool starts_disagree(const ClipWork& w, int f) {
  return lower(w.best[f], w.forward[f], w.frames[f]) || lower(w.best[f], w.backward[f], w.frames[f]) ||
         lower(w.best[f], w.linear[f], w.frames[f]);
}

/// A clip whose last frame has the targets of its first ends as it began.
void close_loop(const System& system, ClipWork& w) {
  if (w.frames.size() < 2) return;
  double difference = 0, size = 0;
  for (int u = 0; u < system.unknowns; ++u) {
    difference += (w.frames.front().b[u] - w.frames.back().b[u]).squaredNorm();
    size += w.frames.front().b[u].squaredNorm();
  }
  if (difference > kSameTargets * kSameTargets * size) return;
  if (lower(w.best.back(), w.best.front(), w.frames.front()))
    w.best.front() = w.best.back();
  else
    w.best.back() = w.best.front();
}

/// Where the starts found several minima, a neighbour's answer may lead to a better one still.
void try_neighbours(FrameSolver& solver, ClipWork& w) {
  const int frames = static_cast<int>(w.frames.size());
  bool changed = true;
  for (int round = 0; round < kNeighbourRounds && changed; ++round) {
    changed = false;
    for (int n = 0; n < 2 * frames; ++n) {
      const bool forward = n < frames;
      const int f = forward ? n : 2 * frames - 1 - n, from = forward ? f - 1 : f + 1;
      if (from < 0 || from >= frames || !(starts_disagree(w, f) || starts_disagree(w, from))) continue;
      const Candidate c = solver(w.frames[f], w.best[from].pose, Start::neighbour, &w.best[f]);
      if (lower(c, w.best[f], w.frames[f])) w.best[f] = c, changed = true;
    }
  }
}

/// The surface's share of the energy, without prices.
double surface_energy(const System& system, const TargetMoments& targets, int f, const Pose& pose) {
  double sum = targets.sq_norm(f);
  for (int u = 0; u < system.unknowns; ++u) {
    const auto b = targets.b.block<4, 3>(4 * system.joint[u], 3 * f);
    Eigen::Matrix<double, 4, 3> r = 2 * b;
    for (int n = system.row[u]; n < system.row[u + 1]; ++n)
      r.noalias() -= system.surface[n] * pose[system.column[n]].transpose();
    sum -= (pose[u] * r).trace();
  }
  return std::max(sum, 0.0);
}

SolveResult finish(const System& system, const TargetMoments& targets, const ClipWork& w) {
  SolveResult result;
  const double mass = system.moments.measure.sum();
  for (int f = 0; f < targets.frames; ++f) {
    Candidate c = w.best[f];
    settle(system, w.frames[f], c.pose);
    result.poses.push_back(expand(system, c.pose, targets.shift.col(f)));
    result.affine.push_back(expand(system, w.affine[f], targets.shift.col(f)));
    FrameResult r;
    if (mass > 0) {
      r.rms = std::sqrt(surface_energy(system, targets, f, c.pose) / mass);
      r.floor_rms = std::sqrt(surface_energy(system, targets, f, w.affine[f]) / mass);
    }
    r.gradient = c.outcome.gradient;
    r.movement = c.outcome.movement;
    r.newton_steps = c.outcome.steps;
    r.converged = c.outcome.converged;
    r.start = c.start;
    result.frames.push_back(r);
  }
  return result;
}

void check_targets(const Rig& rig, const std::vector<Eigen::Matrix3Xd>& targets) {
  for (std::size_t f = 0; f < targets.size(); ++f) {
    if (targets[f].cols() != rig.vertices())
      throw InvalidInput("targets of frame " + std::to_string(f) + " hold " +
                         std::to_string(targets[f].cols()) + " vertices, the rig " +
                         std::to_string(rig.vertices()));
    for (int i = 0; i < rig.vertices(); ++i)
      if (rig.first_influence[i] < rig.first_influence[i + 1] && !targets[f].col(i).allFinite())
        throw InvalidInput("target of vertex " + std::to_string(i) + " in frame " + std::to_string(f) +
                           " is not finite");
  }
}

}  // namespace

std::vector<SolveResult> solve_clips(const System& system, const std::vector<TargetMoments>& clips,
                                     const SolveSettings& settings) {
  std::vector<ClipWork> work(clips.size());
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const int frames = clips[c].frames;
    for (int f = 0; f < frames; ++f) work[c].frames.push_back(frame_moments(system, clips[c], f));
    work[c].affine.resize(frames);
    for (auto* list : {&work[c].linear, &work[c].forward, &work[c].backward, &work[c].best})
      list->resize(frames);
  }
  start_linear(system, settings, work);
  const int count = static_cast<int>(work.size());
  run(system, settings, 2 * count,
      [&](FrameSolver& solver, int n) { run_chain(solver, n < count, work[n % count]); });
  run(system, settings, count, [&](FrameSolver& solver, int n) {
    choose(work[n]);
    try_neighbours(solver, work[n]);
    close_loop(system, work[n]);
  });
  std::vector<SolveResult> results;
  for (int c = 0; c < count; ++c) results.push_back(finish(system, clips[c], work[c]));
  return results;
}

SolveResult solve_clip(const Rig& rig, const std::vector<Eigen::Matrix3Xd>& targets,
                       const Eigen::VectorXd& measure, const SolveSettings& settings) {
  validate(rig);
  check_targets(rig, targets);
  const RigMoments moments = rig_moments(rig, measure, settings.threads);
  const int frames = static_cast<int>(targets.size());
  TargetBlock block(rig.vertices(), frames);
  for (int f = 0; f < frames; ++f) set_frame(block, f, targets[f], moments);
  const System system = make_system(rig, moments, settings.stiffness);
  return solve_clips(system, {target_moments(moments, block, frames, settings.threads)}, settings).front();
}

}  // namespace pelt
