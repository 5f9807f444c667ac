#include "clip_work.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sweep.h"

namespace pelt {
namespace {

constexpr double kSameFloor = 1e-9, kFloorRounding = 1e-13;  // of the energy, of the targets' squares
constexpr double kSameMinimum = 1e-6;                        // fraction of diag

/// Poses that show the same surface and have the same energy are one minimum.
bool same_minimum(const System& system, const Candidate& a, const Candidate& b, const FrameMoments& frame) {
  return !lower(a, b, frame) && !lower(b, a, frame) && movement(system, a.pose, b.pose) <= kSameMinimum;
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

/// What is answered, as if it had been found.
void take_answers(const TargetMoments& targets, ClipWork& w) {
  for (int f = 0; f < targets.frames; ++f) {
    const int before = w.answered_by(f);
    if (before < 0) continue;
    Candidate c{unknowns_of(w.system, w.earlier.result->poses[before], targets.shift.col(f)), {}, {}};
    c.outcome.energy = energy(w.system, w.frames[f], c.pose);
    c.outcome.converged = w.earlier.result->frames[before].converged;
    c.outcome.flat = w.earlier.result->frames[before].flat;
    w.found[f].push_back(std::move(c));
  }
}

}  // namespace

int ClipWork::answered_by(int f) const {
  const int before = earlier.result ? earlier.frame[f] : -1;
  if (before < 0) return -1;
  const FrameResult& r = earlier.result->frames[before];
  return r.converged || r.flat ? before : -1;
}

bool ClipWork::certain(int f) const {
  return is_answered(f) ||
         best(f).outcome.energy <= floor_rms[f] * floor_rms[f] * system.mass * (1 + kSameFloor) +
                                       kFloorRounding * frames[f].sq_norm;
}

bool take(const Candidate& c, int f, ClipWork& w) {
  if (c.outcome.given_up) return w.contested[f] = 1, false;
  std::vector<Candidate>& found = w.found[f];
  for (const Candidate& known : found)
    if (same_minimum(w.system, c, known, w.frames[f])) return false;
  if (found.empty()) return found.push_back(c), true;
  const bool best = lower(c, found.front(), w.frames[f]);
  w.contested[f] |= best || lower(found.front(), c, w.frames[f]);
  found.insert(best ? found.begin() : found.end(), c);
  return best;
}

double surface_rms(const System& system, const TargetMoments& targets, int f, const Pose& pose) {
  return system.mass > 0 ? std::sqrt(surface_energy(system, targets, f, pose) / system.mass) : 0;
}

ClipWork make_work(const System& system, const ClipOrder& order, const AffineSolver& affine,
                   const SolveSettings& settings) {
  const TargetMoments& targets = order.targets;
  const AddTime time(settings.times, &SolveTimes::starts);
  ClipWork w;
  double sq_floor = 0;
  for (int f = 0; f < targets.frames; ++f) {
    w.frames.push_back(frame_moments(system, targets, f));
    w.affine.push_back(affine.solve(w.frames[f]));
    const double floor = surface_rms(system, targets, f, w.affine[f]);
    w.floor_rms.push_back(floor);
    sq_floor += floor * floor / targets.frames;
  }
  // the fourth power, so that what is left of an exact floor by rounding prices nothing
  const double ratio = sq_floor / (kExactFloor * kExactFloor), fade = ratio * ratio / (1 + ratio * ratio);
  w.earlier = order.earlier;
  w.price = w.earlier.result ? w.earlier.result->price : settings.stretch + settings.stiffness * fade;
  w.system = with_price(system, w.price);
  w.found.resize(w.frames.size());
  w.contested.assign(w.frames.size(), 0);
  take_answers(targets, w);
  return w;
}

}  // namespace pelt
