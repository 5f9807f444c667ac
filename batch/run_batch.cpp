#include "run_batch.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <stop_token>
#include <thread>

#include "../io/io_error.h"
#include "../solver/error.h"
#include "artist_pool.h"
#include "failure.h"
#include "job_key.h"
#include "score_pair.h"

namespace pelt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTick(50);               // how often limits of time are looked at
constexpr std::size_t kSurfaces = 2 * SurfaceCache::kBound;  // bytes that all open artists may keep

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A row that has been found or made, and of which job.
struct Outcome {
  std::size_t job = 0;
  ScoreRow row;
  bool known = false;
};

/// What a worker is at.
struct Running {
  std::stop_source stop;
  Clock::time_point start;
  bool busy = false, overdue = false;
};

using Known = std::map<std::pair<std::string, std::string>, const ScoreRow*>;

Known known_rows(const RowsFile* file) {
  Known known;
  if (file)
    for (const ScoreRow& row : file->found().rows) known[{row.tool, row.model}] = &row;
  return known;
}

/// Failures that may go another way the next time.
bool worth_another_try(const ScoreRow& row) {
  return row.exit_code == output_failure || row.exit_code == unfinished;
}

/// Threads that take one job after another and hand their rows to the caller's thread, which alone touches
/// files of rows and tells of progress.
class Workers {
 public:
  Workers(const std::vector<Job>& jobs, const BatchSettings& settings)
      : jobs_(jobs),
        threads_(settings.threads > 0 ? settings.threads : omp_get_max_threads()),
        running_(std::clamp<std::size_t>(settings.jobs > 0 ? settings.jobs : threads_, 1,
                                         std::max<std::size_t>(jobs.size(), 1))),
        artists_(jobs, std::min(SurfaceCache::kBound, kSurfaces / running_.size())),
        known_(known_rows(settings.rows)),
        timeout_(settings.timeout),
        baked_(settings.baked),
        order_(jobs.size()) {
    // an artist's jobs one after another, so that few artists are open at a time
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return artist_of(jobs[a]) < artist_of(jobs[b]); });
    for (Running& running : running_) workers_.emplace_back([this, &running] { work(running); });
  }
  ~Workers() { stop(); }  // the threads join themselves

  /// The next row, or none within a tick.
  std::optional<Outcome> wait() {
    std::unique_lock lock(mutex_);
    end_overdue();
    if (!changed_.wait_for(lock, kTick, [&] { return !outcomes_.empty(); })) return std::nullopt;
    Outcome outcome = std::move(outcomes_.front());
    outcomes_.pop_front();
    return outcome;
  }

  /// No job is begun any more, those that run are given up.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    for (Running& running : running_) running.stop.request_stop();
  }

  /// Waits for the threads; rows may still come from wait().
  void join() { workers_.clear(); }

 private:
  void end_overdue() {
    for (Running& running : running_)
      if (timeout_ && running.busy && seconds_since(running.start) > *timeout_) {
        running.overdue = true;
        running.stop.request_stop();
      }
  }

  /// The next job; none where all are taken or no more are wanted.
  std::optional<std::size_t> begin(Running& running) {
    const std::lock_guard lock(mutex_);
    if (stopped_ || next_ == order_.size()) return std::nullopt;
    const std::size_t left = order_.size() - next_, busy = std::min(running_.size(), left);
    omp_set_num_threads(static_cast<int>((threads_ + busy - 1) / busy));  // all are used, at the end as well
    running.stop = std::stop_source();
    running.start = Clock::now();
    running.busy = true, running.overdue = false;
    return order_[next_++];
  }

  void end(std::optional<Outcome> outcome, Running& running) {
    const std::lock_guard lock(mutex_);
    running.busy = false;
    if (outcome) outcomes_.push_back(std::move(*outcome));
    changed_.notify_one();
  }

  void work(Running& running) {
    while (const std::optional<std::size_t> n = begin(running)) {
      std::optional<Outcome> outcome = run(*n, running);
      artists_.done(jobs_[*n]);
      end(std::move(outcome), running);
    }
  }

  /// None where the run was stopped meanwhile.
  std::optional<Outcome> run(std::size_t n, Running& running) {
    const Job& job = jobs_[n];
    Outcome outcome{n, named_row(job), false};
    std::string key;
    try {
      key = key_of(job, hashes_);
      if (const ScoreRow* row = known(job, key)) return Outcome{n, as_named_now(*row, job), true};
      fill(outcome.row, job, running);
    } catch (const Stopped&) {
      if (!overdue(running)) return std::nullopt;
      char text[80];
      std::snprintf(text, sizeof text, "took longer than the %g s of the time limit", *timeout_);
      outcome.row = failed_row(outcome.row, unfinished, text);
    } catch (const std::exception& error) {
      outcome.row = failed_row(outcome.row, error);
    }
    outcome.row.key = key;
    outcome.row.seconds = seconds_since(running.start);
    return outcome;
  }

  void fill(ScoreRow& row, const Job& job, const Running& running) {
    if (!job.fault.empty()) throw UsageError(job.fault);
    const RigFile rig = open_rig_file(job.bake.rig, job.bake.mesh);
    row.health = health_of(rig);  // counts whatever becomes of the pair
    Job timed = job;
    timed.bake.transfer.solve.threads = omp_get_max_threads();
    timed.bake.transfer.solve.stop = running.stop.get_token();
    const std::shared_ptr<ArtistSession> artist = artists_.open(job);
    score_pair(timed, rig, *artist, baked_, row);
  }

  const ScoreRow* known(const Job& job, const std::string& key) const {
    const auto found = known_.find({job.tool, job.model});
    if (baked_ || found == known_.end() || found->second->key != key || worth_another_try(*found->second))
      return nullptr;
    const bool same_output = !found->second->ok || job.bake.output.empty() ||
                             output_hash(job.bake.output) == found->second->output_hash;
    return same_output ? found->second : nullptr;
  }

  /// Files may have moved.
  static ScoreRow as_named_now(ScoreRow row, const Job& job) {
    row.artist = job.bake.artist.string(), row.rig = job.bake.rig.string();
    if (row.ok) row.output = job.bake.output.string();
    return row;
  }

  bool overdue(const Running& running) {
    const std::lock_guard lock(mutex_);
    return running.overdue && !stopped_;
  }

  const std::vector<Job>& jobs_;
  const std::size_t threads_;
  std::vector<Running> running_;
  ArtistPool artists_;
  FileHashes hashes_;
  const Known known_;
  const std::optional<double> timeout_;
  const Baked& baked_;
  std::vector<std::size_t> order_;  // of the jobs

  std::mutex mutex_;  // of what follows and of running_
  std::condition_variable changed_;
  std::size_t next_ = 0;
  bool stopped_ = false;
  std::deque<Outcome> outcomes_;
  std::vector<std::jthread> workers_;  // last, to end first
};

