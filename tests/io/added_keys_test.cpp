#include "io/added_keys.h"

#include <catch2/catch.hpp>

using namespace pelt;

TEST_CASE("Keys that are added tell where the others were") {
  std::vector<float> times = {0, 1, 2};
  CHECK(insert_keys({1.5F, 0.5F}, times) == std::vector<int>{0, -1, 1, -1, 2});
  CHECK(times == std::vector<float>{0, 0.5F, 1, 1.5F, 2});
  CHECK(insert_keys({}, times) == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("A key is missing where the clip strays inside an interval more than at its ends") {
  ClipTransfer clip;
  clip.times = {0, 1, 3};
  for (const double rms : {0.1, 0.2, 0.1}) clip.keys.frames.push_back({.rms = rms});
  for (const double rms : {0.1, 0.26, 0.1, 0.1, 0.24, 0.1}) clip.between.frames.push_back({.rms = rms});
  CHECK(missing_keys(clip, 0.05) == std::vector<float>{0.5F});
  CHECK(missing_keys(clip, 0.03) == std::vector<float>{0.5F, 2});
  CHECK(missing_keys(clip, 0.07).empty());
}
