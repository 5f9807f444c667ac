// Mutates a .glb within its frame: the JSON stays JSON and the lengths of chunks and buffer stay true, or
// nearly every mutation would be refused before it reaches what reads meshes and clips.
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "io/document.h"
#include "io/io_error.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Json = nlohmann::ordered_json;
using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t count) { return count > 0 ? random() % count : 0; }

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

void mutate_bin(pelt::Document& document, Random& random) {
  const std::size_t old_size = document.bin.size(), most = old_size + 64;
  document.bin.resize(most);
  document.bin.resize(LLVMFuzzerMutate(document.bin.data(), old_size, most));
  Json& buffers = document.json["buffers"];
  if (below(random, 4) && buffers.is_array() && !buffers.empty() && buffers[0].is_object())
    buffers[0]["byteLength"] = document.bin.size();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  Random random(seed + 1);
  if (below(random, 8) == 0) return LLVMFuzzerMutate(data, size, max_size);
  try {
    pelt::Document document = pelt::parse_document({data, data + size}, "");
    const bool bin = document.has_bin && !document.bin.empty() && below(random, 3) == 0;
    for (std::size_t times = 1 + below(random, 3); times > 0; --times)
      bin ? mutate_bin(document, random) : mutate_json(document.json, random);
    const std::vector<std::uint8_t> bytes = pelt::serialise(document);
    if (bytes.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data, bytes.data(), bytes.size());
    return bytes.size();
  } catch (const std::exception&) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
}
