// Files that are broken on purpose: every one must be read or refused with a ReadError, without a crash and
// without allocating what the file only claims to hold. Most useful under the sanitizers.
#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <regex>

#include "../gltf_builder.h"
#include "io/accessor.h"
#include "io/buffers.h"
#include "io/gltf_reader.h"
#include "io/inspect.h"
#include "io/io_error.h"
#include "io/pose.h"
#include "io/rig_of_scene.h"
#include "rich_file.h"
#include "tests/temp_folder.h"

namespace pelt {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

/// "it.glb: place: what", where the place is a member of the document, or what of the container is broken.
bool names_place(const std::string& message) {
  static const std::regex form(
      "it\\.glb: "
      "((asset|scenes?|nodes|meshes|skins|animations|accessors|bufferViews|buffers|extensions(Used|Required))"
      "(\\.\\w+|\\[\\d+\\])*(, (vertex|key) \\d+)?: .+"
      "|chunk at byte \\d+: .+|truncated.+|an empty file|not a glTF file: .+|.*JSON.*|a \\.glb of version "
      ".+)");
  return std::regex_match(message, form);
}

/// Reads the file; false if it is refused with a message that names the place. Any other exception, and any
/// number that is not finite in what was read, fails the test.
bool reads(const Bytes& bytes) {
  try {
    const Document document = parse_document(bytes, "it.glb");
    inspect(document);
    const Scene scene = read_scene(document);
    CHECK(rest_surface(scene).positions.allFinite());
    rig_of_scene(scene);
    for (const Clip& clip : scene.clips)
      for (const double time : {0.0, 0.3, 1.0})
        CHECK(surface_at(scene, pose_at(scene, clip, time)).allFinite());
    return true;
  } catch (const ReadError& error) {
    CAPTURE(error.what());
    CHECK(names_place(error.what()));
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
                                      std::uint64_t{1} << 32,
                                      std::uint64_t{1} << 53,
                                      1e38,
                                      1e300,
                                      0.5,
                                      "NaN",
                                      "",
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

TEST_CASE("floats may be anything") {
  const GltfBuilder sound = rich_file();
  using Limits = std::numeric_limits<float>;
  const float oddities[] = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), Limits::max(),
                            Limits::denorm_min()};
  for (std::size_t offset = 0; offset + 4 <= sound.bin.size(); offset += 4) {
    for (const float oddity : oddities) {
      GltfBuilder b = sound;
      std::memcpy(&b.bin[offset], &oddity, sizeof oddity);
      reads(b.glb());
    }
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
  CHECK(justified_numbers(0) == 5 << 20);
  CHECK(justified_numbers(std::size_t{1} << 62) == 2147483647);
  GltfBuilder b;
  const int position = b.add_accessor(Eigen::Matrix3Xd::Random(3, 10));
  const Document document = b.document();
  const Accessors accessors(document, 3 * (30 + 16) + 45);
  for (int read = 0; read < 3; ++read) CHECK(accessors.read(position, {"it", "VEC3"}).size() == 30);
  CHECK_THROWS_AS(accessors.read(position, {"it", "VEC3"}), ReadError);
}

/// Files of less than a MiB that say a lot with little.
TEST_CASE("what one byte makes many of is refused") {
  GltfBuilder b = rich_file();
  const auto repeated = [](const Json& item, int times) {
    return Json(static_cast<std::size_t>(times), item);
  };
  std::string place;
  SECTION("one mesh drawn by many nodes") {
    Eigen::Matrix3Xd points = Eigen::Matrix3Xd::Random(3, 300);
    b.json["meshes"] = Json::array(
        {{{"primitives", Json::array({{{"attributes", {{"POSITION", b.add_accessor(points)}}}}})}}});
    for (int n = 0; n < 30000; ++n) b.add_node("", -1, {{"mesh", 0}});
    place = "accessors";
  }
  SECTION("empty parts") {
    b.json["accessors"][b.primitive(0)["attributes"]["POSITION"].get<int>()]["count"] = 0;
    b.json["meshes"][0]["primitives"] =
        repeated({{"attributes", {{"POSITION", b.primitive(0)["attributes"]["POSITION"]}}}}, 15000);
    for (int n = 0; n < 10000; ++n) b.json["nodes"].push_back({{"mesh", 0}});
    b.json.erase("scenes");
    b.json.erase("scene");
    place = "accessors";
  }
  SECTION("morph targets that move nothing") {
    b.json["meshes"].erase(0);
    b.json["meshes"].push_back(
        {{"primitives",
          Json::array({{{"attributes", {{"POSITION", b.add_accessor(Eigen::Matrix3Xd::Random(3, 20000))}}},
                        {"targets", repeated(Json::object(), 100000)}}})}});
    b.json["nodes"][2].erase("skin");
    place = "meshes[0].primitives[0].targets[";
  }
  SECTION("nodes") {
    b.json["nodes"] = repeated(Json::object(), 340000);
    place = "nodes";
  }
  SECTION("skins over all joints") {
    Eigen::MatrixXd matrices(16, 40);
    matrices.colwise() = Eigen::VectorXd(Eigen::Matrix4d::Identity().reshaped());
    b.json["skins"] =
        repeated({{"joints", {0, 1}}, {"inverseBindMatrices", b.add_accessor(matrices)}}, 10000);
    place = "accessors";
  }
  SECTION("channels of one sampler") {
    const int times = b.add_accessor(Eigen::RowVectorXd::LinSpaced(10000, 0, 1));
    b.json["accessors"].push_back({{"count", 10000}, {"componentType", 5126}, {"type", "VEC3"}});
    Json channels;
    for (int n = 0; n < 5000; ++n)
      channels.push_back({{"sampler", 0}, {"target", {{"node", b.add_node("")}, {"path", "scale"}}}});
    b.json["animations"] = Json::array(
        {{{"channels", channels}, {"samplers", Json::array({{{"input", times}, {"output", times + 1}}})}}});
    place = "accessors";
  }
  const Bytes glb = b.glb();
  CHECK(glb.size() < 1 << 20);
  try {
    read_scene(parse_document(glb, "it.glb"));
    FAIL("read");
  } catch (const ReadError& error) {
    CHECK_THAT(error.what(), Catch::StartsWith("it.glb: " + place) && Catch::Contains("may unfold to"));
  }
}

TEST_CASE("objects of glTF's own of very many members and deep nesting are refused") {
  GltfBuilder b = rich_file();
  for (int n = 0; n < 16400; ++n) b.json["nodes"][0][std::to_string(n)] = n;
  CHECK_FALSE(reads(b.glb()));
  const std::string text = std::string(300, '[') + std::string(300, ']');
  CHECK_FALSE(reads({text.begin(), text.end()}));
}

TEST_CASE("a vertex of very many influences is read in time") {
  GltfBuilder b = two_joint_strip();
  Json& attributes = b.primitive(0)["attributes"];
  for (int set = 1; set < 4000; ++set)
    for (const std::string name : {"JOINTS_", "WEIGHTS_"})
      attributes[name + std::to_string(set)] = attributes[name + "0"].get<int>();
  CHECK(reads(b.glb()));
}

TEST_CASE("a node that grows beyond floats is refused") {
  GltfBuilder b = rich_file();
  int node = 0;
  for (int i = 0; i < 30; ++i) node = b.add_node("", node, {{"scale", {1e30, 1e30, 1e30}}});
  CHECK_FALSE(reads(b.glb()));
}

TEST_CASE("an external file that many buffers name is read once") {
  const TempFolder folder;
  GltfBuilder b = two_joint_strip();
  write_bytes(folder / "strip.bin", b.bin);
  b.json["buffers"][0]["uri"] = "strip.bin";
  for (int copy = 0; copy < 3; ++copy) b.json["buffers"].push_back(b.json["buffers"][0]);
  b.json["buffers"].push_back({{"uri", "missing.bin"}, {"byteLength", 1}});
  b.json["buffers"].push_back({{"uri", "missing.bin"}, {"byteLength", 1}});
  const std::string text = b.json.dump();
  const Document document = parse_document({text.begin(), text.end()}, folder / "strip.gltf");
  const std::vector<Buffer> buffers = load_buffers(document);
  for (int copy = 0; copy < 4; ++copy) CHECK(buffers[copy].bytes.data() == buffers[0].external.data());
  for (const Buffer& missing : {buffers[4], buffers[5]})
    CHECK_THAT(missing.fault, Catch::Contains("cannot read 'missing.bin'"));
}

TEST_CASE("long chains of nodes are read without recursion") {
  GltfBuilder b;
  int parent = b.add_node("root");
  for (int i = 1; i < 100000; ++i) parent = b.add_node("", parent);
  CHECK(read_scene(b.document()).parents_first.back() == 99999);
  b.json["nodes"][parent]["children"] = {25000};
  CHECK_FALSE(reads(b.glb()));
}

}  // namespace pelt
