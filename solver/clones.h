#pragma once

#include <cstddef>

/// Compiles a function twice, for every x86-64 and for those with AVX2 and FMA; which one runs is settled
/// when the program starts. Only for loops over plain arrays: Eigen's types and inline functions differ with
/// the instruction set and must not be compiled for two. Sanitizers wake up after the choice and would
/// crash.
///
/// `arch=haswell` is no substitute: GCC takes it for that one model of processor. Clang is left out: its
/// version 14 compiles both, but what it asks the processor for x86-64-v3 is no feature's bit, so that the
/// wrong one runs.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PELT_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define PELT_CLONES
#endif
