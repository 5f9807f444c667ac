#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace pelt::cli {

/// For a program's first line. Surfaces are taken and given back all the time: the C library's heap should
/// keep their memory, which the system would hand out zeroed, page by page, each time.
inline void keep_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that it takes
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

}  // namespace pelt::cli
