#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

namespace pelt::bench {

/// Seconds of the wall clock and of the processor, all threads of the process together.
struct Seconds {
  double wall = 0, cpu = 0;
};

inline Seconds now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(wall).count(),
          static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)};
}

/// What `work` costs: on a busy machine the least of several runs is the one to believe. Quick work is
/// repeated until it has run for `least` seconds of CPU time, and `runs` times at least.
template <class Work>
Seconds cost_of(Work&& work, int runs, double least = 0) {
  constexpr double never = std::numeric_limits<double>::infinity();
  Seconds best{never, never};
  double spent = 0;
  for (int n = 0; n < runs || spent < least; ++n) {
    const Seconds before = now();
    work();
    const Seconds after = now();
    best.wall = std::min(best.wall, after.wall - before.wall);
    best.cpu = std::min(best.cpu, after.cpu - before.cpu);
    spent += after.cpu - before.cpu;
  }
  return best;
}

}  // namespace pelt::bench
