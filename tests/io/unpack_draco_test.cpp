#include <catch2/catch.hpp>

#include "io/inspect.h"
#include "packing.h"
#include "reading.h"
#include "surface_difference.h"

namespace pelt {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

constexpr const char* place = "test.glb: meshes[0].primitives[0].extensions.KHR_draco_mesh_compression";

GltfBuilder packed_sheet(const DracoPacking& packing = {}) {
  GltfBuilder b = skinned_sheet();
  pack_primitive(b, 0, packing);
  return b;
}

Json& extension_of(GltfBuilder& b) { return b.primitive(0)["extensions"]["KHR_draco_mesh_compression"]; }

Json& view_of(GltfBuilder& b) { return b.json["bufferViews"][extension_of(b)["bufferView"].get<int>()]; }

/// Where the stream starts in the builder's bytes.
std::size_t stream_start(GltfBuilder& b) { return view_of(b)["byteOffset"]; }

Json& accessor_of(GltfBuilder& b, const std::string& attribute) {
  return b.json["accessors"][b.primitive(0)["attributes"][attribute].get<int>()];
}

/// Puts another stream in place of the sheet's.
void set_stream(GltfBuilder& b, const Bytes& stream) { extension_of(b)["bufferView"] = b.add_view(stream); }

bool reads(const GltfBuilder& b) {
  const std::string why = refusal(b);
  if (!why.empty()) CHECK(why.starts_with("test.glb: "));
  return why.empty();
}

}  // namespace

TEST_CASE("a Draco primitive reads as the plain one") {
  const bool edgebreaker = GENERATE(true, false);
  const Scene plain = read(skinned_sheet());
  const Scene packed = read(packed_sheet({.edgebreaker = edgebreaker, .first_unique_id = 40}));
  CHECK(packed.warnings.empty());
  CHECK(largest_difference(plain, packed) == 0);
  CHECK(packed.parts[0].triangles == 40);
}

TEST_CASE("quantised positions come back within half a step") {
  const int bits = GENERATE(8, 11, 16);
  const Scene plain = read(skinned_sheet()), packed = read(packed_sheet({.position_bits = bits}));
  const double range = 1.6, step = range / (std::pow(2.0, bits) - 1);  // the longest side of the sheet
  const double difference = largest_difference(plain, packed);
  CHECK(difference <= std::sqrt(3.0) * step / 2 + 1e-6);
  CHECK(difference > step / 100);
}

TEST_CASE("weights that Draco quantised are not odd, others are") {
  GltfBuilder b = skinned_sheet();
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(4, 30);
  weights.row(0).setOnes();
  weights.col(6) << 0, 1, 0, 0;              // the first component, too, spans 0 to 1
  weights.col(7) << 0.15, 0.15, 0.35, 0.35;  // of 4095 steps 614, 614, 1433, 1433: one less than all
  Json attributes = b.primitive(0)["attributes"];
  attributes["WEIGHTS_0"] = b.add_accessor(weights);
  b.primitive(0)["attributes"] = attributes;
  SECTION("within half a step each") {
    pack_primitive(b, 0, {.weight_bits = 12});
    const Scene scene = read(b);
    CHECK(scene.warnings.empty());
    CHECK(scene.parts[0].worst_sum == Approx(4094 / 4095.).epsilon(1e-7));
  }
  SECTION("beyond that") {
    weights(0, 7) -= 0.001;
    attributes["WEIGHTS_0"] = b.add_accessor(weights);
    b.primitive(0)["attributes"] = attributes;
    pack_primitive(b, 0, {.weight_bits = 12});
    CHECK(read(b).warnings.size() == 1);
  }
  SECTION("stored exactly") {
    weights(0, 7) -= 1 / 4095.;
    attributes["WEIGHTS_0"] = b.add_accessor(weights);
    b.primitive(0)["attributes"] = attributes;
    pack_primitive(b, 0);
    CHECK(read(b).warnings.size() == 1);
  }
}

TEST_CASE("integer attributes stay what they are") {
  GltfBuilder b = skinned_sheet();
  Eigen::MatrixXd joints = Eigen::MatrixXd::Zero(4, 30), weights = Eigen::MatrixXd::Zero(4, 30);
  joints.row(2).setConstant(255);  // of no weight
  joints.row(3).setOnes();
  weights.row(0) = Eigen::RowVectorXd::LinSpaced(30, 51, 255) / 255;
  weights.row(3) = Eigen::RowVectorXd::Ones(30) - weights.row(0);
  const Component component = GENERATE(Component::u8, Component::u16);
  Json attributes = b.primitive(0)["attributes"];
  attributes["JOINTS_0"] = b.add_accessor(joints, {.component = component});
  attributes["WEIGHTS_0"] = b.add_accessor(weights, {.component = component, .normalized = true});
  b.primitive(0)["attributes"] = attributes;
  const Scene plain = read(b);
  pack_primitive(b, 0, {.edgebreaker = GENERATE(true, false)});
  CHECK(largest_difference(plain, read(b)) == 0);
}

