#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batch/score_row.h"

namespace pelt::test {

inline ClipScore clip_score(const std::string& clip, std::optional<double> quality,
                            JointMode joints = JointMode::free) {
  ClipScore score;
  score.clip = clip;
  score.quality = quality;
  score.joints = joints;
  score.worst = quality ? 100 - *quality : 0;
  return score;
}

/// A row of a pair that went well; its artist is the model's, whose control has the same clips at 100.
inline ScoreRow score_row(const std::string& tool, const std::string& model, std::vector<ClipScore> clips) {
  ScoreRow row;
  row.key = tool + "/" + model;
  row.tool = tool;
  row.model = model;
  row.artist = model + ".glb";
  row.rig = tool + "/" + model + ".glb";
  row.ok = true;
  row.control.passed = true;
  for (const ClipScore& clip : clips)
    if (clip.joints == clips.front().joints) row.control.clips.push_back(clip_score(clip.clip, 100));
  row.clips = std::move(clips);
  return row;
}

inline ScoreRow failed_row(const std::string& tool, const std::string& model, const std::string& reason) {
  ScoreRow row = score_row(tool, model, {});
  row.ok = false;
  row.control = {};
  row.exit_code = 2;
  row.reason = reason;
  return row;
}

}  // namespace pelt::test
