#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "artist.h"
#include "control.h"
#include "surface_cache.h"

namespace pelt {

/// An artist's file, opened once for many rigs: what was played or solved of it for one rig serves the next.
/// Threads may share it.
class ArtistSession {
 public:
  /// `bound`: bytes of surfaces that are kept. \throw as open_artist()
  explicit ArtistSession(const std::filesystem::path& path, const PointFiles& points = {},
                         std::size_t bound = SurfaceCache::kBound);
  ArtistSession(const ArtistSession&) = delete;
  ArtistSession& operator=(const ArtistSession&) = delete;

  const RigFile& file() const { return file_; }
  const RigFile& distinct() const { return distinct_ ? *distinct_ : file_; }  ///< with its distinct vertices alone
  double diag() const { return diag_; }
  SurfaceCache& surfaces() { return surfaces_; }  ///< of distinct()

  /// Runs the control unless it has been or another thread is at it, so that threads have something else to
  /// do meanwhile. \pre why_no_control(file()) is empty
  void start_control(const std::vector<int>& clips, const TransferSettings& settings);

  /// The control of these clips, which is run or waited for where it is not there yet.
  Control control(const std::vector<int>& clips, const TransferSettings& settings);

 private:
  /// On what the figures of a control depend: clips, fps, weighting and tolerances.
  using Key = std::tuple<std::vector<int>, std::optional<double>, Weighting, double, double>;
  struct Entry {
    std::mutex mutex;
    std::optional<Control> control;
  };
  Entry& entry(const std::vector<int>& clips, const TransferSettings& settings);
  void run(const std::vector<int>& clips, const TransferSettings& settings, Entry& entry);

  RigFile file_;
  std::optional<RigFile> distinct_;
  double diag_;
  SurfaceCache surfaces_;
  std::mutex mutex_;
  std::map<Key, Entry> controls_;
};

}  // namespace pelt
