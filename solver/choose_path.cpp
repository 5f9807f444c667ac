// The shortest path through the candidates of all frames by dynamic programming.
// Based on: A. J. Viterbi, "Error bounds for convolutional codes and an asymptotically optimum decoding
// algorithm", 1967.

#include "choose_path.h"

#include <algorithm>
#include <limits>

namespace pelt {
namespace {

constexpr double kAsGood = 2e-3, kAsGoodTurned = 5e-2;  // of the energy
// How much squared way energy above the best, per mass, counts for: to spare a joint a jump by a twentieth of
// the diagonal the RMS error of a frame may rise from 1 % to 1.0125 %.
constexpr double kWayOfEnergy = 1000;

/// Squared distance that points about the joints move, all joints alike.
double sq_change(const System& s, const Pose& a, const Pose& b) {
  double sum = 0;
  for (int u = 0; u < s.unknowns; ++u) {
    const Motion change = b[u] - a[u];
    sum += (change * s.around[u] * change.transpose()).trace();
  }
  return sum;
}

/// A candidate that may be chosen.
struct Eligible {
  int index;
  double way;  ///< what its energy counts for
};

using Lists = std::vector<std::vector<Eligible>>;

Lists eligible(const System& s, const std::vector<FrameMoments>& frames,
               const std::vector<std::vector<Candidate>>& candidates, Freedom freedom) {
  Lists lists(frames.size());
  const double way = s.mass > 0 ? kWayOfEnergy / s.mass : 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const double best = least_energy(candidates[f]);
    for (std::size_t n = 0; n < candidates[f].size(); ++n) {
      const double energy = candidates[f][n].outcome.energy;
      if (energy <= as_good_as(best, frames[f], freedom))
        lists[f].push_back({static_cast<int>(n), way * (energy - best)});
    }
  }
  return lists;
}

struct Path {
  std::vector<int> choice;
  double length = std::numeric_limits<double>::infinity();
};

/// The shortest path from one of `starts`; with `loop` it ends where it began.
Path shortest(const System& s, const std::vector<std::vector<Candidate>>& candidates, const Lists& lists,
              const std::vector<Eligible>& starts, bool loop) {
  const std::size_t frames = lists.size();
  std::vector<std::vector<double>> length(frames);
  std::vector<std::vector<int>> before(frames);
  for (const Eligible& start : starts) length[0].push_back(start.way);
  for (std::size_t f = 1; f < frames; ++f) {
    const std::vector<Eligible>& from = f == 1 ? starts : lists[f - 1];
    for (const auto& [n, own_way] : lists[f]) {
      int best = 0;
      double shortest = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < from.size(); ++k) {
        const double way =
            length[f - 1][k] + sq_change(s, candidates[f - 1][from[k].index].pose, candidates[f][n].pose);
        if (way < shortest) shortest = way, best = static_cast<int>(k);
      }
      length[f].push_back(shortest + own_way);
      before[f].push_back(best);
    }
  }
  const std::vector<Eligible>& last = frames == 1 ? starts : lists.back();
  Path path;
  path.choice.resize(frames);
  int end = -1;
  for (std::size_t k = 0; k < last.size(); ++k)
    if ((!loop || last[k].index == starts.front().index) && length.back()[k] < path.length)
      path.length = length.back()[k], end = static_cast<int>(k);
  if (end < 0) return path;
  for (std::size_t f = frames - 1; f > 0; end = before[f--][end]) path.choice[f] = lists[f][end].index;
  path.choice[0] = starts[end].index;
  return path;
}

}  // namespace

double as_good_as(double best_energy, const FrameMoments& frame, Freedom freedom) {
  const double share = freedom == Freedom::rotate ? kAsGoodTurned : kAsGood;
  return best_energy * (1 + share) + 1e-15 * frame.sq_norm;
}

std::vector<int> choose_path(const System& s, const std::vector<FrameMoments>& frames,
                             const std::vector<std::vector<Candidate>>& candidates,
                             const PathSettings& settings) {
  if (frames.empty()) return {};
  Lists lists = eligible(s, frames, candidates, settings.freedom);
  if (!settings.loop) return shortest(s, candidates, lists, lists.front(), false).choice;
  lists.back() = lists.front();
  Path best;
  for (const Eligible& start : lists.front()) {
    const Path path = shortest(s, candidates, lists, {start}, true);
    if (path.length < best.length) best = path;
  }
  return best.choice;
}

}  // namespace pelt
