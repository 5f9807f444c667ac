#include "keep_memory.h"

#ifdef PELT_JEMALLOC

/// jemalloc's settings, which it reads before main(). Large pages (of 2 MB on x86-64): a thousand times fewer
/// are asked for, which on virtual machines is a third of all that a bake costs. What is freed is kept, and one
/// arena for all threads lets each take what another gave back; small blocks come from their own caches.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "thp:always,metadata_thp:auto,dirty_decay_ms:-1,narenas:1";
}

void pelt::cli::keep_memory() {}

#else

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void pelt::cli::keep_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that it takes
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

#endif