/// Keeps a row and tells of it.
void take(Outcome outcome, const BatchSettings& settings, BatchProgress& progress,
          std::vector<std::optional<ScoreRow>>& rows) {
  if (settings.rows && !outcome.known) settings.rows->append(outcome.row);
  if (settings.details == Details::drop) outcome.row.details = nullptr;
  ++progress.done;
  progress.known += outcome.known;
  progress.failed += !outcome.row.ok;
  rows[outcome.job] = std::move(outcome.row);
  progress.row = &*rows[outcome.job];
  if (const int fresh = progress.done - progress.known; fresh > 0)
    progress.seconds_left = progress.seconds / fresh * (progress.total - progress.done);
  if (settings.progress) settings.progress(progress);
}

}  // namespace

BatchResult run_batch(const std::vector<Job>& jobs, const BatchSettings& settings) {
  const Clock::time_point start = Clock::now();
  std::vector<std::optional<ScoreRow>> rows(jobs.size());
  BatchProgress progress;
  progress.total = static_cast<int>(jobs.size());
  BatchResult result;
  if (settings.progress) settings.progress(progress);
  Workers workers(jobs, settings);
  const auto take_next = [&] {
    std::optional<Outcome> outcome = workers.wait();
    progress.seconds = seconds_since(start);
    if (outcome) take(std::move(*outcome), settings, progress, rows);
    return outcome.has_value();
  };
  while (progress.done < progress.total && !result.interrupted) {
    take_next();
    result.interrupted = settings.interrupted && settings.interrupted();
  }
  if (result.interrupted) {
    workers.stop();
    workers.join();
    while (take_next()) {
    }
  }
  for (std::optional<ScoreRow>& row : rows)
    if (row) result.rows.push_back(std::move(*row));
  result.known = progress.known;
  return result;
}

}  // namespace pelt
