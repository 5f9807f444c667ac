#include "io/inspect.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "../gltf_builder.h"
#include "io/io_error.h"

namespace pelt {
namespace {

using namespace test;
using Row = std::map<std::string, std::string>;

std::filesystem::path corpora_folder() {
  const char* set = std::getenv("PELT_CORPORA");
  return set ? std::filesystem::path(set) : std::filesystem::path(PELT_SOURCE_DIR) / "../shared/corpora";
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos ? ""
                                               : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return cells;
}

/// Rows of all tables of the index that list glTF files with these columns.
std::vector<Row> index_rows(const std::filesystem::path& index) {
  std::vector<Row> rows;
  std::vector<std::string> headings;
  std::ifstream stream(index);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("|")) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells[0] == "path" || cells[0] == "artist") headings = cells;
    const bool lists_file = cells[0].ends_with(".glb") || cells[0].ends_with(".gltf");
    if (!lists_file || headings.size() < 2 || headings[0] != "path" || cells.size() < headings.size())
      continue;
    Row row;
    for (std::size_t i = 0; i < headings.size(); ++i) row[headings[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

/// The index abbreviates long lists with "..."; everything before that must be in ours.
void check_clips(const std::string& ours, const std::string& listed) {
  if (!listed.ends_with("...")) {
    CHECK(ours == listed);
    return;
  }
  const std::size_t colon = listed.find(':');
  CHECK(ours.substr(0, colon + 1) == listed.substr(0, colon + 1));
  std::istringstream stream(listed.substr(colon + 1, listed.size() - colon - 4));
  for (std::string item; std::getline(stream, item, ',');) {
    const std::size_t first = item.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    CHECK((ours + ",").find(" " + item.substr(first) + ",") != std::string::npos);
  }
}

}  // namespace

TEST_CASE("inspect agrees with the index of the corpora") {
  const std::filesystem::path index = corpora_folder() / "INDEX.md";
  const std::vector<Row> rows = std::filesystem::exists(index) ? index_rows(index) : std::vector<Row>();
  if (rows.empty()) {
    std::cout << "skipped: 173 corpus checks (no corpora folder)\n";
    return;
  }
  CHECK(rows.size() > 150);
  for (const Row& row : rows) {
    INFO(row.at("path"));
    for (const auto& [heading, cell] :
         inspect_columns(inspect(read_document(corpora_folder() / row.at("path"))))) {
      INFO(heading);
      if (heading == "clips")
        check_clips(cell, row.at(heading));
      else
        CHECK(cell == row.at(heading));
    }
  }
}

TEST_CASE("inspect counts what a small file holds") {
  GltfBuilder b = two_joint_strip();
  b.json["extensionsUsed"] = {"KHR_materials_unlit", "KHR_mesh_quantization"};
  const FileFacts facts = inspect(b.document());
  CHECK(facts.triangles == 2);
  CHECK(facts.vertices == 4);
  CHECK(facts.skinned_vertices == 4);
  CHECK(facts.joints == std::vector<std::size_t>{2});
  CHECK(facts.influence_sets == 1);
  REQUIRE(facts.clips.size() == 1);
  CHECK(facts.clips[0].end == 1);
  CHECK(vertices_cell(facts) == "4");
  CHECK(clips_cell(facts) == "Bend 1.00 s");
  CHECK(extensions_cell(facts) == "KHR_mesh_quantization");
}

TEST_CASE("inspect counts strips and fans and shared vertices once") {
  GltfBuilder b;
  const int position = b.add_accessor(Eigen::Matrix3Xd::Random(3, 6));
  for (const int mode : {5, 6, 1}) b.primitive(b.add_mesh({{"POSITION", position}}))["mode"] = mode;
  const FileFacts facts = inspect(b.document());
  CHECK(facts.triangles == 4 + 4);
  CHECK(facts.vertices == 6);
  CHECK(joints_cell(facts) == "0");
  CHECK(clips_cell(facts) == "none");
  CHECK(extensions_cell(facts) == "-");
}

TEST_CASE("inspect tells skinned from rigid vertices and skins apart") {
  GltfBuilder b = two_joint_strip();
  b.add_mesh({{"POSITION", b.add_accessor(Eigen::Matrix3Xd::Random(3, 3))}});
  b.primitive(1)["targets"] = {{{"POSITION", 0}}, {{"POSITION", 0}}};
  b.add_skin({0});
  const FileFacts facts = inspect(b.document());
  CHECK(vertices_cell(facts) == "7 (4 skinned), 2 morph targets");
  CHECK(joints_cell(facts) == "2 + 1");
}

TEST_CASE("inspect names clips by what is behind the last bar and by number") {
  GltfBuilder b = two_joint_strip();
  b.json["animations"][0]["name"] = "Armature|Fast|Walk";
  for (int i = 1; i < 7; ++i) b.add_animation("");
  FileFacts facts = inspect(b.document());
  CHECK(clips_cell(facts) == "7: Walk 1.00 s, #1 ? s, #2 ? s, #3 ? s, #4 ? s, #5 ? s, #6 ? s");
  CHECK(facts.clips[0].timed);
  CHECK_FALSE(facts.clips[1].timed);
}

TEST_CASE("inspect prefers the described key times and copes with unreadable ones") {
  GltfBuilder b = two_joint_strip();
  const int input = b.json["animations"][0]["samplers"][0]["input"];
  SECTION("described") {
    b.json["accessors"][input]["min"] = {0.25};
    b.json["accessors"][input]["max"] = {7.5};
    const ClipFacts clip = inspect(b.document()).clips[0];
    CHECK(clip.start == 0.25);
    CHECK(clip.end == 7.5);
  }
  SECTION("unreadable") {
    b.json["bufferViews"][b.json["accessors"][input]["bufferView"].get<int>()]["byteLength"] = 1;
    CHECK_FALSE(inspect(b.document()).clips[0].timed);
  }
}

TEST_CASE("inspect refuses indices that lead nowhere") {
  GltfBuilder b = two_joint_strip();
  SECTION("accessor") { b.primitive(0)["attributes"]["POSITION"] = 99; }
  SECTION("sampler") { b.json["animations"][0]["channels"][0]["sampler"] = 1; }
  SECTION("joint") { b.json["skins"][0]["joints"] = {0, 3}; }
  SECTION("meshes") { b.json["meshes"] = 5; }
  CHECK_THROWS_AS(inspect(b.document()), ReadError);
}

}  // namespace pelt
