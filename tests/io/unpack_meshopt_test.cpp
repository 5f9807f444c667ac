#include <meshoptimizer.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "io/inspect.h"
#include "io/quaternion_filter.h"
#include "io/unpack.h"
#include "packing.h"
#include "reading.h"
#include "surface_difference.h"
#include "tests/fixtures.h"

namespace pelt {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

GltfBuilder packed_sheet(const std::string& index_mode = "TRIANGLES",
                         const std::string& extension = "EXT_meshopt_compression") {
  GltfBuilder b = skinned_sheet();
  pack_all_views(b, index_mode, extension);
  add_placeholder(b);
  return b;
}

/// The view of the sheet's positions, as the extension describes it.
Json& position_packing(GltfBuilder& b) {
  const int accessor = b.primitive(0)["attributes"]["POSITION"];
  return b.json["bufferViews"][b.json["accessors"][accessor]["bufferView"].get<int>()]["extensions"]
               ["EXT_meshopt_compression"];
}

std::vector<float> floats_of(const Eigen::MatrixXd& values) {
  return {values.data(), values.data() + values.size()};
}

/// The track of a clip that moves nothing else.
const Track& only_track(const Scene& scene) {
  REQUIRE(scene.clips.size() == 1);
  REQUIRE(scene.clips[0].tracks.size() == 1);
  return scene.clips[0].tracks[0];
}

/// A node whose property is animated by ten keys in the accessor.
void animate(GltfBuilder& b, const std::string& path, int output) {
  const int clip = b.add_animation("It"), node = b.add_node("node");
  b.add_channel(clip, node, path, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, Eigen::MatrixXd::Zero(3, 10));
  b.json["animations"][clip]["samplers"][0]["output"] = output;
}

bool reads(const GltfBuilder& b) {
  const std::string why = refusal(b);
  if (!why.empty()) CHECK(why.starts_with("test.glb: "));
  return why.empty();
}

}  // namespace

TEST_CASE("a file of meshopt views reads as the plain one") {
  const std::string mode = GENERATE("TRIANGLES", "INDICES"),
                    extension = GENERATE("EXT_meshopt_compression", "KHR_meshopt_compression");
  const Scene plain = read(skinned_sheet()), packed = read(packed_sheet(mode, extension));
  CHECK(largest_difference(plain, packed) == 0);
  CHECK(packed.warnings.empty());
  CHECK(packed.parts[0].positions == plain.parts[0].positions);
  CHECK(packed.parts[0].weights == plain.parts[0].weights);
  CHECK(packed.skins[0].joint_from_bind == plain.skins[0].joint_from_bind);
  CHECK(packed.clips[0].tracks[1].times == plain.clips[0].tracks[1].times);
  CHECK(packed.clips[0].tracks[1].values == plain.clips[0].tracks[1].values);
  if (mode == "INDICES") CHECK(packed.triangles == plain.triangles);
}

TEST_CASE("compressed views of 32-bit indices, morph targets and sparse parts are read") {
  GltfBuilder b = skinned_sheet();
  const Eigen::RowVectorXd corners = Eigen::RowVectorXd::LinSpaced(30, 0, 29);
  b.primitive(0)["indices"] = b.add_accessor(corners, {.component = Component::u32});
  const int target = b.add_accessor(Eigen::MatrixXd::Constant(3, 30, 0.5));
  b.primitive(0)["targets"] = {{{"POSITION", target}}};
  const Scene plain = read(b);
  const int index_view = b.json["accessors"][b.primitive(0)["indices"].get<int>()]["bufferView"];
  pack_view(b, index_view, {.mode = GENERATE("TRIANGLES", "INDICES"), .stride = 4});
  pack_view(b, b.json["accessors"][target]["bufferView"], {.stride = 12});
  add_placeholder(b);
  const Scene packed = read(b);
  CHECK(packed.triangles.cols() == 10);
  CHECK(largest_difference(plain, packed) == 0);
  CHECK(packed.parts[0].morphs[0] == plain.parts[0].morphs[0]);

  GltfBuilder sparse = square_file();
  Eigen::Matrix3Xd corner = Eigen::Matrix3Xd::Zero(3, 4);
  corner.col(2) << 1, 2, 3;
  const int morph = sparse.add_accessor(corner, {.sparse_without_view = true});
  sparse.primitive(0)["targets"] = {{{"POSITION", morph}}};
  pack_view(sparse, sparse.json["accessors"][morph]["sparse"]["values"]["bufferView"], {.stride = 12});
  CHECK(read(sparse).parts[0].morphs[0] == corner);
}

