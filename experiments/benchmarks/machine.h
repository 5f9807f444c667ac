#pragma once

namespace pelt::bench {

/// What the machine gives a program at most, by CPU time a thread: every other figure stands beside it.
struct MachineRates {
  double triad = 0;  ///< GB/s of a = b + s c over arrays far larger than the caches, 24 bytes an element
  double dgemm = 0;  ///< GFLOP/s of Eigen's product of square matrices, with all that this processor has
  double sgemm = 0;  ///< the same in single precision
};

MachineRates measure_machine(int threads, int runs);

}  // namespace pelt::bench
