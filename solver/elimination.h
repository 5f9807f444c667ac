#pragma once

#include <cstddef>
#include <set>
#include <vector>

namespace pelt {

/// How a sparse symmetric matrix is eliminated, and what its factor holds then.
struct Elimination {
  std::vector<int> order;               ///< the unknown of each step
  std::vector<std::vector<int>> below;  ///< of each step: the unknowns still there that it touches
  std::size_t blocks = 0;               ///< of the factor, below its diagonal
  std::size_t products = 0;             ///< of two of them in one step
};

/// The neighbours of each unknown of block rows (block_rows.h) whose pattern is symmetric, without itself.
std::vector<std::set<int>> graph_of(const std::vector<int>& row, const std::vector<int>& column);

/// By minimum degree; ties go to the last unknown, which is nearest to the leaves of the tree. `graph`: the
/// neighbours of each unknown, both ways, without itself. Stops after the step that has more than `most`
/// products altogether, so that a hostile pattern costs no more.
Elimination eliminate(std::vector<std::set<int>> graph, std::size_t most = -1);

}  // namespace pelt
