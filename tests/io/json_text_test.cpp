#include "io/json_text.h"

#include <catch2/catch.hpp>
#include <string>

#include "io/io_error.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

Json parse(const std::string& text) {
  return parse_json({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "it.gltf",
                    "a glTF file");
}

/// An object of so many members, n: n.
std::string wide(int members) {
  std::string text = "{";
  for (int n = 0; n < members; ++n)
    text += (n > 0 ? ",\"" : "\"") + std::to_string(n) + "\":" + std::to_string(n);
  return text + "}";
}

}  // namespace

TEST_CASE("JSON keeps the order of members and every kind of value") {
  const std::string text =
      R"({"z":[1,-2,0.5,true,false,null,"\u00e4\"",[],{}],"a":{"c":18446744073709551615,"b":{"":""}},"m":1e300})";
  const Json json = parse(text);
  CHECK(
      json.dump() ==
      R"({"z":[1,-2,0.5,true,false,null,"ä\"",[],{}],"a":{"c":18446744073709551615,"b":{"":""}},"m":1e+300})");
  CHECK(json["z"][0].is_number_unsigned());
  CHECK(parse("7") == 7);
}

TEST_CASE("of members with one name the last counts, in the place of the first") {
  CHECK(parse(R"({"b":1,"a":2,"b":{"c":3},"d":4,"a":5,"b":6})").dump() == R"({"b":6,"a":5,"d":4})");
}

// Compared with each other, these names would take minutes.
TEST_CASE("extras and extensions may have very many members") {
  constexpr int members = 200000;
  const std::string text = wide(members);
  const Json json = parse("{\"extras\":" + text + ",\"extensions\":{\"EXT_own\":" + text + "}}");
  for (const Json* own : {&json["extras"], &json["extensions"]["EXT_own"]}) {
    REQUIRE(own->size() == members);
    int n = 0;
    for (const auto& [key, value] : own->items())
      if (value != n++ || key != std::to_string(n - 1)) FAIL(key << " is " << value);
  }
}

TEST_CASE("objects of glTF's own may not, since they are searched by name") {
  CHECK(parse("[" + wide(16384) + "]")[0].size() == 16384);
  CHECK_THROWS_WITH(parse("[" + wide(16385) + "]"),
                    "it.gltf: its JSON has an object of more than 16384 members");
  CHECK_THROWS_AS(parse("{\"extras\":{}," + wide(16385).substr(1)), ReadError);
}

}  // namespace pelt
