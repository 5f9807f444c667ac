#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <random>

namespace pelt::fuzz {

using Random = std::minstd_rand;

/// 0 where there is nothing to choose from.
std::size_t below(Random& random, std::size_t count);

/// Changes, copies or drops one value of a tree, so that it stays JSON.
void mutate_json(nlohmann::ordered_json& root, Random& random);

}  // namespace pelt::fuzz
