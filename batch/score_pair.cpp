#include "score_pair.h"

#include <new>

#include "../io/io_error.h"
#include "details.h"
#include "failure.h"
#include "job_key.h"
#include "regions.h"
#include "rig_health.h"

namespace pelt {
namespace {

ClipScore score_of(const ClipTransfer& clip, JointMode joints) {
  ClipScore s;
  s.clip = clip.name;
  s.joints = joints;
  s.quality = clip.keys.quality, s.quality_in_place = clip.keys.quality_in_place;
  s.quality_integrated = clip.quality_integrated;
  s.quality_gap_counted = clip.quality_gap_counted;
  s.mean = clip.keys.mean, s.rms = clip.keys.rms;
  s.p95 = clip.keys.p95, s.p99 = clip.keys.p99, s.worst = clip.keys.worst;
  s.floor_rms = clip.floor.rms;
  s.travel_mean = clip.travel.mean, s.travel_max = clip.travel.max;
  return s;
}

void take_clips(const BakeResult& result, ScoreRow& row) {
  for (std::size_t n = 0; n < result.clips.size(); ++n) {
    row.clips.push_back(score_of(result.clips[n], result.joints));
    for (const ComparedMode& mode : result.compared)
      row.clips.push_back(score_of(mode.clips[n], mode.joints));
  }
}

void take_control(const BakeResult& result, ScoreRow& row) {
  row.control.none = result.no_control;
  if (!result.control) return;
  row.control.passed = result.control->passed;
  for (const ClipTransfer& clip : result.control->clips)
    row.control.clips.push_back(score_of(clip, JointMode::free));
}

/// What each joint and region loses.
void take_errors(const BakeResult& result, const Regions& regions, ScoreRow& row) {
  std::size_t n = 0;
  const auto next = [&](const ClipTransfer& clip) {
    row.clips[n].joint_errors = joint_errors(result.joint_names, clip.keys);
    row.clips[n++].regions = region_errors(regions, clip.keys);
  };
  for (std::size_t c = 0; c < result.clips.size(); ++c) {
    next(result.clips[c]);
    for (const ComparedMode& mode : result.compared) next(mode.clips[c]);
  }
}

/// The folder of an output is made, like the name of the output.
void make_folder(const std::filesystem::path& output) {
  std::error_code error;
  if (output.has_parent_path()) std::filesystem::create_directories(output.parent_path(), error);
  if (error) throw WriteError(output.string() + ": its folder cannot be made: " + error.message());
}

}  // namespace

ScoreRow named_row(const Job& job) {
  ScoreRow row;
  row.tool = job.tool, row.model = job.model;
  row.artist = job.bake.artist.string(), row.rig = job.bake.rig.string();
  return row;
}

std::optional<RigHealth> health_of(const RigFile& rig) {
  if (rig.scene.skins.empty()) return std::nullopt;
  try {
    check_surface(rig);
  } catch (const ReadError&) {
    return std::nullopt;
  }
  return rig_health(rig);
}

void score_pair(const Job& job, const RigFile& rig, ArtistSession& artist, const Baked& baked,
                ScoreRow& row) {
  if (!job.bake.output.empty()) make_folder(job.bake.output);
  const BakeResult result = bake(artist, rig, job.bake);
  take_clips(result, row);
  take_errors(result, regions_of(rig), row);
  take_control(result, row);
  row.warnings = result.warnings;
  row.details = details(job.bake, result);
  row.output = result.output;
  if (!row.output.empty()) row.output_hash = output_hash(row.output);
  if (baked) baked(job, artist, rig, result);
  row.ok = true;
}

ScoreRow failed_row(const ScoreRow& row, int exit_code, const std::string& reason) {
  ScoreRow failed;
  failed.tool = row.tool, failed.model = row.model;
  failed.artist = row.artist, failed.rig = row.rig;
  failed.health = row.health;
  failed.exit_code = exit_code;
  failed.reason = reason;
  return failed;
}

ScoreRow failed_row(const ScoreRow& row, const std::exception& error) {
  const bool no_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return failed_row(row, failure_code(error), no_memory ? "out of memory" : error.what());
}

}  // namespace pelt
