// Files that are broken on purpose: every one must be read or refused with a ReadError, without a crash and
// without allocating what the file only claims to hold. Most useful under the sanitizers.
#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "../gltf_builder.h"
#include "io/accessor.h"
#include "io/gltf_reader.h"
#include "io/inspect.h"
#include "io/io_error.h"

namespace pelt {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

/// A file that has a bit of everything: sparse morph targets, strides, quantised weights, a cubic clip.
GltfBuilder rich_file() {
  GltfBuilder b = two_joint_strip();
  Eigen::Matrix3Xd displacement = Eigen::Matrix3Xd::Zero(3, 4);
  displacement.col(2).setOnes();
  const int morph = b.add_accessor(displacement, {.sparse_without_view = true});
  b.primitive(0)["targets"] = {{{"POSITION", morph}}};
  b.json["meshes"][0]["weights"] = {0.5};
  b.add_channel(0, 2, "weights", {0, 0.5, 1}, Eigen::RowVector3d(0, 1, 0));
  b.add_channel(0, 0, "translation", {0, 1}, Eigen::MatrixXd::Ones(3, 6), "CUBICSPLINE");
  const Storage strided{.component = Component::u8, .normalized = true, .stride = 8};
  const int zeros = b.add_accessor(Eigen::MatrixXd::Zero(4, 4), strided);
  Json& attributes = b.primitive(0)["attributes"];
  attributes["JOINTS_1"] = attributes["JOINTS_0"].get<int>();
  attributes["WEIGHTS_1"] = zeros;
  b.add_node("turned", 1, {{"matrix", {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}});
  return b;
}

/// Reads the file; false if it is refused. Any other exception fails the test.
bool reads(const Bytes& bytes) {
  try {
    const Document document = parse_document(bytes, "it.glb");
    inspect(document);
    read_scene(document);
    return true;
  } catch (const ReadError& error) {
    CHECK(std::string(error.what()).starts_with("it.glb: "));
    return false;
  }
}

void visit_values(Json& json, const std::function<void(Json&)>& act) {
  act(json);
  if (json.is_structured())
    for (Json& child : json) visit_values(child, act);
}

}  // namespace

TEST_CASE("the file that is to be broken is sound") { CHECK(reads(rich_file().glb())); }

TEST_CASE("a file truncated at any length is refused") {
  const Bytes glb = rich_file().glb();
  for (std::size_t length = 0; length < glb.size(); ++length)
    CHECK_FALSE(reads(Bytes(glb.begin(), glb.begin() + length)));
}

TEST_CASE("a binary chunk cut at any length is refused with its header mended") {
  GltfBuilder b = rich_file();
  while (!b.bin.empty()) {
    b.bin.resize(b.bin.size() - 4);
    CHECK_FALSE(reads(b.glb()));
  }
}

TEST_CASE("any value of the JSON may be anything") {
  const GltfBuilder sound = rich_file();
  const std::vector<Json> oddities = {nullptr,
                                      -1,
                                      0,
                                      1,
                                      2147483648u,
                                      std::uint64_t{1} << 40,
                                      1e300,
                                      0.5,
                                      "odd",
                                      true,
                                      Json::array(),
                                      Json::object(),
                                      std::uint64_t(-1)};
  std::size_t count = 0;
  Json counted = sound.json;
  visit_values(counted, [&](Json&) { ++count; });
  std::size_t accepted = 0;
  for (std::size_t which = 0; which < count; ++which) {
    for (const Json& oddity : oddities) {
      GltfBuilder b = sound;
      std::size_t index = 0;
      Json* target = nullptr;
      visit_values(b.json, [&](Json& value) {
        if (index++ == which) target = &value;
      });
      *target = oddity;
      accepted += reads(b.glb());
    }
  }
  CHECK(accepted < count * oddities.size() / 2);
}

TEST_CASE("any member of the JSON may be missing") {
  const GltfBuilder sound = rich_file();
  bool more = true;
  for (std::size_t which = 0; more; ++which) {
    GltfBuilder b = sound;
    std::size_t index = 0;
    more = false;
    visit_values(b.json, [&](Json& value) {
      if (!value.is_object() || more) return;
      index += value.size();
      if (which >= index) return;
      more = true;
      value.erase(std::next(value.begin(), static_cast<std::ptrdiff_t>(which + value.size() - index)));
    });
    reads(b.glb());
  }
}

TEST_CASE("bytes may be anything") {
  const Bytes sound = rich_file().glb();
  std::mt19937 random{12345};
  for (int round = 0; round < 1000; ++round) {
    Bytes glb = sound;
    const std::size_t first = round % 2 ? 20 : glb.size() - rich_file().bin.size();
    for (int change = 0; change < 1 + round % 5; ++change)
      glb[first + random() % (glb.size() - first)] = static_cast<std::uint8_t>(random());
    CHECK_NOTHROW(reads(glb));
  }
}

TEST_CASE("counts that the file does not hold are refused before memory is taken") {
  GltfBuilder b = rich_file();
  Json& accessors = b.json["accessors"];
  const int position = b.primitive(0)["attributes"]["POSITION"];
  const std::uint64_t huge =
      GENERATE(std::uint64_t{1000000000}, (std::uint64_t{1} << 53) - 1, std::uint64_t{1} << 62);
  SECTION("with a view") { accessors[position]["count"] = huge; }
  SECTION("without a view") {
    accessors[position]["count"] = huge;
    accessors[position].erase("bufferView");
  }
  SECTION("a morph target") {
    accessors[b.primitive(0)["targets"][0]["POSITION"].get<int>()]["count"] = huge;
  }
  SECTION("key times") {
    accessors[b.json["animations"][0]["samplers"][0]["input"].get<int>()]["count"] = huge;
  }
  SECTION("a sparse part") {
    accessors[b.primitive(0)["targets"][0]["POSITION"].get<int>()]["sparse"]["count"] = huge;
  }
  SECTION("an offset") { accessors[position]["byteOffset"] = huge; }
  SECTION("a view") { b.json["bufferViews"][0]["byteLength"] = huge; }
  SECTION("a view's offset") { b.json["bufferViews"][0]["byteOffset"] = huge; }
  SECTION("a buffer") { b.json["buffers"][0]["byteLength"] = huge; }
  CHECK_FALSE(reads(b.glb()));
}

TEST_CASE("a small file does not unfold without bounds") {
  GltfBuilder b;
  const int position = b.add_accessor(Eigen::Matrix3Xd::Random(3, 10));
  const Document document = b.document();
  const Accessors accessors(document, 95);
  for (int read = 0; read < 3; ++read) CHECK(accessors.read(position, {"it", "VEC3"}).size() == 30);
  CHECK_THROWS_AS(accessors.read(position, {"it", "VEC3"}), ReadError);
}

TEST_CASE("long chains of nodes are read without recursion") {
  GltfBuilder b;
  int parent = b.add_node("root");
  for (int i = 1; i < 50000; ++i) parent = b.add_node("", parent);
  CHECK(read_scene(b.document()).parents_first.back() == 49999);
  b.json["nodes"][parent]["children"] = {25000};
  CHECK_FALSE(reads(b.glb()));
}

}  // namespace pelt
