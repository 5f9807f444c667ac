#pragma once

#include <vector>

#include "system.h"

namespace pelt {

/// Which joints' turns the energy couples: a and b, if the surface or a price couples a joint at or below a
/// with one at or below b. Legs that share no vertex do not couple with each other, both do with the trunk.
struct ChainPairs {
  std::vector<int> row, column;  ///< as in System: the partners of each unknown, ascending, itself included
  std::vector<int> parent_row, parent_column;  ///< of the pair (a, b): the pairs (parent of a, b) and
                                               ///< (a, parent of b); -1 where that is a root's
};

ChainPairs chain_pairs(const System& system);

}  // namespace pelt
