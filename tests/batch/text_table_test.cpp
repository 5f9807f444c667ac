#include "batch/text_table.h"

#include <catch2/catch.hpp>
#include <limits>

namespace pelt {

TEST_CASE("Columns line up, names to the left, numbers to the right", "[table]") {
  const Table table{
      "title", {{"tool", "mean", "Walk"}, {"a", "1.00", "-"}, {"longer", "-", "100.00"}}, 1, {"note"}};
  CHECK(aligned(table, 80) ==
        "title\n"
        "tool    mean    Walk\n"
        "a       1.00       -\n"
        "longer     -  100.00\n"
        "note\n");
}

TEST_CASE("What does not fit goes into further blocks that repeat the names", "[table]") {
  const Table table{"t", {{"tool", "aaaa", "bbbb", "cccc"}, {"x", "1", "2", "3"}}, 1, {}};
  CHECK(aligned(table, 16) ==
        "t\n"
        "tool  aaaa  bbbb\n"
        "x        1     2\n"
        "\n"
        "tool  cccc\n"
        "x        3\n");
  CHECK(aligned(table, 1) ==
        "t\ntool  aaaa\nx        1\n\ntool  bbbb\nx        2\n\ntool  cccc\nx        3\n");
}

TEST_CASE("Letters count, not bytes, and control characters do not get through", "[table]") {
  const Table table{
      "t", {{"tool", "q"}, {"B\xC3\xA4r", "1"}, {"a\x1b[2Jb", "2"}, {"line\nbreak", "3"}}, 1, {}};
  CHECK(aligned(table, 80) ==
        "t\n"
        "tool        q\n"
        "B\xC3\xA4r         1\n"
        "a?[2Jb      2\n"
        "line?break  3\n");
}

TEST_CASE("Markdown escapes what would part cells", "[table]") {
  const Table table{"t", {{"tool", "q"}, {"a|b\\c", "1"}}, 1, {"note"}};
  CHECK(markdown(table) ==
        "**t**\n\n"
        "| tool | q |\n"
        "| --- | ---: |\n"
        "| a\\|b\\\\c | 1 |\n"
        "\nnote\n");
}

TEST_CASE("CSV quotes as RFC 4180 asks", "[table]") {
  CHECK(csv({{"plain", "", "with space"}, {"a,b", "say \"hi\"", "two\nlines"}}) ==
        "plain,,with space\r\n\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\r\n");
}

TEST_CASE("Numbers have their digits and no negative nought", "[table]") {
  CHECK(fixed(92.305, 2) == "92.31");  // 92.305 is a little above in binary
  CHECK(fixed(-0.001, 2) == "0.00");
  CHECK(fixed(-0.006, 2) == "-0.01");
  CHECK(fixed(100, 0) == "100");
  CHECK(fixed(std::nullopt, 2) == "-");
  CHECK(fixed(std::numeric_limits<double>::max(), 1).size() == 311);
}

TEST_CASE("Long names lose their middle, unless two would look alike", "[table]") {
  using Names = std::vector<std::string>;
  CHECK(shortened(Names{"short", "artist-skeleton-boneheat"}, 12) == Names{"short", "artis..eheat"});
  const Names alike{"artist-one-boneheat", "artist-two-boneheat"};
  CHECK(shortened(alike, 12) == alike);
  CHECK(shortened(Names{"\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"}, 5) ==
        Names{"\xC3\xA4..\xC3\xA4\xC3\xA4"});
}

}  // namespace pelt