TEST_CASE("quaternion filters give the rotations back") {
  const int bits = GENERATE(8, 12, 16);
  Random random;
  Eigen::Matrix4Xd turns(4, 10);
  for (auto turn : turns.colwise()) turn << random.vector(), random.uniform(-1, 1);
  turns.colwise().normalize();
  const std::vector<float> values = floats_of(turns);
  Bytes elements(80);
  meshopt_encodeFilterQuat(elements.data(), 10, 8, bits, values.data());
  GltfBuilder b;
  animate(b, "rotation",
          add_filtered(b, elements, {.stride = 8, .filter = "QUATERNION"},
                       {{"componentType", 5122}, {"normalized", true}, {"type", "VEC4"}}));
  const Track track = only_track(read(b));
  for (Eigen::Index k = 0; k < 10;
       ++k) {  // a component is off by half a step of its bits, scaled by sqrt(1/2)
    const double cosine = std::abs(track.values.col(k).dot(turns.col(k)));
    CHECK(2 * std::acos(std::min(cosine, 1.0)) < 4 / std::pow(2.0, bits) + 1e-4);
  }
}

TEST_CASE("quaternion filters round to the nearest integer") {
  // Stored components, and the place of the one left out beside 2047, which stands for 1. Calculated by hand
  // with ten digits, and as the decoder of three.js has them: 7843.991, -430.118, 5002.949, 31415.4993 and,
  // at place 2, 6881.885, 1267.716, 28128.546, 15280.5015. Decoders that square after they scaled give 31416
  // and 15280.
  std::vector<std::int16_t> stored{693, -38, 442, 2047, 1350, 608, 112, 2046, 2047, 2047, 2047, 3};
  Bytes elements(24);
  std::memcpy(elements.data(), stored.data(), 24);
  undo_quaternion_filter(elements);
  std::memcpy(stored.data(), elements.data(), 24);
  CHECK(std::vector(stored.begin(), stored.begin() + 8) ==
        std::vector<std::int16_t>{7844, -430, 5003, 31415, 6882, 1268, 28129, 15281});
  // Numbers beyond 1 are no rotation; they stay within the type.
  CHECK(std::vector(stored.begin() + 8, stored.end()) == std::vector<std::int16_t>{32767, 32767, 32767, 0});
}

TEST_CASE("exponential filters give the numbers back") {
  const int bits = GENERATE(10, 15, 24);
  Random random;
  Eigen::Matrix3Xd places(3, 10);
  for (auto place : places.colwise()) place = random.vector(5);
  const std::vector<float> values = floats_of(places);
  Bytes elements(120);
  meshopt_encodeFilterExp(elements.data(), 10, 12, bits, values.data());
  GltfBuilder b;
  animate(b, "translation",
          add_filtered(b, elements, {.stride = 12, .filter = "EXPONENTIAL"},
                       {{"componentType", 5126}, {"type", "VEC3"}}));
  const Track track = only_track(read(b));
  for (Eigen::Index k = 0; k < 10; ++k) {
    const double step = 2 * places.col(k).cwiseAbs().maxCoeff() / std::pow(2.0, bits - 1);
    CHECK((track.values.col(k) - places.col(k)).cwiseAbs().maxCoeff() <= step + 1e-6);
  }
}

TEST_CASE("weights that a filter rounded are not odd, others are") {
  Eigen::MatrixXd weights(4, 30);
  weights.colwise() = Eigen::Vector4d(0.1, 0.1, 0.1, 0.7);  // of 2048 steps 205, 205, 205, 1434: one too many
  const double off = GENERATE(0, 0.001);
  weights.row(3).array() += off;
  const std::vector<float> values = floats_of(weights);
  Bytes elements(480);
  meshopt_encodeFilterExp(elements.data(), 30, 16, 12, values.data());
  GltfBuilder b = skinned_sheet();
  b.primitive(0)["attributes"]["WEIGHTS_0"] = add_filtered(
      b, elements, {.stride = 16, .filter = "EXPONENTIAL"}, {{"componentType", 5126}, {"type", "VEC4"}});
  const Scene scene = read(b);
  CHECK(scene.warnings.size() == (off > 0 ? 1 : 0));
  CHECK(scene.parts[0].worst_sum > 1 + 1 / 2100.);
}

TEST_CASE("octahedral filters give unit vectors back") {
  const int stride = GENERATE(4, 8);
  Random random;
  Eigen::Matrix4Xd vectors = Eigen::Matrix4Xd::Zero(4, 12);
  for (auto vector : vectors.colwise()) vector.head<3>() = random.vector().normalized();
  const std::vector<float> values = floats_of(vectors);
  Bytes elements(12 * stride);
  meshopt_encodeFilterOct(elements.data(), 12, stride, stride == 4 ? 8 : 12, values.data());
  GltfBuilder b;
  const int accessor =
      add_filtered(b, elements, {.stride = stride, .filter = "OCTAHEDRAL"},
                   {{"componentType", stride == 4 ? 5120 : 5122}, {"normalized", true}, {"type", "VEC3"}});
  b.add_node("ball", -1, {{"mesh", b.add_mesh({{"POSITION", accessor}})}});
  const Eigen::Matrix3Xd read_back = read(b).parts[0].positions;
  CHECK(largest_distance(read_back, vectors.topRows<3>()) < (stride == 4 ? 0.03 : 0.002));
}

