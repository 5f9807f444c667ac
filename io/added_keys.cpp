#include "added_keys.h"

#include <algorithm>

#include "key_times.h"

namespace pelt {

std::vector<float> missing_keys(const ClipTransfer& clip, double tolerance) {
  std::vector<int> interval;
  const std::vector<double> times = between_times(clip.times, &interval);
  std::vector<float> missing;
  for (std::size_t n = 0; n < times.size(); n += 3) {
    const int k = interval[n];
    const double ends = std::max(clip.keys.frames[k].rms, clip.keys.frames[k + 1].rms);
    double inside = 0;
    for (std::size_t m = n; m < n + 3; ++m) inside = std::max(inside, clip.between.frames[m].rms);
    const float middle = static_cast<float>(times[n + 1]);
    if (inside > ends + tolerance && middle > clip.times[k] && middle < clip.times[k + 1])
      missing.push_back(middle);
  }
  return missing;
}

std::vector<int> insert_keys(const std::vector<float>& added, std::vector<float>& times) {
  const std::vector<float> before = times;
  times.insert(times.end(), added.begin(), added.end());
  std::sort(times.begin(), times.end());
  std::vector<int> was_at;
  for (const float time : times) {
    const auto at = std::lower_bound(before.begin(), before.end(), time);
    was_at.push_back(at != before.end() && *at == time ? static_cast<int>(at - before.begin()) : -1);
  }
  return was_at;
}

}  // namespace pelt
