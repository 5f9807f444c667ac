// The link line says cli -> batch, page -> io -> solver; one shared include root would let a back door slip
// through, so the sources are read.

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const std::set<std::string> kFolders = {"batch", "cli", "data", "io", "page", "solver"};
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"solver", {"solver"}},
    {"io", {"io", "solver"}},
    {"batch", {"batch", "io", "solver"}},
    {"page", {"io", "page", "solver"}},
    {"data", {"data", "io", "solver"}},
    {"cli", {"batch", "cli", "io", "page", "solver"}}};

/// Which of kFolders an include reaches, or "" for a foreign header.
std::string folder_of_include(const fs::path& root, const fs::path& file, std::string include) {
  if (include.starts_with("pelt/")) include.erase(0, 5);
  const fs::path beside = file.parent_path() / include;
  const fs::path target = fs::exists(beside) ? beside : root / include;
  const std::string top = target.lexically_normal().lexically_relative(root).begin()->string();
  return kFolders.contains(top) ? top : "";
}

/// What is wrong with one line of a file in `folder`; "" if nothing.
std::string fault_of_line(const fs::path& root, const fs::path& file, const std::string& folder,
                          const std::string& line) {
  static const std::regex include_line(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
  static const std::regex output(R"(\b(cout|cerr|clog|printf|fprintf|vprintf|puts|fputs|putchar|perror)\b)");
  static const std::regex files_or_parsers(
      R"(^(filesystem|fstream|iostream|cstdio|nlohmann/.*|tiny_gltf\.h)$)");
  const bool library = folder == "solver" || folder == "io" || folder == "batch" || folder == "page";
  const std::string code = line.substr(0, line.find("//"));
  std::smatch match;
  if (!std::regex_search(code, match, include_line))
    return library && std::regex_search(code, output) ? "prints" : "";
  const std::string include = match[1];
  const std::string reached = folder_of_include(root, file, include);
  if (!reached.empty() && !kMayInclude.at(folder).contains(reached))
    return folder + " reaches into " + reached;
  if (file.extension() == ".h" && include == "tiny_gltf.h") return "a header shows tinygltf";
  if (folder == "solver" && std::regex_match(include, files_or_parsers)) return "the solver knows files";
  if (library && include == "iostream") return "a library opens the console";
  return "";
}

/// Each broken rule as "file:line: what".
std::vector<std::string> layering_faults(const fs::path& root) {
  std::vector<std::string> faults;
  for (const std::string& folder : kFolders) {
    if (!fs::exists(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path& file = entry.path();
      if (file.extension() != ".h" && file.extension() != ".cpp") continue;
      std::ifstream stream(file);
      std::string line;
      for (int number = 1; std::getline(stream, line); ++number) {
        const std::string fault = fault_of_line(root, file, folder, line);
        if (fault.empty()) continue;
        faults.push_back(file.lexically_relative(root).string() + ":" + std::to_string(number) + ": " +
                         fault);
      }
    }
  }
  return faults;
}

/// Types that two files define, each as "name: file file". What stands in an unnamed namespace is the file's
/// own. The linker takes two types of one name for one, silently.
std::vector<std::string> types_defined_twice(const fs::path& root) {
  static const std::regex definition(R"(^(?:struct|class|enum|enum class) (\w+)(?: : [^;{]*)? \{.*)");
  std::map<std::string, std::set<std::string>> homes;
  for (const std::string& folder : kFolders)
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      std::ifstream stream(entry.path());
      bool unnamed = false;
      std::smatch match;
      for (std::string line; std::getline(stream, line);) {
        if (line == "namespace {" || line == "}  // namespace") unnamed = line == "namespace {";
        if (!unnamed && std::regex_match(line, match, definition))
          homes[match[1]].insert(entry.path().lexically_relative(root).string());
      }
    }
  std::vector<std::string> twice;
  for (const auto& [name, files] : homes) {
    if (files.size() == 1) continue;
    twice.push_back(name + ":");
    for (const std::string& file : files) twice.back() += " " + file;
  }
  return twice;
}

/// A small source tree with one line in one file, removed at the end.
struct SourceTree {
  fs::path root = fs::temp_directory_path() / ("pelt-layering-" + std::to_string(std::random_device{}()));
  SourceTree() {
    for (const std::string& folder : kFolders) fs::create_directories(root / folder);
    for (const char* header :
         {"solver/rig.h", "io/scene.h", "data/quadruped.h", "cli/table.h", "batch/score_row.h"})
      std::ofstream(root / header) << "#pragma once\n";
  }
  ~SourceTree() { fs::remove_all(root); }
  std::vector<std::string> faults_of(const std::string& file, const std::string& line) const {
    std::ofstream(root / file) << "\n" << line << "\n";
    std::vector<std::string> faults = layering_faults(root);
    fs::remove(root / file);
    return faults;
  }
};

}  // namespace

