#pragma once

#include <cstdio>
#include <filesystem>

#include "exact_animal.h"

namespace pelt::bench {

struct SolveOptions {
  std::filesystem::path dump, solution;  ///< no solution is written where the path is empty
  int threads = 1, runs = 5;
  std::FILE* out = stdout;
};

/// Solves a dump and prints what it costs and how near it comes.
void run_solve(const SolveOptions& options);

struct TableOptions {
  int threads = 1;
  bool quick = false;  ///< small sizes and few runs
};

/// Prints a line for each stage and size.
void run_table(const TableOptions& options);

}  // namespace pelt::bench
