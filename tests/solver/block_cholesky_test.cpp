#include "solver/block_cholesky.h"

#include <Eigen/Cholesky>
#include <catch2/catch.hpp>

#include "tests/fixtures.h"

using pelt::BlockCholesky;
using pelt::test::Random;

namespace {

/// A symmetric pattern: a random tree and some pairs beside it.
struct Pattern {
  std::vector<int> row{0}, column;
};

Pattern make_pattern(int unknowns, int extra, Random& random) {
  std::vector<std::vector<char>> pair(unknowns, std::vector<char>(unknowns, 0));
  for (int u = 0; u < unknowns; ++u) pair[u][u] = 1;
  const auto join = [&](int a, int b) { pair[a][b] = pair[b][a] = 1; };
  for (int u = 1; u < unknowns; ++u) join(u, random.below(u));
  for (int n = 0; n < extra; ++n) join(random.below(unknowns), random.below(unknowns));
  Pattern pattern;
  for (int u = 0; u < unknowns; ++u) {
    for (int v = 0; v < unknowns; ++v)
      if (pair[u][v]) pattern.column.push_back(v);
    pattern.row.push_back(static_cast<int>(pattern.column.size()));
  }
  return pattern;
}

/// Blocks of a matrix that is diagonally dominant, hence positive definite; and the matrix.
template <int N>
Eigen::MatrixXd fill(const Pattern& p, Random& random, std::vector<Eigen::Matrix<double, N, N>>& blocks) {
  const int unknowns = static_cast<int>(p.row.size()) - 1;
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(N * unknowns, N * unknowns);
  blocks.assign(p.column.size(), Eigen::Matrix<double, N, N>::Constant(1e9));  // the upper ones are not read
  for (int u = 0; u < unknowns; ++u)
    for (int n = p.row[u]; n < p.row[u + 1]; ++n) {
      const int v = p.column[n];
      if (v < u) continue;
      for (double& x : blocks[n].reshaped()) x = random.uniform(-1, 1);
      if (v == u) blocks[n] = (blocks[n] + blocks[n].transpose()).eval();
      if (v == u) blocks[n].diagonal().array() += 4.0 * N * unknowns;
      dense.block<N, N>(N * v, N * u) = blocks[n];
      dense.block<N, N>(N * u, N * v) = blocks[n].transpose();
    }
  return dense;
}

}  // namespace

TEST_CASE("Block Cholesky solves as a dense factorisation does") {
  Random random;
  for (const int unknowns : {1, 2, 9, 40})
    for (const int extra : {0, 10, 200}) {
      CAPTURE(unknowns, extra);
      const Pattern pattern = make_pattern(unknowns, extra, random);
      std::vector<Eigen::Matrix<double, 6, 6>> blocks;
      const Eigen::MatrixXd dense = fill<6>(pattern, random, blocks);
      Eigen::VectorXd b(6 * unknowns);
      for (double& x : b) x = random.uniform(-1, 1);
      BlockCholesky<6> cholesky(pattern.row, pattern.column);
      REQUIRE(cholesky.factor(blocks));
      Eigen::VectorXd x = b;
      cholesky.solve_in_place(x);
      CHECK((x - dense.llt().solve(b)).norm() < 1e-13 * b.norm());
    }
}

TEST_CASE("Block Cholesky solves for several right-hand sides") {
  Random random;
  const Pattern pattern = make_pattern(12, 15, random);
  std::vector<Eigen::Matrix4d> blocks;
  const Eigen::MatrixXd dense = fill<4>(pattern, random, blocks);
  Eigen::Matrix<double, Eigen::Dynamic, 3> b(48, 3);
  for (double& x : b.reshaped()) x = random.uniform(-1, 1);
  BlockCholesky<4> cholesky(pattern.row, pattern.column);
  REQUIRE(cholesky.factor(blocks));
  Eigen::Matrix<double, Eigen::Dynamic, 3> x = b;
  cholesky.solve_in_place(x);
  CHECK((dense * x - b).norm() < 1e-12 * b.norm());
}

TEST_CASE("Block Cholesky says where a matrix is not positive definite") {
  Random random;
  const Pattern pattern = make_pattern(10, 10, random);
  std::vector<Eigen::Matrix<double, 7, 7>> blocks;
  fill<7>(pattern, random, blocks);
  BlockCholesky<7> cholesky(pattern.row, pattern.column);
  CHECK(cholesky.factor(blocks));
  blocks.front()(6, 6) = -1;
  CHECK_FALSE(cholesky.factor(blocks));
  blocks.front()(6, 6) = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(cholesky.factor(blocks));
}