TEST_CASE("what the JSON leaves open is in the stream") {
  GltfBuilder b = packed_sheet();
  const Scene plain = read(skinned_sheet());
  SECTION("no indices") { b.primitive(0).erase("indices"); }
  SECTION("a strip") {
    b.primitive(0)["mode"] = 5;
    b.json["accessors"][b.primitive(0)["indices"].get<int>()]["count"] = 42;
  }
  SECTION("an attribute outside the stream") {
    b = packed_sheet({.edgebreaker = false, .with_fallback = true});
    extension_of(b)["attributes"].erase("WEIGHTS_0");
  }
  CHECK(largest_difference(plain, read(b)) == 0);
}

TEST_CASE("the stream goes before the fallback") {
  GltfBuilder b = packed_sheet({.with_fallback = true});
  const Json& view = b.json["bufferViews"][accessor_of(b, "POSITION")["bufferView"].get<int>()];
  std::fill_n(b.bin.begin() + view["byteOffset"].get<std::ptrdiff_t>(), 360, 0x40);
  CHECK(largest_difference(read(skinned_sheet()), read(b)) == 0);
}

TEST_CASE("primitives may share a stream and its accessors") {
  GltfBuilder b = packed_sheet({.edgebreaker = false, .with_fallback = true});
  Json packed = b.primitive(0), plain = packed;
  plain.erase("extensions");
  b.json["meshes"][0]["primitives"] = {packed, packed, plain};
  const Scene scene = read(b);
  REQUIRE(scene.parts.size() == 3);
  for (const Part& part : scene.parts) {
    CHECK(part.positions == scene.parts[0].positions);
    CHECK(part.weights == scene.parts[0].weights);
    CHECK(part.triangles == 40);
  }
}

TEST_CASE("inspect reads a Draco file") {
  const FileFacts facts = inspect(packed_sheet().document());
  CHECK(facts.vertices == 30);
  CHECK(facts.triangles == 40);
}

TEST_CASE("counts of JSON and stream must agree") {
  GltfBuilder b = packed_sheet();
  SECTION("vertices") {
    for (const char* name : {"POSITION", "JOINTS_0", "WEIGHTS_0"}) accessor_of(b, name)["count"] = 31;
    CHECK(refusal(b) == std::string(place) + ": the stream has 30 points, the accessors 31");
  }
  SECTION("one attribute's") {
    accessor_of(b, "JOINTS_0")["count"] = 29;
    CHECK(refusal(b) == std::string(place) + ".attributes.JOINTS_0: 29 elements for 30 vertices");
  }
  SECTION("triangles") {
    b.json["accessors"][b.primitive(0)["indices"].get<int>()]["count"] = 123;
    CHECK(refusal(b) == std::string(place) + ": the stream has 40 triangles, the indices 41");
  }
  SECTION("corners") {
    b.json["accessors"][b.primitive(0)["indices"].get<int>()]["count"] = 121;
    CHECK(refusal(b).ends_with(": 121 indices of triangles"));
  }
  SECTION("morph targets") {
    b.primitive(0)["targets"] = {{{"POSITION", b.add_accessor(Eigen::MatrixXd::Zero(3, 29))}}};
    CHECK(refusal(b).ends_with("POSITION: 29 elements for 30 vertices"));
  }
}

TEST_CASE("attributes must be in the stream as they are described") {
  GltfBuilder b = packed_sheet();
  SECTION("no such attribute") {
    extension_of(b)["attributes"]["WEIGHTS_0"] = 9;
    CHECK(refusal(b) == std::string(place) + ".attributes.WEIGHTS_0: the stream has no attribute 9");
  }
  SECTION("not one of the primitive's") {
    b.primitive(0)["attributes"].erase("JOINTS_0");
    CHECK(refusal(b) == std::string(place) + ".attributes.JOINTS_0: the primitive has no JOINTS_0");
  }
  SECTION("another width") {
    extension_of(b)["attributes"]["POSITION"] = extension_of(b)["attributes"]["WEIGHTS_0"].get<int>();
    CHECK(refusal(b) ==
          std::string(place) + ".attributes.POSITION: its accessor is VEC3, but the stream has 4 components");
  }
  SECTION("another type") {
    GltfBuilder wide = skinned_sheet();
    Json attributes = wide.primitive(0)["attributes"];
    attributes["JOINTS_0"] =
        wide.add_accessor(Eigen::MatrixXd::Constant(4, 30, 300), {.component = Component::u16});
    wide.primitive(0)["attributes"] = attributes;
    pack_primitive(wide, 0);
    accessor_of(wide, "JOINTS_0")["componentType"] = 5121;
    CHECK(refusal(wide) ==
          std::string(place) +
              ".attributes.JOINTS_0: values that do not fit its accessor's componentType 5121");
  }
  SECTION("a mode that Draco has not") {
    b.primitive(0)["mode"] = 6;
    CHECK(refusal(b) == std::string(place) + ": mode 6, not 4 or 5");
  }
}