TEST_CASE("compressed data goes before the fallback") {
  GltfBuilder b = skinned_sheet();
  pack_all_views(b);  // the views stay in the buffer with the data, over bytes that are not theirs
  b.json["extensionsUsed"] = {"EXT_meshopt_compression"};
  CHECK(largest_difference(read(skinned_sheet()), read(b)) == 0);
}

TEST_CASE("a placeholder is not taken for the BIN chunk") {
  GltfBuilder b = skinned_sheet();
  pack_all_views(b);
  add_placeholder(b);
  Json swapped = Json::array({b.json["buffers"][1], b.json["buffers"][0]});
  b.json["buffers"] = swapped;
  for (Json& view : b.json["bufferViews"]) {
    view["buffer"] = 0;
    if (view.contains("extensions")) view["extensions"]["EXT_meshopt_compression"]["buffer"] = 1;
  }
  CHECK(refusal(b) == "test.glb: buffers[1]: neither a uri nor a BIN chunk");
  GltfBuilder plain = square_file();
  plain.json["buffers"][0]["extensions"]["EXT_meshopt_compression"] = {{"fallback", true}};
  CHECK(refusal(plain) == "test.glb: buffers[0]: neither a uri nor a BIN chunk");
}

TEST_CASE("a view that no reader looks at may be packed in any way") {
  GltfBuilder b = skinned_sheet();
  pack_all_views(b);
  const int colours = b.add_view(Bytes(120, 7), 4);
  b.json["bufferViews"][colours]["extensions"]["KHR_meshopt_compression"] = {
      {"buffer", 0}, {"byteLength", 4},      {"byteStride", 4},
      {"count", 30}, {"mode", "ATTRIBUTES"}, {"filter", "COLOR"}};
  b.json["accessors"].push_back(
      {{"bufferView", colours}, {"componentType", 5121}, {"count", 30}, {"type", "VEC4"}});
  b.primitive(0)["attributes"]["COLOR_0"] = b.json["accessors"].size() - 1;
  add_placeholder(b);
  b.json["extensionsRequired"] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
  CHECK(reads(b));
}

TEST_CASE("inspect sees key times that are packed") {
  GltfBuilder b = packed_sheet();
  const FileFacts facts = inspect(b.document());
  CHECK(facts.clips[0].timed);
  CHECK(facts.clips[0].end == 1);
}

TEST_CASE("a plain file is not copied") {
  CHECK_FALSE(unpacked(skinned_sheet().document()));
  CHECK(unpacked(packed_sheet().document()));
}

TEST_CASE("what a packed view claims is checked") {
  GltfBuilder b = packed_sheet();
  Json& own = position_packing(b);
  const std::string length = own["byteLength"].dump();
  const auto says = [&](const std::string& what) {
    INFO(refusal(b));
    return refusal(b).starts_with("test.glb: bufferViews[") &&
           refusal(b).ends_with(".extensions.EXT_meshopt_compression: " + what);
  };
  SECTION("mode") {
    own["mode"] = "COLOURS";
    CHECK(says("'COLOURS' is not a mode"));
  }
  SECTION("stride") {
    own["byteStride"] = 6;
    CHECK(says("ATTRIBUTES with a byteStride of 6"));
    own["byteStride"] = 260;
    CHECK(says("ATTRIBUTES with a byteStride of 260"));
  }
  SECTION("no stride") {
    own["byteStride"] = 0;
    CHECK(says("ATTRIBUTES with a byteStride of 0"));
  }
  SECTION("stride of indices") {
    own["mode"] = "INDICES";
    CHECK(says("INDICES with a byteStride of 12"));
  }
  SECTION("filter") {
    own["filter"] = "SOBEL";
    CHECK(says("'SOBEL' is not a filter"));
    own["filter"] = "COLOR";
    CHECK(says("filter COLOR is not supported"));
    own["filter"] = "QUATERNION";
    CHECK(says("QUATERNION with a byteStride of 12"));
    own["filter"] = "OCTAHEDRAL";
    CHECK(says("OCTAHEDRAL with a byteStride of 12"));
  }
  SECTION("count") {
    own["count"] = 31;
    CHECK(says("31 elements of 12 bytes for a view of 360"));
    own["count"] = std::uint64_t{1} << 52;
    CHECK(says("4503599627370496 elements of 12 bytes for a view of 360"));
  }
  SECTION("range") {
    own["byteOffset"] = b.bin.size();
    CHECK(says("bytes " + std::to_string(b.bin.size()) + " to " +
               std::to_string(b.bin.size() + std::stoul(length)) + " of a buffer of " +
               std::to_string(b.bin.size())));
  }
  SECTION("newer streams") {
    b.bin[own["byteOffset"].get<std::size_t>()] = 0xA1;
    CHECK(says("a vertex stream of version 1 is not supported, only version 0"));
  }
  SECTION("broken streams") {
    b.bin[own["byteOffset"].get<std::size_t>()] = 0;
    CHECK(says("its stream of " + length + " bytes is broken"));
  }
  SECTION("a buffer that is not there") {
    own["buffer"] = 7;
    CHECK(refusal(b).ends_with(".buffer: 7, but there are 2 buffers"));
  }
}

