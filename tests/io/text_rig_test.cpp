#include "io/text_rig.h"

#include <catch2/catch.hpp>

#include "io/io_error.h"

using namespace pelt;

namespace {

const std::string kRig =
    "skin 1 tip 0.25 root 0.75\r\n"
    "joints root 1 2 3\n"
    "joints tip 1 2.5e0 -3 \n"
    "\n"
    "root root\n"
    "hier root tip\n"
    "skin 0 root 1 tip 0\n"
    "skin 4";

/// kRig with `from` replaced by `to`.
std::string edited(const std::string& from, const std::string& to) {
  std::string text = kRig;
  const std::size_t place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

std::string refusal(const std::string& text) {
  try {
    parse_text_rig(text, "wolf.txt");
  } catch (const ReadError& error) {
    return error.what();
  }
  return "";
}

bool is_rig(const std::string& text) {
  return is_text_rig({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

}  // namespace

TEST_CASE("A text rig is read, its lines in any order") {
  const TextRig rig = parse_text_rig(kRig, "wolf.txt");
  CHECK(rig.names == std::vector<std::string>{"root", "tip"});
  CHECK(rig.parent == std::vector<int>{-1, 0});
  Eigen::Matrix3Xd positions(3, 2);
  positions << 1, 1, 2, 2.5, 3, -3;
  CHECK(rig.positions == positions);
  REQUIRE(rig.skin.size() == 3);
  using Influences = std::vector<std::pair<int, double>>;
  CHECK(rig.skin[0].vertex == 1);
  CHECK(rig.skin[0].line == 1);
  CHECK((rig.skin[0].influences == Influences{{0, 0.75}, {1, 0.25}}));
  CHECK(rig.skin[1].vertex == 0);
  CHECK((rig.skin[1].influences == Influences{{0, 1}}));
  CHECK(rig.skin[2].vertex == 4);
  CHECK(rig.skin[2].influences.empty());
}

TEST_CASE("A text rig is told by the word that it begins with") {
  CHECK(is_rig(kRig));
  CHECK(is_rig("\n joints a 0 0 0"));
  CHECK(is_rig("hier\ta b"));
  CHECK_FALSE(is_rig("joint a"));
  CHECK_FALSE(is_rig("{\"joints\""));
  CHECK_FALSE(is_rig(""));
}

TEST_CASE("Lines that are none of a text rig are refused by their number") {
  CHECK(refusal(edited("root root", "roots root")) ==
        "wolf.txt: line 5: 'roots' is none of joints, root, skin and hier");
  CHECK(refusal(edited("root 1 2 3", "root 1 2")) ==
        "wolf.txt: line 2: 'joints' is to be 'joints NAME x y z'");
  CHECK(refusal(edited("root root", "root")) == "wolf.txt: line 5: 'root' is to be 'root NAME'");
  CHECK(refusal(edited("root tip", "root tip tip")) ==
        "wolf.txt: line 6: 'hier' is to be 'hier PARENT CHILD'");
  CHECK(refusal(edited("tip 0\n", "tip\n")) ==
        "wolf.txt: line 7: 'skin' is to be 'skin VERTEX JOINT weight ...'");
}

TEST_CASE("Numbers that are none are refused by their line") {
  for (const std::string word : {"nan", "inf", "1e999", "0x10", "1,5", "--1", "1f", "two"})
    CHECK(refusal(edited("2.5e0", word)) == "wolf.txt: line 3: '" + word + "' is not a finite number");
  CHECK(refusal(edited("2.5e0", "3e38")) == "wolf.txt: line 3: '3e38' is beyond the range of floats");
  CHECK(refusal(edited("0.25", "-0.25")) == "wolf.txt: line 1: a weight of -0.25");
  CHECK(refusal(edited("0.25", "nan")) == "wolf.txt: line 1: 'nan' is not a finite number");
  for (const std::string word : {"-1", "1.0", "99999999999", "x"})
    CHECK(refusal(edited("skin 4", "skin " + word)) ==
          "wolf.txt: line 8: '" + word + "' is not the number of a vertex");
}

TEST_CASE("Joints that are unknown or twice there are refused by their line") {
  CHECK(refusal(edited("root root", "root hip")) == "wolf.txt: line 5: there is no joint 'hip'");
  CHECK(refusal(edited("hier root tip", "hier root tail")) == "wolf.txt: line 6: there is no joint 'tail'");
  CHECK(refusal(edited("1 tip 0.25", "1 tail 0.25")) == "wolf.txt: line 1: there is no joint 'tail'");
  CHECK(refusal(edited("joints tip", "joints root")) == "wolf.txt: line 3: another joint is called 'root'");
  CHECK(refusal(edited("root 0.75", "tip 0.75")) == "wolf.txt: line 1: joint 'tip' twice");
  CHECK(refusal(edited("skin 4", "skin 0")) == "wolf.txt: line 8: vertex 0 has a 'skin' line already");
  CHECK(refusal(edited("joints tip", "joints \xff")) == "wolf.txt: line 3: the joint's name is not UTF-8");
}

TEST_CASE("Joints that are no tree are refused") {
  const std::string more = "\njoints a 0 0 0\njoints b 0 0 0\n";
  CHECK(refusal(edited("root root\n", "")) == "wolf.txt: no 'root' line");
  CHECK(refusal(kRig + "\nroot tip") == "wolf.txt: line 9: a second root; a rig has one");
  CHECK(refusal(kRig + "\nhier tip root") == "wolf.txt: line 9: the root 'root' has no parent");
  CHECK(refusal(kRig + "\nhier root tip") == "wolf.txt: line 9: 'tip' has a parent already");
  CHECK(refusal(kRig + "\nhier tip tip") == "wolf.txt: line 9: 'tip' has a parent already");
  CHECK(refusal(kRig + more + "hier a b\nhier b a") ==
        "wolf.txt: line 9: no 'hier' lines lead from the root to 'a'");
  CHECK(refusal(kRig + more + "hier root a") ==
        "wolf.txt: line 10: no 'hier' lines lead from the root to 'b'");
  CHECK(refusal("root a") == "wolf.txt: no joint in it");
}

TEST_CASE("A line that would make every vertex large is refused") {
  std::string joints = "root j0\n", skin = "skin 0";
  for (int j = 0; j < 300; ++j) {
    joints += "joints j" + std::to_string(j) + " 0 0 0\n";
    if (j > 0) joints += "hier j0 j" + std::to_string(j) + "\n";
    skin += " j" + std::to_string(j) + " 1";
  }
  CHECK(refusal(joints + skin) == "wolf.txt: line 601: 300 joints at a vertex; at most 128 are read");
}

TEST_CASE("A text rig cut off anywhere is refused or read") {
  int read = 0;
  for (std::size_t length = 0; length <= kRig.size(); ++length)
    read += refusal(kRig.substr(0, length)).empty();
  CHECK(read > 0);
  CHECK(read < 60);
}
