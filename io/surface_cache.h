#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include "scene.h"

namespace pelt {

/// The artist's surface at times of his clips, which solve, measure and control all ask for: kept as far as
/// the bound allows, else computed again. Threads may ask at the same time.
class SurfaceCache {
 public:
  static constexpr std::size_t kBound = std::size_t{128} << 20;  ///< bytes

  /// The scene must outlive the cache.
  explicit SurfaceCache(const Scene& scene, std::size_t bound = kBound) : scene_(scene), room_(bound) {}

  /// Calls use(surface), 3 x scene.vertices(), model space.
  template <class Use>
  auto with(const Clip& clip, double time, Use&& use) {
    if (const Eigen::Matrix3Xd* known = find(clip.index, time)) return use(*known);
    Eigen::Matrix3Xd surface = compute(clip, time);
    auto result = use(surface);
    keep(clip.index, time, std::move(surface));
    return result;
  }

 private:
  using Key = std::pair<int, double>;  // of a clip and its time

  const Eigen::Matrix3Xd* find(int clip, double time) const;
  Eigen::Matrix3Xd compute(const Clip& clip, double time) const;
  void keep(int clip, double time, Eigen::Matrix3Xd surface);

  const Scene& scene_;
  mutable std::mutex mutex_;
  std::size_t room_;
  std::map<Key, Eigen::Matrix3Xd> surfaces_;  // what is in is never moved or taken out
};

}  // namespace pelt
