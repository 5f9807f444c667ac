// What pelt writes is read by pugixml and, where it is installed, judged by xmllint.
#include "batch/junit.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <pugixml.hpp>

#include "../temp_folder.h"
#include "score_rows.h"

namespace pelt {
namespace {

using namespace test;

std::vector<ScoreRow> rows_and_times() {
  std::vector<ScoreRow> rows{
      score_row("b", "cow", {clip_score("Walk", 80), clip_score("Run <fast> & \"far\"", 60)}),
      score_row("a", "cow", {clip_score("Walk", 90)}), failed_row("b", "fox", "x.glb: torn\x01 at 'byte' 7")};
  rows[0].seconds = 3, rows[1].seconds = 0.25, rows[2].seconds = 0.5;
  return rows;
}

Gates gates_for_all() {
  Gates gates;
  gates.min_quality = 70;
  gates.max_worst = 30;
  gates.require_control = true;
  return gates;
}

pugi::xml_document parsed(const std::string& text) {
  pugi::xml_document document;
  REQUIRE(document.load_string(text.c_str()));
  return document;
}

void check_counts(const pugi::xml_node& node, int tests, int failures, int errors, double time) {
  CHECK(node.attribute("tests").as_int() == tests);
  CHECK(node.attribute("failures").as_int() == failures);
  CHECK(node.attribute("errors").as_int() == errors);
  CHECK(node.attribute("time").as_double() == Approx(time));
}

}  // namespace

TEST_CASE("A suite a tool, a case a clip, gates fail, broken pairs are errors", "[junit]") {
  const pugi::xml_document document = parsed(junit(rows_and_times(), gates_for_all()));
  const pugi::xml_node root = document.child("testsuites");
  check_counts(root, 6, 1, 1, 3.75);
  const pugi::xml_node a = root.first_child(), b = a.next_sibling();
  CHECK(a.attribute("name").value() == std::string("a"));
  CHECK(b.attribute("name").value() == std::string("b"));
  check_counts(a, 2, 0, 0, 0.25);
  check_counts(b, 4, 1, 1, 3.5);
  double seconds = 0;
  for (const pugi::xml_node& node : b.children("testcase")) seconds += node.attribute("time").as_double();
  CHECK(seconds == Approx(3.5));
  CHECK(b.first_child().attribute("name").value() == std::string("control"));
  const pugi::xml_node run = b.find_child_by_attribute("name", "Run <fast> & \"far\" (free)");
  REQUIRE(run);
  CHECK(run.attribute("classname").value() == std::string("b.cow"));
  CHECK(run.child("failure").attribute("message").value() ==
        std::string("quality 60.00 is below 70; worst error 40.00 % is above 30"));
  const pugi::xml_node broken = b.last_child();
  CHECK(broken.attribute("name").value() == std::string("pair"));
  CHECK(broken.child("error").attribute("message").value() == std::string("x.glb: torn? at 'byte' 7"));
}

TEST_CASE("Rows in any order make the same XML", "[junit]") {
  std::vector<ScoreRow> rows = rows_and_times();
  const std::string text = junit(rows, gates_for_all());
  std::reverse(rows.begin(), rows.end());
  CHECK(junit(rows, gates_for_all()) == text);
}

TEST_CASE("No name makes XML that another parser refuses", "[junit]") {
  std::string every;
  for (int c = 1; c < 256; ++c) every += static_cast<char>(c);
  const std::vector<std::string> names = {every,
                                          "]]>",
                                          "\xED\xA0\x80",                  // a surrogate
                                          "\xC0\xAF",                      // overlong
                                          "\xF4\x90\x80\x80",              // beyond Unicode
                                          "\xEF\xBF\xBF",                  // U+FFFF
                                          "\xE2\x82",                      // cut short
                                          "B\xC3\xA4r \xF0\x9F\x90\xBB"};  // fine
  std::vector<ScoreRow> rows;
  for (const std::string& name : names) {
    rows.push_back(score_row(name, name, {clip_score(name, 50)}));
    rows.push_back(failed_row(name, name + "2", name));
  }
  const std::string text = junit(rows, gates_for_all());
  CHECK(text.find("B\xC3\xA4r \xF0\x9F\x90\xBB") != std::string::npos);
  if (std::system("command -v xmllint >/dev/null") != 0) {
    std::cout << "skipped: 1 check of XML (no xmllint)\n";
    return;
  }
  const TempFolder folder;
  std::ofstream(folder / "junit.xml", std::ios::binary) << text;
  CHECK(std::system(("xmllint --noout '" + (folder / "junit.xml").string() + "'").c_str()) == 0);
}

}  // namespace pelt
