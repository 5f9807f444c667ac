#pragma once

#include <Eigen/Core>
#include <vector>

#include "elimination.h"

namespace pelt {

/// Cholesky's factorisation of a symmetric positive definite matrix of N x N blocks, where few pairs of the
/// `rows` unknowns have a block. The order of elimination and the fill are found once; factoring and solving
/// touch blocks alone.
template <int N>
class BlockCholesky {
 public:
  using Block = Eigen::Matrix<double, N, N>;

  /// Block rows as in System: the neighbours of unknown u are column[row[u]] .. column[row[u + 1]),
  /// ascending, u among them; the pattern is symmetric.
  BlockCholesky(const std::vector<int>& row, const std::vector<int>& column);

  /// The same where it is known how the pattern is eliminated.
  BlockCholesky(const std::vector<int>& row, const std::vector<int>& column, Elimination elimination);

  /// `blocks` is parallel to `column`; those of column >= row index are read: blocks[n] is the block of rows
  /// column[n] and columns u, the lower triangle. False where a pivot is not positive.
  bool factor(const std::vector<Block>& blocks);

  /// Overwrites right-hand sides with the solution: N * unknowns rows. \pre factor() was true.
  template <int Columns>
  void solve_in_place(Eigen::Matrix<double, Eigen::Dynamic, Columns>& x) const;

 private:
  struct Source {
    int slot;         ///< in `factor_`
    int block;        ///< in the caller's blocks
    bool transposed;  ///< where elimination turns the pair around
  };
  void order(const std::vector<int>& row, const std::vector<int>& column, Elimination elimination);
  void plan_updates();

  int unknowns_ = 0;
  std::vector<int> eliminated_;  ///< the unknown of each step
  std::vector<int> first_;       ///< steps + 1; the blocks below step c's pivot
  std::vector<int> below_;       ///< their steps, ascending
  std::vector<int> target_;      ///< where each product of two blocks of a step goes
  std::vector<Source> sources_;
  std::vector<Block> factor_;  ///< the steps' blocks L_ic, then the inverses of the pivots' factors
};

}  // namespace pelt