TEST_CASE("streams that are no Draco mesh are named") {
  GltfBuilder b = packed_sheet();
  const std::size_t start = stream_start(b);
  SECTION("magic") {
    b.bin[start] = 'd';
    CHECK(refusal(b) == std::string(place) + ": not a Draco stream");
  }
  SECTION("empty") {
    view_of(b)["byteLength"] = 0;
    CHECK(refusal(b) == std::string(place) + ": not a Draco stream");
  }
  SECTION("version") {
    b.bin[start + 6] = 3;
    CHECK(refusal(b) == std::string(place) + ": a Draco stream of version 2.3, not 2.2");
  }
  SECTION("kind") {
    b.bin[start + 7] = 0;
    CHECK(refusal(b) == std::string(place) + ": a Draco stream that is no mesh");
  }
  SECTION("method") {
    b.bin[start + 8] = 7;
    CHECK(refusal(b) == std::string(place) + ": a Draco stream of method 7");
  }
  SECTION("range") {
    view_of(b)["byteLength"] = b.bin.size();
    CHECK(refusal(b).find("of a buffer of " + std::to_string(b.bin.size())) != std::string::npos);
  }
}

TEST_CASE("a Draco stream may not ask for more memory than its length allows") {
  GltfBuilder b = packed_sheet();
  const Json indices = b.primitive(0)["indices"];
  const Bytes header = {'D', 'R', 'A', 'C', 'O', 2, 2, 1};
  Bytes stream = header;
  std::uint64_t points = 0, triangles = 0;
  SECTION("by attributes") {
    // sequential, no metadata, 100 triangles, 300 points, plain indices, 1 decoder of 250 attributes that
    // have 255 floats each
    stream.insert(stream.end(), {0, 0, 0, 100, 0xAC, 0x02, 1});
    stream.insert(stream.end(), 600, 0);
    stream.insert(stream.end(), {1, 0xFA, 0x01});
    for (int k = 0; k < 250; ++k) stream.insert(stream.end(), {0, 9, 255, 0, 0});
    stream.insert(stream.end(), 250, 0);
    points = 300, triangles = 100;
  }
  SECTION("by triangles") {
    // edgebreaker, no metadata, standard traversal, 3 vertices, 2^28 - 1 triangles, no table, no symbols
    stream.insert(stream.end(), {1, 0, 0, 0, 3, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0});
    points = 3, triangles = 0x0FFFFFFF;
  }
  SECTION("by tables of attributes") {
    stream.insert(stream.end(), {1, 0, 0, 0, 3, 0xA0, 0x8D, 0x06, 255, 0, 0});
    points = 3, triangles = 100000;
  }
  stream.resize(stream.size() + 32);
  set_stream(b, stream);
  for (const char* name : {"POSITION", "JOINTS_0", "WEIGHTS_0"}) accessor_of(b, name)["count"] = points;
  b.json["accessors"][indices.get<int>()]["count"] = 3 * triangles;
  CHECK(refusal(b) ==
        std::string(place) + ": its counts ask for more memory than a stream of its length may take");
}

TEST_CASE("Draco streams cut at any length are refused") {
  GltfBuilder b = packed_sheet({.edgebreaker = GENERATE(true, false), .position_bits = GENERATE(0, 11)});
  for (int length = view_of(b)["byteLength"].get<int>() - 1; length >= 0; --length) {
    view_of(b)["byteLength"] = length;
    CHECK_FALSE(reads(b));
  }
}

TEST_CASE("Draco streams of any bytes are read or refused") {
  GltfBuilder sound = packed_sheet({.edgebreaker = GENERATE(true, false), .position_bits = GENERATE(0, 11)});
  const std::size_t start = stream_start(sound), length = view_of(sound)["byteLength"];
  std::mt19937 random{12345};
  for (int round = 0; round < 2000; ++round) {
    GltfBuilder b = sound;
    for (int change = 0; change <= round % 3; ++change)
      b.bin[start + random() % length] = static_cast<std::uint8_t>(random());
    reads(b);
  }
}

}  // namespace pelt
