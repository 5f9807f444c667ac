// Based on: A. George and J. W. H. Liu, "Computer solution of large sparse positive definite systems", 1981,
// sections 5.3 (minimum degree) and 5.5 (elimination graphs).

#include "elimination.h"

namespace pelt {

std::vector<std::set<int>> graph_of(const std::vector<int>& row, const std::vector<int>& column) {
  std::vector<std::set<int>> graph(row.size() - 1);
  for (int u = 0; u < static_cast<int>(graph.size()); ++u)
    for (int n = row[u]; n < row[u + 1]; ++n)
      if (column[n] != u) graph[u].insert(column[n]);
  return graph;
}

Elimination eliminate(std::vector<std::set<int>> graph, std::size_t most) {
  const int unknowns = static_cast<int>(graph.size());
  Elimination e;
  std::vector<char> gone(unknowns, 0);
  while (static_cast<int>(e.order.size()) < unknowns && e.products <= most) {
    int best = -1;
    for (int u = 0; u < unknowns; ++u)
      if (!gone[u] && (best < 0 || graph[u].size() <= graph[best].size())) best = u;
    gone[best] = 1;
    e.order.push_back(best);
    e.below.emplace_back(graph[best].begin(), graph[best].end());
    const std::size_t degree = graph[best].size();
    e.blocks += degree;
    e.products += degree * (degree + 1) / 2;
    for (const int a : graph[best]) {
      graph[a].erase(best);
      for (const int b : graph[best])
        if (a != b) graph[a].insert(b);
    }
    graph[best].clear();
  }
  return e;
}

}  // namespace pelt