TEST_CASE("the sources keep the layers", "[layering]") {
  CHECK(layering_faults(PELT_SOURCE_DIR) == std::vector<std::string>{});
}

TEST_CASE("no two types have one name", "[layering]") {
  CHECK(types_defined_twice(PELT_SOURCE_DIR) == std::vector<std::string>{});
  const SourceTree tree;
  std::ofstream(tree.root / "batch/a.h") << "namespace pelt {\n/// One.\nstruct Limb {\n};\nstruct Leg;\n}\n";
  std::ofstream(tree.root / "batch/b.cpp") << "namespace {\nenum class Limb { head };\n}  // namespace\n";
  std::ofstream(tree.root / "data/c.h") << "class Leg final {\n";
  CHECK(types_defined_twice(tree.root) == std::vector<std::string>{});
  std::ofstream(tree.root / "data/a.h") << "enum class Limb { head, tail };\n";
  CHECK(types_defined_twice(tree.root) == std::vector<std::string>{"Limb: batch/a.h data/a.h"});
}

TEST_CASE("each broken layer is seen", "[layering]") {
  const SourceTree tree;
  const std::vector<std::pair<std::string, std::string>> broken = {
      {"solver/a.cpp", "#include \"../io/scene.h\""},
      {"solver/a.h", "#include \"io/scene.h\""},
      {"solver/a.cpp", "#include <pelt/io/scene.h>"},
      {"solver/a.cpp", "#  include \"cli/table.h\""},
      {"solver/a.cpp", "#include \"data/quadruped.h\""},
      {"io/a.cpp", "#include \"../cli/table.h\""},
      {"io/a.cpp", "#include \"data/quadruped.h\""},
      {"io/a.cpp", "#include \"../batch/score_row.h\""},
      {"batch/a.cpp", "#include \"../cli/table.h\""},
      {"batch/a.cpp", "  std::printf(\"x\");"},
      {"data/a.cpp", "#include \"cli/table.h\""},
      {"io/a.h", "#include <tiny_gltf.h>"},
      {"cli/a.h", "#include \"tiny_gltf.h\""},
      {"solver/a.cpp", "#include <tiny_gltf.h>"},
      {"solver/a.cpp", "#include <fstream>"},
      {"solver/a.cpp", "#include <nlohmann/json.hpp>"},
      {"io/a.cpp", "#include <iostream>"},
      {"io/a.cpp", "  std::cerr << 1;"},
      {"solver/a.cpp", "  printf(\"x\");"},
      {"solver/a.h", "std::puts(\"x\");"}};
  for (const auto& [file, line] : broken) {
    CAPTURE(file, line);
    const std::vector<std::string> faults = tree.faults_of(file, line);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].starts_with(file + ":2: "));
  }
}

TEST_CASE("lawful lines are no faults", "[layering]") {
  const SourceTree tree;
  const std::vector<std::pair<std::string, std::string>> lawful = {
      {"io/a.cpp", "#include \"../solver/rig.h\""},
      {"io/a.cpp", "#include <tiny_gltf.h>"},
      {"io/a.cpp", "#include <fstream>"},
      {"cli/a.cpp", "std::cout << 1;"},
      {"solver/a.cpp", "int x = 0;  // printf would be wrong here"},
      {"io/a.cpp", "std::snprintf(text, 8, \"x\");"},
      {"data/a.cpp", "#include \"io/scene.h\""},
      {"batch/a.cpp", "#include \"../io/scene.h\""},
      {"cli/a.cpp", "#include \"../batch/score_row.h\""},
      {"cli/a.cpp", "#include \"../io/scene.h\""}};
  for (const auto& [file, line] : lawful) {
    CAPTURE(file, line);
    CHECK(tree.faults_of(file, line) == std::vector<std::string>{});
  }
}
