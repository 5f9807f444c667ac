#include "surface_cache.h"

#include "pose.h"

namespace pelt {

/// Where a surface is kept; none where the bound leaves no room for it.
SurfaceCache::Place* SurfaceCache::place_of(int clip, double time) {
  const std::size_t bytes = 3 * sizeof(double) * static_cast<std::size_t>(scene_.vertices());
  const std::lock_guard lock(mutex_);
  const auto found = places_.find({clip, time});
  if (found != places_.end()) return &found->second;
  if (bytes > room_) return nullptr;
  room_ -= bytes;
  return &places_[{clip, time}];
}

Eigen::Matrix3Xd SurfaceCache::anew(const Clip& clip, double time) const {
  return surface_at(scene_, pose_at(scene_, clip, time));
}

}  // namespace pelt
