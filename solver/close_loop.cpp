#include "close_loop.h"

#include <cmath>
#include <utility>

namespace pelt {
namespace {

// Moments that differ by no more than that share are those of the same targets: but for the order of sums,
// or but for a file's single precision, which turns add up along a chain.
constexpr double kSame = 1e-13, kNearlySame = 1e-5;
constexpr double kNobodySees = 1e-4;  // of the energy

/// How far the moments of the first and the last targets are apart, as a share of their size.
double difference_of_ends(const ClipWork& w) {
  double difference = 0, size = 0;
  for (int u = 0; u < w.system.unknowns; ++u) {
    difference += (w.frames.front().b[u] - w.frames.back().b[u]).squaredNorm();
    size += w.frames.front().b[u].squaredNorm();
  }
  return size > 0 ? std::sqrt(difference / size) : 0;
}

/// The candidates of the first frame as those of the last.
std::vector<Candidate> carried_to_end(FrameSolver& solver, const ClipWork& w) {
  const FrameMoments& frame = w.frames.back();
  const double most = least_energy(w.found.back()) * (1 + kNobodySees) + 1e-15 * frame.sq_norm;
  std::vector<Candidate> list;
  for (const Candidate& first : w.found.front()) {
    Candidate c = solver.judge(frame, first);
    if (!(c.outcome.energy <= most)) c = solver(frame, first.pose, Start::neighbour, nullptr);
    list.push_back(std::move(c));
  }
  return list;
}

}  // namespace

void close_loop(FrameSolver& solver, ClipWork& w) {
  if (w.frames.size() < 2) return;
  if (w.is_answered(0) && w.is_answered(static_cast<int>(w.frames.size()) - 1)) return;  // they are closed
  const double difference = difference_of_ends(w);
  w.loop = difference <= kNearlySame;
  if (!w.loop) return;
  const bool same = difference <= kSame;
  for (const Candidate& c : std::vector<Candidate>(w.found.back()))
    take(same ? c : solver(w.frames.front(), c.pose, Start::neighbour, nullptr), 0, w);
  w.found.back() = same ? w.found.front() : carried_to_end(solver, w);
}

}  // namespace pelt
