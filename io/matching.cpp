#include "matching.h"

#include <Eigen/LU>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <utility>

#include "../solver/error.h"
#include "pose.h"

namespace pelt {
namespace {

constexpr double kWorthLeavingRest = 1e-4;  // 0.01 % of diag
constexpr double kLastShare = 0.01;         // of the area: what a p99 leaves out

enum class Taken { rest, bind, clip };

struct Candidate {
  IndexedSurface surface;
  Taken pose = Taken::rest;
};

/// The poses in which a file can be compared, the first one first; places in memory stay.
using Candidates = std::deque<Candidate>;

/// The bind pose, if there is one that lies anywhere so far from rest that it could be worth leaving that.
void add_bind(const Scene& scene, Candidates& list) {
  Surface bind;
  if (!bind_surface(scene, bind)) return;
  const double limit = kWorthLeavingRest * bounding_diagonal(bind);
  const auto near = [&](const Eigen::Matrix3Xd& rest) {
    return (bind.positions - rest).colwise().norm().maxCoeff() <= limit;
  };
  if (list.empty() || !near(list[0].surface.surface.positions))
    list.push_back({IndexedSurface(std::move(bind), scene.file), Taken::bind});
}

Candidates first_pose(const Scene& scene, MatchPose pose) {
  Candidates list;
  if (pose == MatchPose::bind)
    add_bind(scene, list);
  else
    list.push_back({IndexedSurface(rest_surface(scene), scene.file), Taken::rest});
  if (list.empty())
    throw InvalidInput(scene.file + ": its skin allows no bind pose to match in; use --match rest");
  return list;
}

Alignment alignment_of(const Eigen::Matrix4d& artist_from_rig) {
  return {artist_from_rig, is_mirror(artist_from_rig), 0};
}

/// The best of what was tried so far.
struct Search {
  double diag;
  const Candidate *artist = nullptr, *rig = nullptr;
  Alignment alignment;
  SurfaceGap gap;

  bool hopeless() const { return artist && gap.two_sided_mean < kWorthLeavingRest * diag; }

  void consider(const Candidate& a, const Candidate& r, const Alignment& with) {
    SurfaceGap found = surface_gap(a.surface, r.surface, with.artist_from_rig);
    if (artist && !(found.two_sided_mean < gap.two_sided_mean - kWorthLeavingRest * diag)) return;
    artist = &a, rig = &r, alignment = with, gap = std::move(found);
  }

  bool refused(const GapLimits& limits = {}) const {
    return 100 * gap.two_sided_mean > limits.mean * diag || 100 * gap.two_sided_p99 > limits.p99 * diag;
  }
};

/// Visits all pairs of poses until nothing can be better by enough.
template <class Visit>
void each_pair(const Search& search, const Candidates& of_artist, const Candidates& of_rig, Visit&& visit) {
  for (const Candidate& a : of_artist)
    for (const Candidate& r : of_rig)
      if (!search.hopeless()) visit(a, r);
}

}  // namespace

Matching match_scenes(const Scene& artist, const Scene& rig, const MatchSettings& settings) {
  Candidates of_artist = first_pose(artist, settings.pose), of_rig = first_pose(rig, settings.pose),
             first_frame;
  const bool any_pose = settings.pose == MatchPose::automatic;
  Search search{bounding_diagonal(rest_surface(artist)), nullptr, nullptr, {}, {}};
  const Alignment given = alignment_of(settings.artist_from_rig.value_or(Eigen::Matrix4d::Identity()));
  const auto as_given = [&](const Candidate& a, const Candidate& r) { search.consider(a, r, given); };
  const auto aligned = [&](const Candidate& a, const Candidate& r) {
    search.consider(a, r, align(a.surface, r.surface));
  };
  each_pair(search, of_artist, of_rig, as_given);
  if (any_pose && !search.hopeless()) add_bind(artist, of_artist), add_bind(rig, of_rig);
  each_pair(search, of_artist, of_rig, as_given);
  if (!settings.artist_from_rig) each_pair(search, of_artist, of_rig, aligned);
  if (search.refused() && settings.clip && any_pose) {
    Surface begin{surface_at(artist, pose_at(artist, *settings.clip, 0)), artist.triangles};
    if (begin.positions.allFinite() && vertex_areas(begin).sum() > 0)
      first_frame.push_back({IndexedSurface(std::move(begin), artist.file), Taken::clip});
    each_pair(search, first_frame, of_rig, as_given);
    if (!settings.artist_from_rig) each_pair(search, first_frame, of_rig, aligned);
  }
  const IndexedSurface& on = search.artist->surface;
  return {correspond(on, in_artist_space(on.surface, search.rig->surface.surface, search.alignment)),
          search.gap,
          search.alignment,
          search.artist->pose == Taken::bind,
          search.rig->pose == Taken::bind,
          search.artist->pose == Taken::clip};
}

Uncovered uncovered(const Matching& matching, double artist_diag) {
  const SurfaceGap& gap = matching.gap;
  const double limit = GapLimits{}.counterpart / 100 * artist_diag;
  return {share_beyond(gap.rig_from_artist, limit), share_beyond(gap.artist_from_rig, limit)};
}

MissingPart missing_part(const Matching& matching, double artist_diag, const GapLimits& limits) {
  const Uncovered lacking = uncovered(matching, artist_diag);
  const auto part = [&](double share, double other) {
    return share > kLastShare && 100 * share <= limits.part && other <= kLastShare;
  };
  return {part(lacking.of_rig, lacking.of_artist), part(lacking.of_artist, lacking.of_rig)};
}

std::string why_refused(const Matching& matching, double artist_diag, const GapLimits& limits) {
  const SurfaceGap& gap = matching.gap;
  const MissingPart missing = missing_part(matching, artist_diag, limits);
  const double far = limits.counterpart / 100 * artist_diag;
  const GapFigures of_rig = missing.in_artist ? within(gap.artist_from_rig, far) : gap.artist_from_rig,
                   of_artist = missing.in_rig ? within(gap.rig_from_artist, far) : gap.rig_from_artist;
  const double mean = 100 * (of_rig.mean + of_artist.mean) / 2 / artist_diag,
               p99 = 100 * std::max(of_rig.p99, of_artist.p99) / artist_diag;
  if (mean <= limits.mean && p99 <= limits.p99) return "";
  char text[500];
  std::snprintf(
      text, sizeof text,
      "the surfaces do not correspond: two-sided gap mean %.2f %% and p99 %.2f %% of the artist's diagonal "
      "(at most %.1f %% and %.1f %%), the closest that was found; the rig must be of the same animal in the "
      "artist's pose; --align gives its place, --match compares other poses, --force bakes all the same",
      mean, p99, limits.mean, limits.p99);
  return text;
}

}  // namespace pelt
