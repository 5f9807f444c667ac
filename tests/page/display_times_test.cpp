#include "page/display_times.h"

#include <catch2/catch.hpp>

using namespace pelt;

TEST_CASE("A page draws at the keys that figures count, and between keys that lie far apart") {
  const DisplayTimes dense = display_times({0, 1 / 24.f, 2 / 24.f});
  CHECK(dense.times == std::vector<float>{0, 1 / 24.f, 2 / 24.f});
  CHECK(dense.counted == std::vector<int>{0, 1, 2});

  const DisplayTimes sparse = display_times({0, 0.2f, 0.25f});
  REQUIRE(sparse.times.size() == 6);
  for (int k = 0; k < 6; ++k) CHECK(sparse.times[k] == Approx(0.05 * k).margin(1e-7));
  CHECK(sparse.counted == std::vector<int>{0, 4, 5});

  CHECK(display_times({0}).times == std::vector<float>{0});
  CHECK(display_times({}).times.empty());
}
