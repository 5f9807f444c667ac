#include "chain_pairs.h"

#include "block_rows.h"

namespace pelt {
namespace {

/// B x B: who couples, by the same sums over subtrees as the pairs' moments.
std::vector<std::vector<char>> coupled(const System& s) {
  std::vector<std::vector<char>> couples(s.unknowns, std::vector<char>(s.unknowns, 0));
  for (int k = 0; k < s.unknowns; ++k)
    for (int n = s.row[k]; n < s.row[k + 1]; ++n) couples[k][s.column[n]] = 1;
  for (int k = 0; k < s.unknowns; ++k)
    for (int l = s.unknowns - 1; l >= 0; --l)
      if (s.parent[l] >= 0) couples[k][s.parent[l]] |= couples[k][l];
  for (int k = s.unknowns - 1; k >= 0; --k)
    for (int l = 0; l < s.unknowns && s.parent[k] >= 0; ++l) couples[s.parent[k]][l] |= couples[k][l];
  return couples;
}

}  // namespace

ChainPairs chain_pairs(const System& s) {
  ChainPairs pairs;
  const std::vector<std::vector<char>> couples = coupled(s);
  pairs.row.push_back(0);
  for (int a = 0; a < s.unknowns; ++a) {
    for (int b = 0; b < s.unknowns; ++b)
      if (couples[a][b]) pairs.column.push_back(b);
    pairs.row.push_back(static_cast<int>(pairs.column.size()));
  }
  const auto pair_or_none = [&](int a, int b) {
    return a < 0 || b < 0 ? -1 : find_block(pairs.row, pairs.column, a, b);
  };
  for (int a = 0; a < s.unknowns; ++a)
    for (int n = pairs.row[a]; n < pairs.row[a + 1]; ++n) {
      pairs.parent_row.push_back(pair_or_none(s.parent[a], pairs.column[n]));
      pairs.parent_column.push_back(pair_or_none(a, s.parent[pairs.column[n]]));
    }
  return pairs;
}

}  // namespace pelt
