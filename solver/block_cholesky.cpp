// Right-looking sparse Cholesky factorisation over small dense blocks.
// Based on: A. George and J. W. H. Liu, "Computer solution of large sparse positive definite systems", 1981.

#include "block_cholesky.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "block_rows.h"

namespace pelt {
namespace {

/// Replaces the lower triangle of a pivot by the inverse of its Cholesky factor; false if it has none.
template <int N>
bool invert_factor(Eigen::Matrix<double, N, N>& pivot) {
  Eigen::Matrix<double, N, N> inverse = Eigen::Matrix<double, N, N>::Zero();
  Eigen::Matrix<double, N, N> l = pivot;
  for (int c = 0; c < N; ++c) {
    double d = l(c, c);
    for (int k = 0; k < c; ++k) d -= l(c, k) * l(c, k);
    if (!(d > 0)) return false;
    l(c, c) = std::sqrt(d);
    const double scale = 1 / l(c, c);
    for (int r = c + 1; r < N; ++r) {
      double sum = l(r, c);
      for (int k = 0; k < c; ++k) sum -= l(r, k) * l(c, k);
      l(r, c) = sum * scale;
    }
    inverse(c, c) = scale;
    for (int k = 0; k < c; ++k) {
      double sum = 0;
      for (int m = k; m < c; ++m) sum += l(c, m) * inverse(m, k);
      inverse(c, k) = -sum * scale;
    }
  }
  pivot = inverse;
  return true;
}

}  // namespace

template <int N>
BlockCholesky<N>::BlockCholesky(const std::vector<int>& row, const std::vector<int>& column)
    : BlockCholesky(row, column, eliminate(graph_of(row, column))) {}

template <int N>
BlockCholesky<N>::BlockCholesky(const std::vector<int>& row, const std::vector<int>& column,
                                Elimination elimination)
    : unknowns_(static_cast<int>(row.size()) - 1) {
  order(row, column, std::move(elimination));
  plan_updates();
}

template <int N>
void BlockCholesky<N>::order(const std::vector<int>& row, const std::vector<int>& column,
                             Elimination elimination) {
  eliminated_ = std::move(elimination.order);
  std::vector<int> step(unknowns_);
  for (int c = 0; c < unknowns_; ++c) step[eliminated_[c]] = c;
  first_.assign(1, 0);
  for (std::vector<int>& list : elimination.below) {
    for (int& u : list) u = step[u];
    std::sort(list.begin(), list.end());
    below_.insert(below_.end(), list.begin(), list.end());
    first_.push_back(static_cast<int>(below_.size()));
  }
  factor_.resize(below_.size() + unknowns_);
  for (int u = 0; u < unknowns_; ++u)
    for (int n = row[u]; n < row[u + 1]; ++n) {
      const int v = column[n];
      if (v == u) sources_.push_back({static_cast<int>(below_.size()) + step[u], n, false});
      if (v > u)
        sources_.push_back(
            {find_block(first_, below_, std::min(step[u], step[v]), std::max(step[u], step[v])), n,
             step[v] < step[u]});
    }
}

template <int N>
void BlockCholesky<N>::plan_updates() {
  const int pivots = static_cast<int>(below_.size());
  for (int c = 0; c < unknowns_; ++c)
    for (int p = first_[c]; p < first_[c + 1]; ++p) {
      for (int q = first_[c]; q < p; ++q) target_.push_back(find_block(first_, below_, below_[q], below_[p]));
      target_.push_back(pivots + below_[p]);
    }
}

template <int N>
bool BlockCholesky<N>::factor(const std::vector<Block>& blocks) {
  for (Block& block : factor_) block.setZero();
  for (const Source& source : sources_) {
    if (source.transposed)
      factor_[source.slot] = blocks[source.block].transpose();
    else
      factor_[source.slot] = blocks[source.block];
  }
  const std::size_t pivots = below_.size();
  auto target = target_.begin();
  for (int c = 0; c < unknowns_; ++c) {
    Block& pivot = factor_[pivots + c];
    if (!invert_factor<N>(pivot)) return false;
    for (int p = first_[c]; p < first_[c + 1]; ++p) {
      const Block below = factor_[p];
      factor_[p].noalias() = below.lazyProduct(pivot.transpose());
      for (int q = first_[c]; q <= p; ++q)
        factor_[*target++].noalias() -= factor_[p].lazyProduct(factor_[q].transpose());
    }
  }
  return true;
}

template <int N>
template <int Columns>
void BlockCholesky<N>::solve_in_place(Eigen::Matrix<double, Eigen::Dynamic, Columns>& x) const {
  using Part = Eigen::Matrix<double, N, Columns>;
  const std::size_t pivots = below_.size();
  const auto part = [&](int step) { return x.template middleRows<N>(N * eliminated_[step]); };
  for (int c = 0; c < unknowns_; ++c) {
    const Part solved = factor_[pivots + c].lazyProduct(part(c));
    part(c) = solved;
    for (int p = first_[c]; p < first_[c + 1]; ++p) part(below_[p]) -= factor_[p].lazyProduct(solved);
  }
  for (int c = unknowns_ - 1; c >= 0; --c) {
    Part sum = part(c);
    for (int p = first_[c]; p < first_[c + 1]; ++p)
      sum -= factor_[p].transpose().lazyProduct(part(below_[p]));
    part(c) = factor_[pivots + c].transpose().lazyProduct(sum);
  }
}

template class BlockCholesky<3>;
template class BlockCholesky<4>;
template class BlockCholesky<6>;
template class BlockCholesky<7>;
template void BlockCholesky<3>::solve_in_place<1>(Eigen::Matrix<double, Eigen::Dynamic, 1>&) const;
template void BlockCholesky<4>::solve_in_place<3>(Eigen::Matrix<double, Eigen::Dynamic, 3>&) const;
template void BlockCholesky<6>::solve_in_place<1>(Eigen::Matrix<double, Eigen::Dynamic, 1>&) const;
template void BlockCholesky<7>::solve_in_place<1>(Eigen::Matrix<double, Eigen::Dynamic, 1>&) const;

}  // namespace pelt
