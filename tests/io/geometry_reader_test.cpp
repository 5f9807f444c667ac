#include <catch2/catch.hpp>

#include "io/gltf_json.h"
#include "reading.h"

namespace pelt {
using namespace test;
using Json = nlohmann::ordered_json;

TEST_CASE("component types are decoded as the specification says") {
  const auto component = GENERATE(Component::i8, Component::u8, Component::i16, Component::u16);
  const bool normalized = GENERATE(false, true);
  const int stride = GENERATE(0, 12);
  CAPTURE(static_cast<int>(component), normalized, stride);
  const Scene scene = read(square_file({.component = component, .normalized = normalized, .stride = stride}));
  CHECK(scene.parts[0].positions == square());
}

TEST_CASE("normalised integers have the divisors of the specification and the smallest clamps to -1") {
  GltfBuilder b;
  const int position = b.add_accessor(Eigen::Vector3d(-128, 64, 127), {.component = Component::i8});
  b.json["accessors"][position]["normalized"] = true;
  const int fine = b.add_accessor(Eigen::Vector3d(51, 255, 0), {.component = Component::u8});
  b.json["accessors"][fine]["normalized"] = true;
  for (const int accessor : {position, fine})
    b.add_node("", -1, {{"mesh", b.add_mesh({{"POSITION", accessor}}, {0, 0, 0})}});
  const Scene scene = read(b);
  CHECK(scene.parts[0].positions.col(0) == Eigen::Vector3d(-1, 64 / 127.0, 1));
  CHECK(scene.parts[1].positions.col(0) == Eigen::Vector3d(0.2, 1, 0));
}

TEST_CASE("KhronosGroup/glTF-Sample-Viewer #441: sparse accessors replace elements of a view or of zeros") {
  CHECK(read(square_file({.sparse_without_view = true})).parts[0].positions == square());

  GltfBuilder b = square_file();
  Eigen::Matrix3Xd moved = Eigen::Matrix3Xd::Zero(3, 4);
  moved.col(2) << 7, 8, 9;
  const int donor = b.add_accessor(moved, {.sparse_without_view = true});
  b.json["accessors"][0]["sparse"] = Json(b.json["accessors"][donor]["sparse"]);
  const Eigen::Matrix3Xd positions = read(b).parts[0].positions;
  CHECK(positions.col(2) == Eigen::Vector3d(7, 8, 9));
  CHECK(positions.col(1) == square().col(1));
  b.json["accessors"][0]["sparse"]["count"] = 5;
  CHECK(refusal(b).find("accessors[0].sparse.count: 5 of 4") != std::string::npos);
}

TEST_CASE("godotengine/godot PR #76875, syoyo/tinygltf #280: an accessor without a view is zero") {
  GltfBuilder b = square_file();
  b.json["accessors"][0].erase("bufferView");
  CHECK(read(b).parts[0].positions.isZero(0));
}

TEST_CASE("strips and fans become triangles that face one way") {
  GltfBuilder b;
  const int position = b.add_accessor(Eigen::Matrix3Xd::Random(3, 5));
  const int mode = GENERATE(4, 5, 6);
  const bool indexed = GENERATE(false, true);
  const int mesh =
      b.add_mesh({{"POSITION", position}}, indexed ? std::vector<int>{4, 3, 2, 1, 0} : std::vector<int>());
  b.primitive(mesh)["mode"] = mode;
  b.add_node("", -1, {{"mesh", mesh}});
  Eigen::Matrix3Xi wanted(3, mode == 4 ? 1 : 3);
  if (mode == 4) wanted << 0, 1, 2;
  if (mode == 5) wanted << 0, 1, 2, 1, 3, 3, 2, 2, 4;
  if (mode == 6) wanted << 1, 2, 3, 2, 3, 4, 0, 0, 0;
  if (indexed) wanted = 4 - wanted.array();
  CHECK(read(b).triangles == wanted);
}

TEST_CASE("points and lines and primitives without positions are no parts") {
  GltfBuilder b = square_file();
  SECTION("lines") { b.primitive(0)["mode"] = 1; }
  SECTION("no positions") { b.primitive(0)["attributes"] = Json::object(); }
  CHECK(read(b).parts.empty());
}

TEST_CASE("parts follow nodes and primitives and count on") {
  GltfBuilder b = square_file();
  b.json["meshes"][0]["primitives"].push_back(Json(b.primitive(0)));
  b.add_node("again", -1, {{"mesh", 0}});
  const Scene scene = read(b);
  REQUIRE(scene.parts.size() == 4);
  CHECK(scene.parts[3].node == 1);
  CHECK(scene.parts[3].primitive == 1);
  CHECK(scene.parts[3].first_vertex == 12);
  CHECK(scene.parts[3].first_triangle == 6);
  CHECK(scene.triangles.col(7) == Eigen::Vector3i(12, 14, 15));
}

TEST_CASE("sparse accessors may be quantised and have indices of any unsigned type") {
  GltfBuilder b = square_file();
  const int position = b.add_accessor(
      square(), {.component = Component::i16, .normalized = true, .sparse_without_view = true});
  const Component component = GENERATE(Component::u8, Component::u16, Component::u32);
  const int columns = b.add_accessor(Eigen::RowVector3d(1, 2, 3), {.component = component});
  Json& indices = b.json["accessors"][position]["sparse"]["indices"];
  indices["bufferView"] = b.json["accessors"][columns]["bufferView"].get<int>();
  indices["componentType"] = static_cast<int>(component);
  b.primitive(0)["attributes"]["POSITION"] = position;
  CHECK(read(b).parts[0].positions == square());
}

TEST_CASE("attributes may be interleaved in one view") {
  GltfBuilder b = two_joint_strip();
  Json& attributes = b.primitive(0)["attributes"];
  std::vector<std::uint8_t> bytes(4 * 32);  // POSITION at 0, JOINTS_0 at 12, WEIGHTS_0 at 16 of 32
  const auto lay = [&](const char* name, std::size_t offset, std::size_t size) {
    Json& accessor = b.json["accessors"][attributes[name].get<int>()];
    const std::size_t start = b.json["bufferViews"][accessor["bufferView"].get<int>()]["byteOffset"];
    for (std::size_t v = 0; v < 4; ++v)
      std::copy_n(b.bin.begin() + start + v * size, size, bytes.begin() + v * 32 + offset);
    accessor["byteOffset"] = offset;
    accessor["bufferView"] = b.json["bufferViews"].size();
  };
  const Scene apart = read(b);
  lay("POSITION", 0, 12), lay("JOINTS_0", 12, 4), lay("WEIGHTS_0", 16, 16);
  b.add_view(bytes, 32);
  const Scene scene = read(b);
  CHECK(scene.parts[0].positions == apart.parts[0].positions);
  CHECK(scene.parts[0].joints == apart.parts[0].joints);
  CHECK(scene.parts[0].weights == apart.parts[0].weights);
}

TEST_CASE("indices may be of any unsigned type") {
  GltfBuilder b = square_file();
  const Component component = GENERATE(Component::u8, Component::u16, Component::u32);
  const int indices = b.add_accessor(Eigen::RowVector3d(3, 1, 2), {.component = component});
  b.primitive(0)["indices"] = indices;
  CHECK(read(b).triangles == Eigen::Vector3i(3, 1, 2));
}

TEST_CASE("indices must name vertices") {
  GltfBuilder b = square_file();
  b.primitive(0)["indices"] = b.add_accessor(Eigen::RowVector3d(0, 1, 4), {.component = Component::u8});
  CHECK(refusal(b) == "test.glb: meshes[0].primitives[0].indices: index 4 at 2, but there are 4 vertices");
}

TEST_CASE("positions that no triangle uses may be anything") {
  Eigen::Matrix3Xd corners = square();
  corners(1, 3) = std::nan("");
  GltfBuilder b;
  const int position = b.add_accessor(corners);
  const int used = GENERATE(2, 3);
  b.add_node("", -1, {{"mesh", b.add_mesh({{"POSITION", position}}, {0, 1, used})}});
  if (used == 3)
    CHECK(refusal(b).find("primitives[0].attributes.POSITION, vertex 3: ") != std::string::npos);
  else
    CHECK(read(b).parts[0].positions.col(3) == Eigen::Vector3d::Zero());
}

TEST_CASE("attributes must have their type") {
  GltfBuilder b = two_joint_strip();
  b.primitive(0)["attributes"]["POSITION"] = b.primitive(0)["attributes"]["WEIGHTS_0"].get<int>();
  CHECK(refusal(b).find("is VEC4 where VEC3 is needed") != std::string::npos);
}

TEST_CASE("morph targets and their weights are read") {
  GltfBuilder b = square_file();
  const int displacement = b.add_accessor(Eigen::Matrix3Xd::Constant(3, 4, 2));
  b.primitive(0)["targets"] = Json::array({{{"POSITION", displacement}}, {{"NORMAL", displacement}}});
  CHECK(read(b).parts[0].morph_weights == Eigen::Vector2d(0, 0));
  b.json["meshes"][0]["weights"] = {0.25, 0.5};
  const Part part = read(b).parts[0];
  REQUIRE(part.morphs.size() == 2);
  CHECK(part.morphs[0] == Eigen::Matrix3Xd::Constant(3, 4, 2));
  CHECK(part.morphs[1].isZero(0));
  CHECK(part.morph_weights == Eigen::Vector2d(0.25, 0.5));
  b.json["nodes"][0]["weights"] = {1, 0};
  CHECK(read(b).parts[0].morph_weights == Eigen::Vector2d(1, 0));

  b.add_channel(b.add_animation("Morph"), 0, "weights", {0, 1, 2},
                (Eigen::MatrixXd(2, 3) << 1, 2, 3, 4, 5, 6).finished());
  const Track track = read(b).clips[0].tracks[0];
  CHECK(track.values == (Eigen::MatrixXd(2, 3) << 1, 2, 3, 4, 5, 6).finished());

  const int quantised = b.add_accessor(Eigen::Matrix3Xd::Constant(3, 4, -1),
                                       {.component = Component::i8, .normalized = true, .stride = 4});
  b.primitive(0)["targets"][0]["POSITION"] = quantised;
  CHECK(read(b).parts[0].morphs[0] == Eigen::Matrix3Xd::Constant(3, 4, -1));

  b.primitive(0)["targets"][1]["POSITION"] = b.add_accessor(Eigen::Matrix3Xd::Zero(3, 5));
  CHECK(refusal(b) == "test.glb: meshes[0].primitives[0].targets[1].POSITION: 5 elements for 4 vertices");
}

TEST_CASE("views and strides must hold what accessors read") {
  GltfBuilder b = square_file();
  SECTION("beyond the view") {
    b.json["accessors"][0]["byteOffset"] = 1;
    CHECK(refusal(b) == "test.glb: bufferViews[0]: 48 bytes long, but an accessor reads up to byte 49");
  }
  SECTION("beyond the buffer") {
    b.json["bufferViews"][1]["byteLength"] = 13;
    CHECK(refusal(b) == "test.glb: bufferViews[1]: bytes 48 to 61 of a buffer of 60");
  }
  SECTION("a stride shorter than an element") {
    b.json["bufferViews"][0]["byteStride"] = 8;
    CHECK(refusal(b) == "test.glb: bufferViews[0].byteStride: 8 is less than an element of 12 bytes");
  }
  SECTION("a stride that no file may have") {
    b.json["bufferViews"][0]["byteStride"] = GENERATE(6, 256);
    CHECK(refusal(b).find("is no multiple of 4 up to 252") != std::string::npos);
  }
  SECTION("a stride of zero is none") {
    b.json["bufferViews"][0]["byteStride"] = 0;
    CHECK(refusal(b).empty());
  }
  SECTION("an unaligned offset is no harm") {
    b.bin.insert(b.bin.begin(), 0);
    b.json["buffers"][0]["byteLength"] = 61;
    b.json["bufferViews"][0]["byteOffset"] = 1;
    b.json["bufferViews"][1]["byteOffset"] = 49;
    CHECK(read(b).parts[0].positions == square());
  }
  SECTION("an unknown component type") {
    b.json["accessors"][0]["componentType"] = 5124;
    CHECK(refusal(b) == "test.glb: accessors[0].componentType: 5124 is not a type of glTF");
  }
}

TEST_CASE("accessors must be of a kind that glTF has and their user needs") {
  GltfBuilder b = two_joint_strip();
  const int morph = b.add_accessor(square(), {.sparse_without_view = true});
  b.primitive(0)["targets"] = Json::array({{{"POSITION", morph}}});
  const auto by_name = [&](const char* name) { return b.primitive(0)["attributes"][name].get<int>(); };
  SECTION("a type") {
    b.json["accessors"][morph]["type"] = "VEC5";
    CHECK(refusal(b) == "test.glb: " + at("accessors", morph) + ".type: 'VEC5' is not a type of glTF");
  }
  SECTION("sparse indices") {
    b.json["accessors"][morph]["sparse"]["indices"]["componentType"] = 5122;
    CHECK(refusal(b) == "test.glb: " + at("accessors", morph) +
                            ".sparse.indices.componentType: 5122 is no unsigned integer");
  }
  SECTION("key times") {
    b.json["animations"][0]["samplers"][0]["input"] =
        b.add_accessor(Eigen::RowVector2d(0, 1), {.component = Component::u8});
    CHECK(refusal(b).find("has componentType 5121 where floats (5126) are needed") != std::string::npos);
  }
  SECTION("a view of a buffer without data") {
    b.json["buffers"].push_back({{"byteLength", 48}});
    const int view = b.json["accessors"][by_name("POSITION")]["bufferView"];
    b.json["bufferViews"][view]["buffer"] = 1;
    b.json["bufferViews"][view]["byteOffset"] = 0;
    CHECK(refusal(b) == "test.glb: buffers[1]: neither a uri nor a BIN chunk");
  }
}

}  // namespace pelt