TEST_CASE("triangles and filters are packed as the extension allows") {
  GltfBuilder b = packed_sheet();
  Json& own = b.json["bufferViews"][b.json["accessors"][b.primitive(0)["indices"].get<int>()]["bufferView"]
                                        .get<int>()]["extensions"]["EXT_meshopt_compression"];
  own["filter"] = "EXPONENTIAL";
  CHECK(refusal(b).ends_with(": TRIANGLES with filter EXPONENTIAL"));
  own.erase("filter");
  own["count"] = 100;
  CHECK(refusal(b).ends_with(": triangles of 100 indices"));
}

TEST_CASE("a packed view may not claim more than its bytes can hold") {
  GltfBuilder b = packed_sheet();
  const int accessor = b.primitive(0)["attributes"]["POSITION"];
  Json& view = b.json["bufferViews"][b.json["accessors"][accessor]["bufferView"].get<int>()];
  const std::uint64_t count = GENERATE(std::uint64_t{1} << 20, std::uint64_t{1} << 40);
  position_packing(b)["count"] = count;
  view["byteLength"] = 12 * count;
  b.json["buffers"][1]["byteLength"] = 12 * count;
  CHECK(refusal(b).ends_with(" bytes cannot hold " + std::to_string(12 * count)));
}

TEST_CASE("views that share a stream may not outgrow the file together") {
  GltfBuilder b;
  const Bytes zeros(std::size_t{1} << 20, 0);
  const int view = b.add_view(zeros, 4);
  b.bin.clear();  // the stream alone
  Bytes stream(meshopt_encodeVertexBufferBound(zeros.size() / 4, 4));
  stream.resize(meshopt_encodeVertexBuffer(stream.data(), stream.size(), zeros.data(), zeros.size() / 4, 4));
  b.bin = stream;
  b.json["buffers"][0]["byteLength"] = stream.size();
  Json& own = b.json["bufferViews"][view];
  own["extensions"]["EXT_meshopt_compression"] = {{"buffer", 0},
                                                  {"byteLength", stream.size()},
                                                  {"byteStride", 4},
                                                  {"count", zeros.size() / 4},
                                                  {"mode", "ATTRIBUTES"}};
  const int clip = b.add_animation("It");
  for (int k = 0; k < 70; ++k) {
    if (k > 0) b.json["bufferViews"].push_back(Json(b.json["bufferViews"][0]));
    b.json["accessors"].push_back(
        {{"bufferView", k}, {"componentType", 5126}, {"count", 8}, {"type", "SCALAR"}});
    b.json["animations"][clip]["samplers"].push_back({{"input", k}, {"output", k}});
  }
  CHECK(refusal(b).ends_with(": unpacks to 1048576 bytes, more than a file of its size may"));
}

TEST_CASE("packed streams cut at any length are refused") {
  const GltfBuilder sound = packed_sheet(GENERATE("TRIANGLES", "INDICES"));
  for (std::size_t v = 0; v < sound.json["bufferViews"].size(); ++v) {
    if (!sound.json["bufferViews"][v].contains("extensions")) continue;
    GltfBuilder b = sound;
    Json& own = b.json["bufferViews"][v]["extensions"]["EXT_meshopt_compression"];
    for (int length = own["byteLength"].get<int>() - 1; length >= 0; --length) {
      own["byteLength"] = length;
      const bool unused = refusal(b).empty() && v < 5;  // views of the strip that the sheet replaced
      if (!unused) CHECK_FALSE(reads(b));
    }
  }
}

TEST_CASE("packed streams of any bytes are read or refused") {
  const GltfBuilder sound = packed_sheet(GENERATE("TRIANGLES", "INDICES"));
  const std::size_t first = skinned_sheet().bin.size();
  std::mt19937 random{12345};
  for (int round = 0; round < 2000; ++round) {
    GltfBuilder b = sound;
    for (int change = 0; change <= round % 3; ++change)
      b.bin[first + random() % (b.bin.size() - first)] = static_cast<std::uint8_t>(random());
    reads(b);
  }
}

}  // namespace pelt
