#include "artist_pool.h"

namespace pelt {

std::string artist_of(const Job& job) {
  const PointFiles& points = job.bake.points;
  std::string name = job.bake.artist.string();
  for (const std::filesystem::path& file : points.files) name += '\0' + file.string();
  if (!points.files.empty())
    name += '\0' + std::to_string(points.fps) + '\0' + std::to_string(static_cast<int>(points.up));
  return name;
}

ArtistPool::ArtistPool(const std::vector<Job>& jobs, std::size_t bound) : bound_(bound) {
  for (const Job& job : jobs) ++artists_[artist_of(job)].jobs;
}

std::shared_ptr<ArtistSession> ArtistPool::open(const Job& job) {
  Artist& artist = artists_.at(artist_of(job));
  const std::lock_guard lock(artist.mutex);
  if (!artist.session)
    artist.session = std::make_shared<ArtistSession>(job.bake.artist, job.bake.points, bound_);
  return artist.session;
}

void ArtistPool::done(const Job& job) {
  Artist& artist = artists_.at(artist_of(job));
  const std::lock_guard lock(artist.mutex);
  if (--artist.jobs == 0) artist.session.reset();
}

}  // namespace pelt
