// Filter "QUATERNION" of EXT_meshopt_compression (Khronos glTF repository, ratified).
#include "quaternion_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

namespace pelt {
namespace {

using Stored = std::array<std::int16_t, 4>;

Stored unfiltered(const Stored& stored) {
  // The lowest two bits say which component is left out; where they are set, the number is what stands for 1.
  const int place = stored[3] & 3;
  const auto one = static_cast<float>(stored[3] | 3), x = static_cast<float>(stored[0]),
             y = static_cast<float>(stored[1]), z = static_cast<float>(stored[2]);
  // All in units of 1 / (sqrt(2) one), as stored: whole numbers, whose squares and sums single precision
  // holds best.
  const float largest = std::sqrt(std::max(0.0F, 2 * (one * one) - (x * x + y * y + z * z)));
  const float scale = 32767.0F / std::numbers::sqrt2_v<float> / one;
  const auto rounded = [&](float component) {
    return static_cast<std::int16_t>(std::clamp(std::nearbyint(component * scale), -32767.0F, 32767.0F));
  };
  Stored quaternion;
  quaternion[(place + 1) & 3] = rounded(x);
  quaternion[(place + 2) & 3] = rounded(y);
  quaternion[(place + 3) & 3] = rounded(z);
  quaternion[place] = rounded(largest);
  return quaternion;
}

}  // namespace

void undo_quaternion_filter(std::span<std::uint8_t> elements) {
  Stored element;
  for (std::size_t k = 0; k + sizeof element <= elements.size(); k += sizeof element) {
    std::memcpy(&element, &elements[k], sizeof element);
    element = unfiltered(element);
    std::memcpy(&elements[k], &element, sizeof element);
  }
}

}  // namespace pelt
