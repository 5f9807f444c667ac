// The README's programs are the consumer that the build compiles and runs: the two must be the same text.

#include <catch2/catch.hpp>

#include <fstream>
#include <string>
#include <vector>

namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream stream(std::string(PELT_SOURCE_DIR) + "/" + path);
  REQUIRE(stream.good());
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The lines of every code block of a language.
std::vector<std::string> code_blocks(const std::vector<std::string>& lines, const std::string& language) {
  std::vector<std::string> code;
  bool inside = false;
  for (const std::string& line : lines) {
    if (line.starts_with("```"))
      inside = line == "```" + language;
    else if (inside)
      code.push_back(line);
  }
  return code;
}

}  // namespace

TEST_CASE("the README's programs are the compiled consumer", "[readme]") {
  std::vector<std::string> programs = lines_of("tests/consumer/main.cpp");
  for (const std::string& line : lines_of("tests/consumer/score.cpp")) programs.push_back(line);
  CHECK(code_blocks(lines_of("README.md"), "cpp") == programs);
}

TEST_CASE("the README's build file is the compiled consumer's", "[readme]") {
  const std::vector<std::string> build = code_blocks(lines_of("README.md"), "cmake");
  CHECK_FALSE(build.empty());
  CHECK(build == lines_of("tests/consumer/CMakeLists.txt"));
}
