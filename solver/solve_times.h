#pragma once

#include <atomic>
#include <chrono>

namespace pelt {

/// Where the time of solves goes, seconds summed over threads: affine motions and their nearest rigid ones,
/// sweeps, and Newton's method with what settles open joints.
struct SolveTimes {
  std::atomic<double> starts{0}, sweeps{0}, finish{0};
};

/// Adds the time for which it lives.
class AddTime {
 public:
  AddTime(SolveTimes* times, std::atomic<double> SolveTimes::*stage)
      : sum_(times ? &(times->*stage) : nullptr) {
    if (sum_) start_ = Clock::now();
  }
  AddTime(const AddTime&) = delete;
  AddTime& operator=(const AddTime&) = delete;
  ~AddTime() {
    if (sum_) *sum_ += std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<double>* sum_;
  Clock::time_point start_;
};

}  // namespace pelt
