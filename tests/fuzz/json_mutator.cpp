#include "json_mutator.h"

#include <cmath>
#include <iterator>
#include <vector>

namespace pelt::fuzz {
namespace {

using Json = nlohmann::ordered_json;

void gather(Json& value, std::vector<Json*>& all) {
  all.push_back(&value);
  if (value.is_structured())
    for (Json& child : value) gather(child, all);
}

Json oddity(Random& random) {
  static const Json oddities = {nullptr,
                                true,
                                "",
                                -1,
                                0,
                                1,
                                2,
                                3,
                                4,
                                5,
                                6,
                                1000,
                                4294967295u,
                                0.5,
                                -0.,
                                1e38,
                                1e300,
                                Json::array(),
                                5120,
                                5126,
                                65536,
                                2147483647u,
                                "VEC3",
                                "SCALAR",
                                Json::object(),
                                9007199254740991,
                                1e-40};
  return oddities[below(random, oddities.size())];
}

void mutate_number(Json& value, Random& random) {
  const std::int64_t steps[] = {-1, 1, 2, -4, 4, 256};
  if (value.is_number_integer() && std::abs(value.get<double>()) < 1e9)
    value = value.get<std::int64_t>() + steps[below(random, std::size(steps))];
  else
    value = value.get<double>() * (below(random, 2) ? -0.5 : 3);
}

void mutate_list(Json& list, Random& random) {
  const auto which = static_cast<std::ptrdiff_t>(below(random, list.size()));
  if (below(random, 2)) {
    list.push_back(Json(list[which]));
  } else {
    list.erase(list.begin() + which);
  }
}

void mutate_object(Json& object, Random& random) {
  const auto which = std::next(object.begin(), static_cast<std::ptrdiff_t>(below(random, object.size())));
  object.erase(which);
}

}  // namespace

std::size_t below(Random& random, std::size_t count) { return count > 0 ? random() % count : 0; }

void mutate_json(Json& root, Random& random) {
  std::vector<Json*> all;
  gather(root, all);
  Json& value = *all[below(random, all.size())];
  const Json other = *all[below(random, all.size())];
  const std::size_t kind = below(random, 8);
  if (kind == 0) {
    value = oddity(random);
  } else if (kind == 1 && other.dump().size() < 2000) {
    value = other;
  } else if (value.is_number()) {
    mutate_number(value, random);
  } else if (value.is_array() && !value.empty()) {
    mutate_list(value, random);
  } else if (value.is_object() && !value.empty() && &value != &root) {
    mutate_object(value, random);
  }
}

}  // namespace pelt::fuzz
