#include "artist_session.h"

namespace pelt {

ArtistSession::ArtistSession(const std::filesystem::path& path, const PointFiles& points, std::size_t bound)
    : file_(open_artist(path, points)),
      distinct_(with_distinct(file_, distinct_vertices(file_.scene))),
      diag_(bounding_diagonal(file_.rest)),
      surfaces_(distinct().scene, bound) {}

void ArtistSession::start_control(const std::vector<int>& clips, const TransferSettings& settings) {
  Entry& e = entry(clips, settings);
  const std::unique_lock lock(e.mutex, std::try_to_lock);
  if (lock) run(clips, settings, e);
}

Control ArtistSession::control(const std::vector<int>& clips, const TransferSettings& settings) {
  Entry& e = entry(clips, settings);
  const std::lock_guard lock(e.mutex);
  run(clips, settings, e);
  return *e.control;
}

ArtistSession::Entry& ArtistSession::entry(const std::vector<int>& clips, const TransferSettings& s) {
  const std::lock_guard lock(mutex_);
  return controls_[{clips, s.fps, s.weighting, s.between_tolerance, s.solve.tolerance}];
}

void ArtistSession::run(const std::vector<int>& clips, const TransferSettings& settings, Entry& entry) {
  if (!entry.control) entry.control = run_control(distinct(), clips, diag_, settings, nullptr, &surfaces_);
}

}  // namespace pelt
