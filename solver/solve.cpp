#include "solve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "affine.h"
#include "choose_path.h"
#include "clip_work.h"
#include "close_loop.h"
#include "error.h"
#include "frame_solver.h"
#include "least_distance.h"
#include "settle.h"

namespace pelt {
namespace {

constexpr int kNeighbourRounds = 4;
// Free answers with these prices, one from the other, lead from joints that fly to joints that turn.
constexpr double kDrawingPrices[] = {1e-2, 1e-1, 1, 10};

/// Something to do for a clip: a frame of it, or a direction.
struct Task {
  int clip, n;
};

/// Runs visit(solver, task) for all tasks, each thread with a solver of its own for the clip it is at.
void run(const std::vector<ClipWork>& work, const SolveSettings& settings, const std::vector<Task>& tasks,
         const std::function<void(FrameSolver&, Task)>& visit) {
#pragma omp parallel num_threads(settings.threads)
  {
    std::optional<FrameSolver> solver;
    int clip = -1;
#pragma omp for schedule(dynamic)
    for (std::size_t n = 0; n < tasks.size(); ++n) {
      if (settings.stop.stop_requested()) continue;
      if (clip != tasks[n].clip) solver.emplace(work[clip = tasks[n].clip].system, settings);
      visit(*solver, tasks[n]);
    }
  }
  check_stop(settings);  // what was left out leaves holes
}

/// All frames of all clips that are not answered: each can be started on its own.
std::vector<Task> open_frames(const std::vector<ClipWork>& work) {
  std::vector<Task> tasks;
  for (std::size_t c = 0; c < work.size(); ++c)
    for (int f = 0; f < static_cast<int>(work[c].frames.size()); ++f)
      if (!work[c].is_answered(f)) tasks.push_back({static_cast<int>(c), f});
  return tasks;
}

/// Each clip `count` times.
std::vector<Task> every_clip(const std::vector<ClipWork>& work, int count) {
  std::vector<Task> tasks;
  for (std::size_t c = 0; c < work.size(); ++c)
    for (int n = 0; n < count; ++n) tasks.push_back({static_cast<int>(c), n});
  return tasks;
}

/// The rigid motions nearest to a frame's affine ones.
Pose linear_start(const SolveSettings& settings, const ClipWork& w, int f) {
  const AddTime time(settings.times, &SolveTimes::starts);
  return nearest_rigid(w.system, w.affine[f]);
}

void start_linear(const SolveSettings& settings, std::vector<ClipWork>& work) {
  run(work, settings, open_frames(work), [&](FrameSolver& solver, Task t) {
    ClipWork& w = work[t.clip];
    const Pose start = linear_start(settings, w, t.n);
    take(solver(w.frames[t.n], start, Start::linear, nullptr), t.n, w);
  });
}

/// Answers of another freedom as starts of the free one: their neighbours begin there.
void make_free(ClipWork& w) {
  for (std::vector<Candidate>& found : w.found)
    for (Candidate& c : found) c.pose = nearest_rigid(w.system, c.pose);
}

/// The free answer, as it is and drawn step by step to joints that stay with their parents, as a start for
/// another freedom.
void start_from(const SolveSettings& settings, const std::vector<ClipWork>& free,
                std::vector<ClipWork>& work) {
  run(work, settings, open_frames(work), [&](FrameSolver& solver, Task t) {
    ClipWork& w = work[t.clip];
    take(solver(w.frames[t.n], free[t.clip].best(t.n).pose, Start::free, nullptr), t.n, w);
  });
  if (settings.freedom != Freedom::rotate) return;
  SolveSettings priced = settings;
  priced.freedom = Freedom::free;
  std::vector<ClipWork> drawn = free;
  for (const double price : kDrawingPrices) {
    for (ClipWork& w : drawn) w.system = with_price(w.system, price);
    run(drawn, priced, open_frames(drawn), [&](FrameSolver& solver, Task t) {
      Candidate& c = drawn[t.clip].found[t.n].front();
      c = solver(drawn[t.clip].frames[t.n], c.pose, Start::priced, nullptr);
    });
  }
  run(work, settings, open_frames(work), [&](FrameSolver& solver, Task t) {
    ClipWork& w = work[t.clip];
    take(solver(w.frames[t.n], drawn[t.clip].best(t.n).pose, Start::priced, &w.best(t.n)), t.n, w);
  });
}

/// Each frame from the answer of the frame before (or after); the first from its cold start.
std::vector<Candidate> chain(FrameSolver& solver, bool forward, const std::stop_token& stop,
                             const ClipWork& w) {
  const int frames = static_cast<int>(w.frames.size());
  std::vector<Candidate> chain(frames);
  for (int n = 0; n < frames && !stop.stop_requested(); ++n) {
    const int f = forward ? n : frames - 1 - n;
    if (n == 0 || w.certain(f))
      chain[f] = w.best(f);
    else
      chain[f] = solver(w.frames[f], chain[forward ? f - 1 : f + 1].pose,
                        forward ? Start::forward : Start::backward, &w.best(f));
    if (chain[f].outcome.given_up) chain[f].pose = w.best(f).pose;
  }
  return chain;
}

void run_chains(const SolveSettings& settings, std::vector<ClipWork>& work) {
  std::vector<std::vector<Candidate>> chains(2 * work.size());
  run(work, settings, every_clip(work, 2), [&](FrameSolver& solver, Task t) {
    chains[2 * t.clip + t.n] = chain(solver, t.n == 0, settings.stop, work[t.clip]);
  });
  for (std::size_t n = 0; n < chains.size(); ++n)
    for (std::size_t f = 0; f < chains[n].size(); ++f) take(chains[n][f], static_cast<int>(f), work[n / 2]);
}

/// Where the starts found several minima, a neighbour's answer may lead to a better one still.
void try_neighbours(FrameSolver& solver, const std::stop_token& stop, ClipWork& w) {
  const int frames = static_cast<int>(w.frames.size());
  std::vector<std::array<double, 2>> tried(frames,
                                           {-1, -1});  // energies of the answers that were started from
  bool changed = true;
  for (int round = 0; round < kNeighbourRounds && changed; ++round) {
    changed = false;
    for (int n = 0; n < 2 * frames && !stop.stop_requested(); ++n) {
      const bool forward = n < frames;
      const int f = forward ? n : 2 * frames - 1 - n, from = forward ? f - 1 : f + 1;
      if (from < 0 || from >= frames || w.is_answered(f) || !(w.contested[f] || w.contested[from])) continue;
      const double energy_there = w.best(from).outcome.energy;  // a new best has another
      if (std::exchange(tried[f][forward], energy_there) == energy_there) continue;
      changed |= take(solver(w.frames[f], w.best(from).pose, Start::neighbour, &w.best(f)), f, w);
    }
  }
}

void keep_smoothest(Freedom freedom, ClipWork& w) {
  const std::vector<int> path = choose_path(w.system, w.frames, w.found, {freedom, w.loop});
  for (std::size_t f = 0; f < path.size(); ++f) std::swap(w.found[f].front(), w.found[f][path[f]]);
}

/// All starts but the cold ones, and the choice among them.
void improve(const SolveSettings& settings, std::vector<ClipWork>& work) {
  run_chains(settings, work);
  run(work, settings, every_clip(work, 1), [&](FrameSolver& solver, Task t) {
    try_neighbours(solver, settings.stop, work[t.clip]);
    close_loop(solver, work[t.clip]);
    keep_smoothest(settings.freedom, work[t.clip]);
  });
}

SolveResult finish(const TargetMoments& targets, const SolveSettings& settings, const ClipWork& w) {
  const AddTime time(settings.times, &SolveTimes::finish);
  SolveResult result;
  result.price = w.price;
  // what is left open hangs on the prior, which a high price would drown in its rounding
  const System open = with_price(w.system, std::min(w.price, kHighPrice));
  const std::vector<Hold> hold = holds_of(open);
  for (int f = 0; f < targets.frames; ++f) {
    result.affine.push_back(expand(w.system, w.affine[f], targets.shift.col(f)));
    if (const int before = w.answered_by(f); before >= 0) {
      result.poses.push_back(w.earlier.result->poses[before]);
      result.frames.push_back(w.earlier.result->frames[before]);
      continue;
    }
    Candidate c = w.best(f);
    if (settings.freedom != Freedom::rotate) settle(open, hold, w.frames[f], c.pose);
    result.poses.push_back(expand(w.system, c.pose, targets.shift.col(f)));
    FrameResult r;
    r.rms = surface_rms(w.system, targets, f, c.pose);
    r.floor_rms = w.floor_rms[f];
    r.gradient = c.outcome.gradient;
    r.movement = c.outcome.movement;
    r.newton_steps = c.outcome.steps;
    r.converged = c.outcome.converged;
    r.flat = c.outcome.flat;
    r.start = c.start;
    result.frames.push_back(r);
  }
  return result;
}

/// From the linear start alone.
void begin_free(const SolveSettings& settings, std::vector<ClipWork>& work) {
  for (ClipWork& w : work) make_free(w);
  start_linear(settings, work);
}

/// In another freedom than free, which is solved first.
void begin_from_free(const SolveSettings& settings, std::vector<ClipWork>& work) {
  SolveSettings as_free = settings;
  as_free.freedom = Freedom::free;
  std::vector<ClipWork> free = work;
  begin_free(as_free, free);
  improve(as_free, free);
  start_from(settings, free, work);
}

/// The answer of joints that only turn, which pays no price, as a start of the free one: of a frame alone no
/// answer is worse.
void start_from_turned(const SolveSettings& settings, const std::vector<ClipWork>& fresh,
                       std::vector<ClipWork>& work) {
  SolveSettings as_turned = settings;
  as_turned.freedom = Freedom::rotate;
  std::vector<ClipWork> turned = fresh;
  for (ClipWork& w : turned) w.system = with_price(w.system, kDrawingPrices[0]);
  begin_from_free(as_turned, turned);
  improve(as_turned, turned);
  run(work, settings, open_frames(work), [&](FrameSolver& solver, Task t) {
    ClipWork& w = work[t.clip];
    take(solver(w.frames[t.n], turned[t.clip].best(t.n).pose, Start::turned, &w.best(t.n)), t.n, w);
  });
}

/// Before threads start: an exception may not leave them.
void check(const System& system, const std::vector<TargetMoments>& clips, const SolveSettings& settings,
           const std::vector<Earlier>& earlier) {
  for (const double price : {settings.stiffness, settings.stretch})
    if (!(price >= 0 && price <= kLargestPrice))
      throw InvalidInput("stiffness and stretch must be from 0 to 1e6");
  if (earlier.empty()) return;
  if (earlier.size() != clips.size()) throw InvalidInput("earlier solves are of another number of clips");
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const auto& [result, frame] = earlier[c];
    if (!result) continue;
    const auto is_outside = [&](int f) { return f >= static_cast<int>(result->frames.size()); };
    const auto is_other_rig = [&](const Pose& pose) { return pose.size() != system.unknown.size(); };
    if (static_cast<int>(frame.size()) != clips[c].frames ||
        std::any_of(frame.begin(), frame.end(), is_outside) ||
        result->poses.size() != result->frames.size() ||
        std::any_of(result->poses.begin(), result->poses.end(), is_other_rig))
      throw InvalidInput("an earlier solve is of another number of frames or joints");
  }
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

void check_stop(const SolveSettings& settings) {
  if (settings.stop.stop_requested()) throw Stopped("stopped before the end");
}

std::vector<SolveResult> solve_clips(const System& system, const std::vector<TargetMoments>& clips,
                                     const SolveSettings& settings, const std::vector<Earlier>& earlier) {
  check(system, clips, settings, earlier);
  std::vector<ClipWork> work(clips.size());
  const AffineSolver affine(system);
#pragma omp parallel for num_threads(settings.threads) schedule(dynamic)
  for (std::size_t c = 0; c < clips.size(); ++c)
    work[c] = make_work(system, {clips[c], earlier.empty() ? Earlier{} : earlier[c]}, affine, settings);
  if (settings.freedom != Freedom::free) {
    begin_from_free(settings, work);
  } else if (std::none_of(work.begin(), work.end(),
                          [](const ClipWork& w) { return w.price >= kHighPrice; })) {
    start_linear(settings, work);
  } else {
    const std::vector<ClipWork> fresh = work;
    start_linear(settings, work);
    start_from_turned(settings, fresh, work);
  }
  improve(settings, work);
  std::vector<SolveResult> results(clips.size());
#pragma omp parallel for num_threads(settings.threads) schedule(dynamic)
  for (std::size_t c = 0; c < clips.size(); ++c) results[c] = finish(clips[c], settings, work[c]);
  return results;
}

SolveResult solve_clip(const Rig& rig, const std::vector<Eigen::Matrix3Xd>& targets,
                       const Eigen::VectorXd& measure, const SolveSettings& settings) {
  validate(rig);
  check_targets(rig, targets);
  const RigMoments moments = rig_moments(rig, measure, settings.threads);
  const System system = make_system(rig, moments);
  SolveResult result =
      solve_clips(system, {target_moments(moments, targets, settings.threads)}, settings).front();
  if (settings.loss == Loss::distance)
    for (std::size_t f = 0; f < targets.size(); ++f)
      reduce_distances({rig, moments, targets[f], result.price}, settings, result.poses[f], result.frames[f]);
  check_stop(settings);
  return result;
}

}  // namespace pelt
