#pragma once

#include <algorithm>
#include <vector>

namespace pelt {

/// Where (u, v) is in block rows: the partners of u are column[row[u]] .. column[row[u + 1]), ascending.
/// \pre v is one of them.
inline int find_block(const std::vector<int>& row, const std::vector<int>& column, int u, int v) {
  const auto begin = column.begin();
  return static_cast<int>(std::lower_bound(begin + row[u], begin + row[u + 1], v) - begin);
}

}  // namespace pelt
