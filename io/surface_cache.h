#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include "scene.h"

namespace pelt {

/// The artist's surface at times of his clips for which solve, measure and control all ask: kept as far as
/// the bound allows, else computed again. Threads may ask at the same time; one computes, the others wait.
class SurfaceCache {
 public:
  static constexpr std::size_t kBound = std::size_t{128} << 20;  ///< bytes

  /// The scene must outlive the cache.
  explicit SurfaceCache(const Scene& scene, std::size_t bound = kBound) : scene_(scene), room_(bound) {}

  /// Calls use(surface), 3 x scene.vertices(), model space.
  template <class Use>
  auto with(const Clip& clip, double time, Use&& use) {
    Place* place = place_of(clip.index, time);
    if (!place) return use(anew(clip, time));
    std::call_once(place->computed, [&] { place->surface = anew(clip, time); });
    return use(place->surface);
  }

  /// The surface, 3 x scene.vertices(), model space, neither looked up nor kept.
  Eigen::Matrix3Xd anew(const Clip& clip, double time) const;

 private:
  using Key = std::pair<int, double>;  // of a clip and its time
  struct Place {
    std::once_flag computed;
    Eigen::Matrix3Xd surface;
  };

  Place* place_of(int clip, double time);

  const Scene& scene_;
  std::mutex mutex_;
  std::size_t room_;
  std::map<Key, Place> places_;  // what is in is never moved or taken out
};

}  // namespace pelt
