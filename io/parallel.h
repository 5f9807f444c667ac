#pragma once

#include <exception>

namespace pelt {

/// Calls work(0) to work(count - 1) on several threads. An exception in one of them, which must not leave a
/// parallel region, is thrown again when all have ended.
template <class Work>
void parallel_for(int count, int threads, const Work& work) {
  std::exception_ptr first;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int n = 0; n < count; ++n) {
    try {
      work(n);
    } catch (...) {
#pragma omp critical(pelt_parallel_for)
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace pelt
