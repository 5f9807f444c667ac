#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "job.h"
#include "rows_file.h"

namespace pelt {

struct BatchProgress {
  int done = 0, total = 0;  ///< pairs; those that were known count as done
  int known = 0, failed = 0;
  double seconds = 0;                  ///< since the start
  std::optional<double> seconds_left;  ///< none until a pair has been run
  const ScoreRow* row = nullptr;       ///< the pair that has just been done; none at the start
};

struct BatchSettings {
  int jobs = 0;                   ///< pairs at a time; < 1: as many as threads
  int threads = 0;                ///< of all pairs together; < 1: as many as there are
  std::optional<double> timeout;  ///< seconds for a pair
  RowsFile* rows = nullptr;       ///< where known rows are and new ones go
  Details details = Details::keep;
  std::function<void(const BatchProgress&)> progress;  ///< called by the caller's thread, a row at a time
  std::function<bool()> interrupted;                   ///< asked by the same now and then
  /// Sees each bake while artist and rig are open, called by the thread that ran it; what it throws is the
  /// pair's failure. Where there is one, rows that are known are made again.
  Baked baked;
};

struct BatchResult {
  std::vector<ScoreRow> rows;  ///< of the jobs, in their order; where interrupted those that are done
  int known = 0;               ///< rows that an earlier run had found
  bool interrupted = false;
};

/// Runs the jobs, several at a time, each artist being opened and played once for all his rigs. A job that
/// fails is a row that says why. A row is known where the file of rows has one of the same contents and
/// settings, and its output is as it was written; failures for want of time, memory or a place to write are
/// tried again. Rows do not depend on the numbers of jobs and threads, times apart. \throw WriteError where
/// the file of rows cannot be written
BatchResult run_batch(const std::vector<Job>& jobs, const BatchSettings& settings);

}  // namespace pelt
