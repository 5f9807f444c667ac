#include <catch2/catch.hpp>
#include <fstream>

#include "reading.h"
#include "tests/temp_folder.h"

namespace pelt {
using namespace test;
using Json = nlohmann::ordered_json;

TEST_CASE("a skinned strip is read as it was built") {
  const Scene scene = read(two_joint_strip());
  REQUIRE(scene.nodes.size() == 3);
  CHECK(scene.nodes[1].name == "tip");
  CHECK(scene.nodes[1].parent == 0);
  CHECK(scene.nodes[1].trs.translation == Eigen::Vector3d(0, 1, 0));
  CHECK(scene.nodes[2].mesh == 0);
  CHECK(scene.nodes[2].skin == 0);
  REQUIRE(scene.skins.size() == 1);
  CHECK(scene.skins[0].joints == std::vector<int>{0, 1});
  CHECK(scene.skins[0].joint_from_bind[1](1, 3) == -1);
  REQUIRE(scene.parts.size() == 1);
  const Part& part = scene.parts[0];
  CHECK(part.node == 2);
  CHECK(part.positions == square());
  CHECK(part.influences == 4);
  CHECK(part.joints.row(0) == Eigen::RowVector4i(0, 0, 1, 1));
  CHECK(part.weights.row(0) == Eigen::RowVector4d::Ones());
  CHECK(scene.vertices() == 4);
  CHECK(scene.triangles.col(1) == Eigen::Vector3i(0, 2, 3));
  REQUIRE(scene.clips.size() == 1);
  CHECK(scene.clips[0].name == "Bend");
  CHECK(scene.clips[0].end == 1);
  REQUIRE(scene.clips[0].tracks.size() == 1);
  CHECK(scene.clips[0].tracks[0].values(2, 1) == Approx(std::sqrt(0.5)));
  CHECK(scene.warnings.empty());
}

TEST_CASE("a .gltf reads as a .glb does with its buffer inside or beside it") {
  const GltfBuilder b = two_joint_strip();
  const std::string embedded = b.gltf();
  const Scene inside = read_scene(parse_document({embedded.begin(), embedded.end()}, "x.gltf"));
  CHECK(inside.parts[0].positions == square());

  const auto folder = std::filesystem::temp_directory_path() / "pelt_reader_test_external";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "my data.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(b.bin.data()), static_cast<std::streamsize>(b.bin.size()));
  GltfBuilder beside = b;
  beside.json["buffers"][0]["uri"] = "my%20data.bin";
  const std::string text = beside.json.dump();
  CHECK(read_scene(parse_document({text.begin(), text.end()}, folder / "x.gltf")).parts[0].positions ==
        square());
  std::filesystem::remove_all(folder);
  CHECK_THROWS_AS(read_scene(parse_document({text.begin(), text.end()}, folder / "x.gltf")), ReadError);
}

TEST_CASE("external buffers lie where their percent-encoded relative paths lead") {
  const TempFolder folder;
  const GltfBuilder b = two_joint_strip();
  const auto [uri, path] =
      GENERATE(table<std::string, std::string>({{"data.bin", "a/data.bin"},
                                                {"./data.bin", "a/data.bin"},
                                                {"sub/deep/data.bin", "a/sub/deep/data.bin"},
                                                {"../b/data.bin", "b/data.bin"},
                                                {"..%2Fb%2Fdata.bin", "b/data.bin"},
                                                {"w%C3%B6lf%20%231.bin", "a/w\xC3\xB6lf #1.bin"},
                                                {"w\xC3\xB6lf 1.bin", "a/w\xC3\xB6lf 1.bin"},
                                                {"100%.bin", "a/100%.bin"}}));
  std::filesystem::create_directories((folder / "a"));
  std::filesystem::create_directories((folder / path).parent_path());
  write_bytes(folder / path, b.bin);
  GltfBuilder beside = b;
  beside.json["buffers"][0]["uri"] = uri;
  const std::string text = beside.json.dump();
  CHECK(read_scene(parse_document({text.begin(), text.end()}, folder / "a/x.gltf")).parts[0].positions ==
        square());
}

TEST_CASE("data URIs may have any media type or none and must be base64") {
  GltfBuilder b = two_joint_strip();
  const std::string embedded = Json::parse(b.gltf())["buffers"][0]["uri"];
  const std::string data = embedded.substr(embedded.find(',') + 1);
  const auto with = [&](const std::string& uri) {
    b.json["buffers"][0]["uri"] = uri;
    return refusal(b);
  };
  for (const char* type : {"application/octet-stream", "application/gltf-buffer", "model/x-unheard-of", "",
                           "text/plain;charset=US-ASCII", "application/octet-stream;name=a.bin"})
    CHECK(with("data:" + std::string(type) + ";base64," + data) == "");
  std::string escaped;
  for (const char c : data)
    escaped += c == '=' ? "%3D" : c == '/' ? "%2F" : c == '+' ? "%2B" : std::string(1, c);
  CHECK(with("data:;base64," + escaped) == "");
  const std::string place = "test.glb: buffers[0]: ";
  CHECK(with("data:application/octet-stream," + data) == place + "a data URI that is not base64");
  CHECK(with("data:;base64") == place + "a data URI that is not base64");
  CHECK(with("data:;base64,") == place + "a data URI without data");
  CHECK(with("data:;base64," + data.substr(0, 8)).starts_with(place + "byteLength is "));
}

TEST_CASE("a file may have several buffers of several kinds") {
  const TempFolder folder;
  GltfBuilder b = two_joint_strip();
  write_bytes(folder / "copy.bin", b.bin);
  const Json embedded = Json::parse(b.gltf())["buffers"][0];
  b.json["buffers"].push_back(embedded);
  b.json["buffers"].push_back({{"byteLength", b.bin.size()}, {"uri", "copy.bin"}});
  for (std::size_t view = 0; view < b.json["bufferViews"].size(); ++view)
    b.json["bufferViews"][view]["buffer"] = view % 3;
  const Scene scene = read_scene(b.document(folder / "x.glb")), single = read(two_joint_strip());
  CHECK(scene.parts[0].positions == square());
  CHECK(scene.parts[0].weights == single.parts[0].weights);
  CHECK(scene.skins[0].joint_from_bind == single.skins[0].joint_from_bind);
  CHECK(scene.clips[0].tracks[0].values == single.clips[0].tracks[0].values);
}

TEST_CASE("parts that pelt does not read cannot spoil a file") {
  GltfBuilder b = two_joint_strip();
  b.json["images"] = {{{"uri", "missing.png"}}, {{"bufferView", 999}}, 5};
  b.json["materials"] = "none";
  b.json["buffers"].push_back({{"byteLength", 10}, {"uri", "missing.bin"}});
  b.json["bufferViews"].push_back({{"buffer", 1}, {"byteLength", 10}});
  b.json["skins"][0]["skeleton"] = 999;
  CHECK(refusal(b).empty());
  b.json["accessors"][0]["bufferView"] = b.json["bufferViews"].size() - 1;
  CHECK(refusal(b).find("buffers[1]") != std::string::npos);
}

TEST_CASE("only what the default scene reaches is drawn") {
  GltfBuilder b = square_file();
  b.add_node("child", 0, {{"mesh", 0}});
  b.add_node("elsewhere", -1, {{"mesh", 0}});
  b.json["scenes"] = {{{"nodes", {2}}}, {{"nodes", {0}}}};
  SECTION("the named scene") {
    b.json["scene"] = 1;
    const Scene scene = read(b);
    CHECK(scene.parts.size() == 2);
    CHECK(scene.nodes[1].in_scene);
    CHECK_FALSE(scene.nodes[2].in_scene);
  }
  SECTION("the first where none is named") {
    b.json.erase("scene");
    CHECK(read(b).parts.size() == 1);
  }
  SECTION("everything where there are no scenes") {
    b.json.erase("scene");
    b.json.erase("scenes");
    CHECK(read(b).parts.size() == 3);
  }
}

TEST_CASE("the node tree is checked") {
  GltfBuilder b = two_joint_strip();
  SECTION("two parents") {
    b.json["nodes"][2]["children"] = {1};
    CHECK(refusal(b) == "test.glb: nodes[2].children: nodes[1] is a child of nodes[0] already");
  }
  SECTION("twice a child") {
    b.json["nodes"][0]["children"] = {1, 1};
    CHECK_FALSE(refusal(b).empty());
  }
  SECTION("a cycle") {
    b.json["nodes"][1]["children"] = {0};
    CHECK(refusal(b).find("cycle") != std::string::npos);
  }
  SECTION("its own child") {
    b.json["nodes"][2]["children"] = {2};
    CHECK(refusal(b).find("cycle") != std::string::npos);
  }
  SECTION("parents come first") {
    b.json["nodes"][2]["children"] = {0};
    b.json["scenes"][0]["nodes"] = {2};
    CHECK(read(b).parents_first == std::vector<int>{2, 0, 1});
  }
}

TEST_CASE("transforms of nodes are read and made proper") {
  GltfBuilder b;
  b.add_node("trs", -1, {{"translation", {1, 2, 3}}, {"rotation", {0, 0, 0.6, 0.8}}, {"scale", {1, -2, 3}}});
  b.add_node("long", -1, {{"rotation", {0, 0, 1.2, 1.6}}});
  b.add_node("matrix", -1, {{"matrix", {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 10, 0, 11, 12, 13, 1}}});
  const Scene scene = read(b);
  CHECK(scene.nodes[0].trs.scale == Eigen::Vector3d(1, -2, 3));
  CHECK(scene.nodes[0].trs.rotation.w() == Approx(0.8));
  CHECK(scene.nodes[1].trs.rotation.z() == Approx(0.6));
  CHECK(scene.warnings == std::vector<std::string>{"nodes[1].rotation: of length 2, normalised"});
  CHECK((*scene.nodes[2].matrix)(1, 0) == 2);
  CHECK((*scene.nodes[2].matrix)(0, 3) == 11);

  b.json["nodes"][2]["matrix"][3] = 0.5;
  CHECK(refusal(b).find("nodes[2].matrix: its last row is 0.5 0 0 1") != std::string::npos);
  b.json["nodes"][1]["rotation"] = {0, 0, 0, 0};
  CHECK(refusal(b) == "test.glb: nodes[1].rotation: a quaternion of length zero");
}

TEST_CASE("required extensions are known or refused") {
  GltfBuilder b = two_joint_strip();
  b.json["extensionsRequired"] = {"KHR_mesh_quantization",   "KHR_draco_mesh_compression",
                                  "EXT_meshopt_compression", "KHR_meshopt_compression",
                                  "KHR_materials_unlit",     "KHR_texture_basisu",
                                  "EXT_texture_webp"};
  CHECK(refusal(b).empty());
  const std::string extension = GENERATE("EXT_mesh_gpu_instancing", "ACME_bend_everything");
  b.json["extensionsRequired"].push_back(extension);
  CHECK(refusal(b) == "test.glb: extensionsRequired: " + extension + " is not supported");
}

TEST_CASE("extensions that move vertices are told where they are only used") {
  GltfBuilder b = two_joint_strip();
  b.json["extensionsUsed"] = {"KHR_materials_unlit", "EXT_mesh_gpu_instancing"};
  CHECK(read(b).warnings ==
        std::vector<std::string>{"extensionsUsed: EXT_mesh_gpu_instancing is not supported: the surface may "
                                 "differ from what other programs show"});
}

TEST_CASE("wrong JSON is named by its place") {
  GltfBuilder b = two_joint_strip();
  SECTION("a type") {
    b.json["nodes"][1]["translation"][2] = "up";
    CHECK(refusal(b) == "test.glb: nodes[1].translation[2]: not a number");
  }
  SECTION("an element") {
    b.json["accessors"].push_back(5);
    CHECK(refusal(b) ==
          "test.glb: accessors[" + std::to_string(b.json["accessors"].size() - 1) + "]: not an object");
  }
  SECTION("a sampler") {
    b.json["animations"][0]["channels"][0]["sampler"] = 1;
    CHECK(refusal(b) == "test.glb: animations[0].channels[0].sampler: 1, but there are 1 samplers");
  }
  SECTION("a length") {
    b.json["nodes"][1]["translation"] = {1, 2};
    CHECK(refusal(b) == "test.glb: nodes[1].translation: 2 numbers instead of 3");
  }
  SECTION("an index") {
    b.json["nodes"][2]["mesh"] = 1;
    CHECK(refusal(b) == "test.glb: nodes[2].mesh: 1, but there are 1 meshes");
  }
  SECTION("a negative index") {
    b.json["nodes"][2]["skin"] = -1;
    CHECK(refusal(b) == "test.glb: nodes[2].skin: -1, but there are 1 skins");
  }
  SECTION("a member") {
    b.json["accessors"][3].erase("count");
    CHECK(refusal(b) == "test.glb: accessors[3].count: missing");
  }
  SECTION("an attribute") {
    b.primitive(0)["attributes"]["POSITION"] = 77;
    CHECK(
        refusal(b).starts_with("test.glb: meshes[0].primitives[0].attributes.POSITION: 77, but there are "));
  }
}

}  // namespace pelt
