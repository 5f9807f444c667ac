#include "page/pack.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/page/pack_reader.h"

using namespace pelt;
using test::read_pack;

TEST_CASE("A pack gives back the numbers that it was given") {
  const std::vector<float> reals{0, -1.5f, 3.4e38f, 1e-30f, std::numeric_limits<float>::quiet_NaN()};
  const std::vector<int> bytes{0, 255}, shorts{256, 65535, 3}, words{65536, -1};
  const std::vector<std::uint16_t> steps{0, 65535, 258};
  Pack pack;
  nlohmann::ordered_json header{{"reals", pack.add(reals)},   {"bytes", pack.add(bytes)},
                                {"shorts", pack.add(shorts)}, {"words", pack.add(words)},
                                {"steps", pack.add(steps)},   {"none", pack.add(std::vector<int>())}};
  const test::ReadPack read = read_pack(pack.text(header));
  const std::vector<double> got = read.numbers(read.header["reals"]);
  REQUIRE(got.size() == 5);
  for (std::size_t k = 0; k < 4; ++k) CHECK(got[k] == double{reals[k]});
  CHECK(std::isnan(got[4]));
  CHECK(read.header["bytes"]["type"] == "u8");
  CHECK(read.numbers(read.header["bytes"]) == std::vector<double>{0, 255});
  CHECK(read.header["shorts"]["type"] == "u16");
  CHECK(read.numbers(read.header["shorts"]) == std::vector<double>{256, 65535, 3});
  CHECK(read.header["words"]["type"] == "u32");
  CHECK(read.numbers(read.header["words"]) == std::vector<double>{65536, 4294967295.0});
  CHECK(read.numbers(read.header["steps"]) == std::vector<double>{0, 65535, 258});
  CHECK(read.numbers(read.header["none"]).empty());
  for (const char* array : {"reals", "bytes", "shorts", "words", "steps", "none"})
    CHECK(read.header[array]["at"].get<int>() % 4 == 0);
}

TEST_CASE("A pack of large arrays is whole") {
  std::vector<int> many(1 << 20);
  for (std::size_t k = 0; k < many.size(); ++k) many[k] = static_cast<int>(k * 2654435761u >> 8 & 0x7fffffff);
  Pack pack;
  const test::ReadPack read = read_pack(pack.text({{"many", pack.add(many)}}));
  const std::vector<double> got = read.numbers(read.header["many"]);
  REQUIRE(got.size() == many.size());
  CHECK(std::equal(got.begin(), got.end(), many.begin()));
}

TEST_CASE("A name that is no UTF-8 does not spoil a pack") {
  CHECK(read_pack(pack_text({{"name", "wol\xff"}})).header["name"] == "wol\xEF\xBF\xBD");
}
