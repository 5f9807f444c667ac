// The triad is that of J. D. McCalpin, "Memory bandwidth and machine balance in current high performance
// computers", 1995 (STREAM).
//
// This file alone is compiled for the processor it is built on. Eigen's templates must not meet those of
// other files then: the linker would keep one of each pair. So they get a namespace of their own.
#define Eigen EigenOfThisProcessor
#include <Eigen/Core>

#include "machine.h"
#include "stopwatch.h"

namespace pelt::bench {
namespace {

using Doubles = Eigen::VectorXd;

double triad_rate(int threads, int runs) {
  constexpr Eigen::Index count = 20'000'000;
  Doubles a = Doubles::Zero(count), b = Doubles::Constant(count, 1), c = Doubles::Constant(count, 2);
  const Seconds cost = cost_of(
      [&] {
#pragma omp parallel for num_threads(threads) schedule(static)
        for (Eigen::Index n = 0; n < count; ++n) a[n] = b[n] + 3 * c[n];
      },
      runs);
  return 24e-9 * static_cast<double>(count) * threads / cost.cpu;
}

template <class Scalar>
double gemm_rate(int threads, int runs) {
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  constexpr int size = 1024;
  const Matrix a = Matrix::Constant(size, size, Scalar(0.5)), b = Matrix::Constant(size, size, Scalar(0.25));
  Matrix c(size, size);
  Eigen::setNbThreads(threads);
  const Seconds cost = cost_of([&] { c.noalias() = a * b; }, runs);
  return 2e-9 * size * size * size * threads / cost.cpu;
}

}  // namespace

MachineRates measure_machine(int threads, int runs) {
  return {triad_rate(threads, runs), gemm_rate<double>(threads, runs), gemm_rate<float>(threads, runs)};
}

}  // namespace pelt::bench
