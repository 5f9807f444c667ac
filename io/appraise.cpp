#include "appraise.h"

#include <Eigen/LU>
#include <algorithm>

#include "clip_choice.h"
#include "distinct_pair.h"
#include "key_times.h"
#include "matched_pair.h"
#include "measure_clip.h"
#include "smoothness.h"
#include "threads.h"

namespace pelt {
namespace {

const Clip* clip_named(const Scene& scene, const Clip& wanted) {
  for (const Clip& clip : scene.clips)
    if (clip.has_name == wanted.has_name && clip.name == wanted.name) return &clip;
  return nullptr;
}

/// The artist's clips that the rig's file has too.
std::vector<int> shared_clips(const Scene& artist, const Scene& rig, const std::vector<std::string>& names) {
  std::vector<int> shared;
  std::string missing;
  for (const int c : choose_clips(artist, names)) {
    const Clip& clip = artist.clips[c];
    if (clip_named(rig, clip))
      shared.push_back(c);
    else
      missing += (missing.empty() ? "" : ", ") + display_name(clip);
  }
  if (shared.empty() || (!names.empty() && !missing.empty()))
    throw NoSuchClip(rig.file + ": has no clip of the artist's name " + missing);
  return shared;
}

/// Largest acceleration of the targets, unit of the rig per s^2.
double acceleration_of(const ClipMeasure& measure, const Clip& source, const std::vector<float>& times) {
  const std::vector<int> counted = counted_vertices(measure.settings);
  Eigen::Matrix3Xd last[3];
  double largest = 0;
  for (std::size_t n = 0; n < times.size(); ++n) {
    last[n % 3] = targets_at(measure.motive, source, times[n]);
    if (n < 2) continue;
    const auto at = [&](std::size_t k) { return PointsInTime{times[k], last[k % 3]}; };
    largest = std::max(largest, largest_acceleration(at(n - 2), at(n - 1), at(n), counted));
  }
  return largest;
}

ClipTransfer appraised(const ClipMeasure& measure, const WrittenClip& written, std::vector<float> times) {
  ClipTransfer clip;
  clip.name = written.source.name, clip.written_name = written.clip.name;
  clip.times = std::move(times);
  for (std::size_t k = 0; k < clip.times.size(); ++k) clip.sampled.push_back(static_cast<int>(k));
  clip.measured_on = written.clip.tracks;
  measure_surface(measure, written, clip.sampled, clip);
  measure_joints(measure, written, clip);
  clip.acceleration.surface = 100 * acceleration_of(measure, written.source, clip.times) / measure.diag;
  return clip;
}

}  // namespace

BakeResult appraise(ArtistSession& session, const RigFile& rig, const BakeOptions& options) {
  const Scene& artist = session.file().scene;
  const TransferSettings& settings = options.transfer;
  int wanted = settings.solve.threads;
  const Threads threads(wanted);
  const std::vector<int> clips = shared_clips(artist, rig.scene, options.clips);
  BakeResult result = matched_pair(session, rig, options, clips);
  result.no_control = "nothing is solved: clips are measured as they are";
  const Eigen::Matrix4d& artist_from_rig = result.matching.alignment.artist_from_rig;
  const DistinctPair pair(session.distinct(), rig, result.matching.correspondence);
  const RigFile& played = pair.rig();
  const Motive motive{&session.distinct().scene, &pair.correspondence(), artist_from_rig.inverse(),
                      &session.surfaces()};
  const double diag = result.diag / scale_of(artist_from_rig);  // in the rig's unit
  const MeasureSettings figures = measure_settings(motive, played, diag, settings.weighting);
  const ClipMeasure measure{motive, played, diag, figures, wanted};
  for (const int c : clips) {
    const Clip& source = artist.clips[c];
    const WrittenClip written{source, played.scene, *clip_named(played.scene, source)};
    result.clips.push_back(
        appraised(measure, written, settings.fps ? regular_times(source, *settings.fps) : key_times(source)));
    result.clips.back().source = c;
  }
  return result;
}

}  // namespace pelt
