// The shortest path through the candidates of all frames by dynamic programming.
// Based on: A. J. Viterbi, "Error bounds for convolutional codes and an asymptotically optimum decoding
// algorithm", 1967.

#include "choose_path.h"

#include <algorithm>
#include <limits>

namespace pelt {
namespace {

constexpr double kAsGood = 5e-4;  // of the energy: a quarter of a thousandth of the RMS error

/// Squared distance that points about the joints move, all joints alike.
double sq_change(const System& s, const Pose& a, const Pose& b) {
  double sum = 0;
  for (int u = 0; u < s.unknowns; ++u) {
    const Motion change = b[u] - a[u];
    sum += (change * s.around[u] * change.transpose()).trace();
  }
  return sum;
}

/// Indices of the candidates that may be chosen.
std::vector<std::vector<int>> eligible(const std::vector<FrameMoments>& frames,
                                       const std::vector<std::vector<Candidate>>& candidates) {
  std::vector<std::vector<int>> lists(frames.size());
  for (std::size_t f = 0; f < frames.size(); ++f) {
    double best = std::numeric_limits<double>::infinity();
    for (const Candidate& c : candidates[f]) best = std::min(best, c.outcome.energy);
    for (std::size_t n = 0; n < candidates[f].size(); ++n)
      if (candidates[f][n].outcome.energy <= as_good_as(best, frames[f]))
        lists[f].push_back(static_cast<int>(n));
  }
  return lists;
}

struct Path {
  std::vector<int> choice;
  double length = std::numeric_limits<double>::infinity();
};

/// The shortest path from one of `starts`; with `loop` it ends where it began.
Path shortest(const System& s, const std::vector<std::vector<Candidate>>& candidates,
              const std::vector<std::vector<int>>& lists, const std::vector<int>& starts, bool loop) {
  const std::size_t frames = lists.size();
  std::vector<std::vector<double>> length(frames);
  std::vector<std::vector<int>> before(frames);
  length[0].assign(starts.size(), 0.0);
  for (std::size_t f = 1; f < frames; ++f) {
    const std::vector<int>& from = f == 1 ? starts : lists[f - 1];
    for (const int n : lists[f]) {
      int best = 0;
      double shortest = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < from.size(); ++k) {
        const double way =
            length[f - 1][k] + sq_change(s, candidates[f - 1][from[k]].pose, candidates[f][n].pose);
        if (way < shortest) shortest = way, best = static_cast<int>(k);
      }
      length[f].push_back(shortest);
      before[f].push_back(best);
    }
  }
  const std::vector<int>& last = frames == 1 ? starts : lists.back();
  Path path;
  path.choice.resize(frames);
  int end = -1;
  for (std::size_t k = 0; k < last.size(); ++k)
    if ((!loop || last[k] == starts.front()) && length.back()[k] < path.length)
      path.length = length.back()[k], end = static_cast<int>(k);
  if (end < 0) return path;
  for (std::size_t f = frames - 1; f > 0; end = before[f--][end]) path.choice[f] = lists[f][end];
  path.choice[0] = starts[end];
  return path;
}

}  // namespace

double as_good_as(double best_energy, const FrameMoments& frame) {
  return best_energy * (1 + kAsGood) + 1e-15 * frame.sq_norm;
}

std::vector<int> choose_path(const System& s, const std::vector<FrameMoments>& frames,
                             const std::vector<std::vector<Candidate>>& candidates, bool loop) {
  if (frames.empty()) return {};
  std::vector<std::vector<int>> lists = eligible(frames, candidates);
  if (!loop) return shortest(s, candidates, lists, lists.front(), false).choice;
  lists.back() = lists.front();
  Path best;
  for (const int start : lists.front()) {
    const Path path = shortest(s, candidates, lists, {start}, true);
    if (path.length < best.length) best = path;
  }
  return best.choice;
}

}  // namespace pelt
