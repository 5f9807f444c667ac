#pragma once

#include <omp.h>

namespace pelt {

/// As many threads as asked for in everything that is called, for as long as the object lives.
class Threads {
 public:
  explicit Threads(int& wanted) : before_(omp_get_max_threads()) {
    if (wanted < 1) wanted = before_;
    omp_set_num_threads(wanted);
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { omp_set_num_threads(before_); }

 private:
  int before_;
};

}  // namespace pelt
