// The README's program is the consumer that the build compiles and runs: the two must be the same text.

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

TEST_CASE("the README's program is the compiled consumer", "[readme]") {
  const std::vector<std::string> program = code_blocks(lines_of("README.md"), "cpp");
  CHECK_FALSE(program.empty());
  CHECK(program == lines_of("tests/consumer/main.cpp"));
}

TEST_CASE("the README's build file is the compiled consumer's", "[readme]") {
  const std::vector<std::string> build = code_blocks(lines_of("README.md"), "cmake");
  CHECK_FALSE(build.empty());
  CHECK(build == lines_of("tests/consumer/CMakeLists.txt"));
}
