#include "matching.h"

#include <cstdio>
#include <vector>

#include "../solver/error.h"
#include "pose.h"

namespace pelt {
namespace {

constexpr double kWorthLeavingRest = 1e-4;  // 0.01 % of diag

struct Candidate {
  Surface surface;
  bool bind = false;
};

std::vector<Candidate> candidates(const Scene& scene, MatchPose pose) {
  std::vector<Candidate> list;
  if (pose != MatchPose::bind) list.push_back({rest_surface(scene), false});
  Surface bind;
  if (pose != MatchPose::rest && bind_surface(scene, bind)) list.push_back({std::move(bind), true});
  if (list.empty())
    throw InvalidInput(scene.file + ": its skin allows no bind pose to match in; use --match rest");
  return list;
}

}  // namespace

Matching match_scenes(const Scene& artist, const Scene& rig, MatchPose pose) {
  const std::vector<Candidate> of_artist = candidates(artist, pose), of_rig = candidates(rig, pose);
  const double diag = bounding_diagonal(rest_surface(artist));
  const Candidate *best_artist = &of_artist.front(), *best_rig = &of_rig.front();
  double best_gap = surface_gap(best_artist->surface, best_rig->surface).two_sided_mean;
  for (const Candidate& a : of_artist)
    for (const Candidate& r : of_rig) {
      if (&a == &of_artist.front() && &r == &of_rig.front()) continue;
      if (best_gap < kWorthLeavingRest * diag) continue;  // nothing can be better by enough
      const double gap = surface_gap(a.surface, r.surface).two_sided_mean;
      if (gap < best_gap - kWorthLeavingRest * diag) best_artist = &a, best_rig = &r, best_gap = gap;
    }
  return {correspond(best_artist->surface, best_rig->surface), best_artist->bind, best_rig->bind};
}

std::string why_refused(const Matching& matching, double artist_diag, const GapLimits& limits) {
  const SurfaceGap& gap = matching.correspondence.surface_gap;
  const double mean = 100 * gap.two_sided_mean / artist_diag, p99 = 100 * gap.two_sided_p99 / artist_diag;
  if (mean <= limits.mean && p99 <= limits.p99) return "";
  char text[500];
  std::snprintf(
      text, sizeof text,
      "the surfaces do not correspond: two-sided gap mean %.2f %% and p99 %.2f %% of the artist's diagonal "
      "(at most %.1f %% and %.1f %%); the rig must be of the same animal and lie in the artist's place, unit "
      "and facing; --match compares other poses, --force bakes all the same",
      mean, p99, limits.mean, limits.p99);
  return text;
}

}  // namespace pelt
