#include "matched_pair.h"

#include <algorithm>
#include <cstdio>

#include "alignment_file.h"
#include "io_error.h"
#include "solve_bound.h"
#include "trs.h"

namespace pelt {
namespace {

std::vector<PointSource> points_of(const Scene& artist, const std::vector<int>& clips) {
  std::vector<PointSource> list;
  for (const int c : clips) {
    const PointTrack* track = artist.clips[c].points.get();
    if (track)
      list.push_back({track->cache.file, track->cache.frames(), track->cache.points, track->z_up,
                      !track->point_of_vertex.empty()});
  }
  return list;
}

/// What is too large to solve, whatever its frames, is too large to match.
void check_size(const RigFile& artist, const RigFile& rig) {
  const Correspondence none;
  check_solve_size({&artist.scene, &none}, rig, Freedom::free, {});
}

MatchSettings match_settings(const BakeOptions& options, const Clip& clip) {
  MatchSettings settings{options.match, {}, &clip};
  if (!options.align) settings.artist_from_rig = Eigen::Matrix4d::Identity();
  if (!options.alignment.empty()) settings.artist_from_rig = read_alignment(options.alignment);
  return settings;
}

/// Parts that only the rig has are left out of solve and measure.
void tell_far_vertices(BakeResult& result) {
  const double limit = GapLimits{}.counterpart;
  const int far = leave_out_far(result.matching.correspondence, limit / 100 * result.diag);
  if (far > 0)
    result.warnings.push_back(result.rig + ": " + std::to_string(far) + " of " +
                              std::to_string(result.matching.correspondence.kind.size()) +
                              " vertices have no counterpart on the artist's surface (farther than " +
                              std::to_string(static_cast<int>(limit)) +
                              " % of its diagonal): left out of solve and measure");
}

/// Parts that only the artist has carry motion that the rig does not show.
void tell_missing_part(BakeResult& result) {
  if (!missing_part(result.matching, result.diag).in_rig) return;
  char text[200];
  std::snprintf(
      text, sizeof text,
      ": it lacks a part that the artist's surface has: %.1f %% of that area is farther than %.0f %% "
      "of the diagonal from the rig's surface",
      100 * uncovered(result.matching, result.diag).of_artist, GapLimits{}.counterpart);
  result.warnings.push_back(result.rig + text);
}

/// What a joint of scale 0 holds is flat, however it moves.
void tell_flat_joints(const SceneRig& rig, BakeResult& result) {
  std::vector<char> flat(rig.rig.joints(), 0);
  for (const int j : rig.rig.joint) flat[j] = 1;  // has weights
  for (int j = 0; j < rig.rig.joints(); ++j) flat[j] &= flattens(rig.rig.model_from_joint[j]);
  const auto first = std::find(flat.begin(), flat.end(), 1);
  if (first == flat.end()) return;
  const auto others = std::count(first + 1, flat.end(), 1);
  result.warnings.push_back(
      result.rig + ": joint '" + result.joint_names[first - flat.begin()] + "'" +
      (others > 0 ? " and " + std::to_string(others) + " more" : "") +
      ": a scale of 0 at rest, there or above, so that what is held there stays flat however it moves");
}

/// Finds the corresponding points. \throw NoCorrespondence
void match(const ArtistSession& artist, const RigFile& rig, const MatchSettings& settings, bool force,
           BakeResult& result) {
  result.matching = match_scenes(artist.file().scene, rig.scene, settings);
  if (const std::string why = why_refused(result.matching, result.diag); !why.empty()) {
    if (!force) throw NoCorrespondence(result.rig + ": " + why);
    result.warnings.push_back(result.rig + ": " + why);
  }
  if (!force) tell_far_vertices(result), tell_missing_part(result);
}

}  // namespace

void check_is_rig(const RigFile& file) {
  if (file.scene.skins.empty()) throw ReadError(file.scene.file + ": skins: the file has no skin");
  check_surface(file);
}

void take_warnings(const Scene& scene, bool strict, std::vector<std::string>& warnings) {
  for (const std::string& warning : scene.warnings) {
    if (strict) throw ReadError(scene.file + ": " + warning + " (--strict)");
    warnings.push_back(scene.file + ": " + warning);
  }
}

std::vector<std::string> names_of_joints(const RigFile& file) {
  std::vector<std::string> names;
  for (const int node : file.rig.node_of_joint)
    names.push_back(file.scene.nodes[node].name.empty() ? "#" + std::to_string(node)
                                                        : file.scene.nodes[node].name);
  return names;
}

BakeResult matched_pair(const ArtistSession& session, const RigFile& rig, const BakeOptions& options,
                        const std::vector<int>& clips) {
  const RigFile& artist = session.file();
  BakeResult result;
  result.artist = options.artist.string(), result.rig = options.rig.string();
  check_is_rig(rig);
  check_size(artist, rig);
  take_warnings(artist.scene, options.strict, result.warnings);
  take_warnings(rig.scene, options.strict, result.warnings);
  result.points = points_of(artist.scene, clips);
  result.diag = session.diag();
  result.joint_names = names_of_joints(rig);
  result.artist_joint_names = names_of_joints(artist);
  tell_flat_joints(rig.rig, result);
  match(session, rig, match_settings(options, artist.scene.clips[clips[0]]), options.force, result);
  return result;
}

}  // namespace pelt
