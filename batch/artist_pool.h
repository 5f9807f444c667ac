#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "job.h"

namespace pelt {

/// The artists of a batch: each is opened by the first job that wants him and closed after the last.
class ArtistPool {
 public:
  /// `bound`: bytes of surfaces that an artist may keep.
  ArtistPool(const std::vector<Job>& jobs, std::size_t bound);

  /// The open artist of a job. Threads that want the same one wait for each other. \throw as open_artist()
  std::shared_ptr<ArtistSession> open(const Job& job);

  /// A job will not ask any more.
  void done(const Job& job);

 private:
  struct Artist {
    std::mutex mutex;
    std::shared_ptr<ArtistSession> session;
    int jobs = 0;  ///< that are not done
  };
  std::size_t bound_;
  std::map<std::string, Artist> artists_;
};

/// Jobs of the same artist have the same.
std::string artist_of(const Job& job);

}  // namespace pelt
