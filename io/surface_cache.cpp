#include "surface_cache.h"

#include "pose.h"

namespace pelt {

const Eigen::Matrix3Xd* SurfaceCache::find(int clip, double time) const {
  const std::lock_guard lock(mutex_);
  const auto found = surfaces_.find({clip, time});
  return found == surfaces_.end() ? nullptr : &found->second;
}

Eigen::Matrix3Xd SurfaceCache::compute(const Clip& clip, double time) const {
  return surface_at(scene_, pose_at(scene_, clip, time));
}

void SurfaceCache::keep(int clip, double time, Eigen::Matrix3Xd surface) {
  const std::size_t bytes = static_cast<std::size_t>(surface.size()) * sizeof(double);
  const std::lock_guard lock(mutex_);
  if (bytes > room_ || !surfaces_.emplace(Key{clip, time}, std::move(surface)).second) return;
  room_ -= bytes;
}

}  // namespace pelt
