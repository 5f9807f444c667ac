#include "key_times.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "clip_choice.h"
#include "io_error.h"
#include "point_clip.h"

namespace pelt {
namespace {

constexpr double kMostFrames = 1e6;
// An interval shorter than this is a jump, not a motion.
constexpr float kJump = 1e-6f;

float just_before(float time) { return std::nextafter(time, -1.0f); }

void add_keys(const Track& track, std::vector<float>& times) {
  for (std::size_t k = 0; k < track.times.size(); ++k) {
    const float time = track.times[k];
    times.push_back(time);
    const bool jumps =
        track.interpolation == Interpolation::step && k > 0 &&
        track.values.col(static_cast<Eigen::Index>(k)) != track.values.col(static_cast<Eigen::Index>(k) - 1);
    if (jumps && time > 0) times.push_back(just_before(time));
  }
}

void sort_unique(std::vector<float>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

}  // namespace

std::vector<float> key_times(const Clip& clip) {
  std::vector<float> times{0.0f};
  for (const Track& track : clip.tracks) add_keys(track, times);
  if (clip.points)
    times.insert(times.end(), clip.points->cache.times.begin(), clip.points->cache.times.end());
  sort_unique(times);
  return times;
}

std::vector<float> regular_times(const Clip& clip, double fps) {
  if (!(fps > 0) || !std::isfinite(fps)) throw UsageError("frames per second must be positive and finite");
  const double end = clip.end;
  if (end * fps > kMostFrames) {
    char text[100];
    std::snprintf(text, sizeof text, "': %g frames per second over %g s are more than a million frames", fps,
                  end);
    throw UsageError("clip '" + display_name(clip) + text);
  }
  std::vector<float> times;
  for (int k = 0; k <= static_cast<int>(std::floor(end * fps)); ++k)
    times.push_back(static_cast<float>(k / fps));
  // the end replaces a last sample that differs from it by rounding alone
  if (!times.empty() && times.size() > 1 && clip.end - times.back() < 1e-4 / fps) times.pop_back();
  times.push_back(clip.end);
  sort_unique(times);
  return times;
}

std::vector<double> between_times(const std::vector<float>& keys, std::vector<int>* interval) {
  std::vector<double> times;
  for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
    const double from = keys[k], to = keys[k + 1];
    const bool neighbours =
        std::nextafter(keys[k], INFINITY) >= keys[k + 1];  // far apart where times are large
    if (to - from < kJump || neighbours) continue;
    for (const double part : {0.25, 0.5, 0.75}) {
      times.push_back(from + part * (to - from));
      if (interval) interval->push_back(static_cast<int>(k));
    }
  }
  return times;
}

}  // namespace pelt
