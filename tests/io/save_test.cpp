#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>

#include "io/clip_writer.h"
#include "io/gltf_reader.h"
#include "io/io_error.h"
#include "io/pose.h"
#include "io/uri.h"
#include "tests/file_size_limit.h"
#include "tests/gltf_builder.h"
#include "tests/json_diff.h"

using namespace pelt;
using namespace pelt::test;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

/// A folder of its own that goes with the test.
struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("pelt-save-" + std::to_string(std::random_device{}()));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() { fs::remove_all(path); }
};

void put(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    names.push_back(fs::relative(entry.path(), folder).generic_string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The two-joint strip as .gltf with "my data.bin" and two images, of which one is missing.
void put_external(const fs::path& folder) {
  GltfBuilder b = two_joint_strip();
  b.json["buffers"][0]["uri"] = "my%20data.bin";
  b.json["images"] = Json::array(
      {Json{{"uri", "textures/fur.png"}}, Json{{"uri", "missing.png"}}, Json{{"uri", "data:,x"}}});
  put(folder / "strip.gltf", b.json.dump());
  put(folder / "my data.bin", {b.bin.begin(), b.bin.end()});
  put(folder / "textures/fur.png", "fur");
}

/// The document with a clip "Lift" that moves the root by 3 along y.
Document lifted(const fs::path& source) {
  const Document document = read_document(source);
  const Scene scene = read_scene(document);
  const SceneRig rig = rig_of_scene(scene);
  SolvedClip clip{"Lift", true, {0, 1}, {rest_pose(rig.rig), rest_pose(rig.rig)}};
  for (Motion& motion : clip.poses[1]) motion(1, 3) = 3;
  WriteOutcome outcome;
  return with_clips(document, scene, rig, {clip}, {}, outcome);
}

void check_lifted(const fs::path& written) {
  const Scene scene = read_scene(read_document(written));
  REQUIRE(scene.clips.size() == 2);
  const Eigen::Matrix3Xd up =
      surface_at(scene, pose_at(scene, scene.clips[1], 1)) - rest_surface(scene).positions;
  CHECK((up.colwise() - Eigen::Vector3d(0, 3, 0)).norm() < 1e-6);
}

std::string message_of(const Document& document, const fs::path& path) {
  try {
    save(document, path);
  } catch (const WriteError& error) {
    return error.what();
  }
  return "";
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("URIs: percent signs and base64") {
  CHECK(percent_decoded("a%20b%C3%A9%zz%2") == "a b\xC3\xA9%zz%2");
  CHECK(percent_encoded("a b\xC3\xA9~.bin") == "a%20b%C3%A9~.bin");
  const auto encoded = [](const std::string& text) {
    const std::string uri = data_uri({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    return uri.substr(uri.find(',') + 1);
  };
  // RFC 4648, section 10
  CHECK(encoded("") == "");
  CHECK(encoded("f") == "Zg==");
  CHECK(encoded("fo") == "Zm8=");
  CHECK(encoded("foo") == "Zm9v");
  CHECK(encoded("foobar") == "Zm9vYmFy");
  for (const char* uri : {"a.bin", "b/a.bin", "a b.bin", "../x:y"}) CHECK(is_relative_file(uri));
  for (const char* uri : {"", "data:,x", "http://h/a.bin", "file:///a", "/a.bin"})
    CHECK_FALSE(is_relative_file(uri));
}

TEST_CASE("a saved .glb is the document and nothing else is left") {
  TemporaryFolder folder;
  const std::vector<std::uint8_t> bytes = two_joint_strip().glb();
  put(folder.path / "in.glb", {bytes.begin(), bytes.end()});
  const Document document = lifted(folder.path / "in.glb");
  for (int twice = 0; twice < 2; ++twice) {
    save(document, folder.path / "out.glb");
    CHECK(files_in(folder.path) == Names{"in.glb", "out.glb"});
    check_lifted(folder.path / "out.glb");
  }
  const std::vector<std::uint8_t> expected = serialise(document);
  CHECK(text_of(folder.path / "out.glb") == std::string(expected.begin(), expected.end()));
}

TEST_CASE("a .gltf with external data gets a new file beside it") {
  TemporaryFolder folder;
  put_external(folder.path);
  const Document document = lifted(folder.path / "strip.gltf");
  save(document, folder.path / "baked wolf.gltf");
  CHECK(files_in(folder.path) == Names{"baked wolf.gltf", "baked wolf.pelt.bin", "my data.bin", "strip.gltf",
                                       "textures", "textures/fur.png"});
  const Document written = read_document(folder.path / "baked wolf.gltf");
  CHECK(written.json["buffers"][1]["uri"] == "baked%20wolf.pelt.bin");
  CHECK(forbidden_edits(document, written) == Names{"+ /buffers/1/uri"});
  check_lifted(folder.path / "baked wolf.gltf");

  // Once more from there: the name is taken by a buffer that is read.
  fs::create_directory(folder.path / "next");
  const Document again = read_document(folder.path / "baked wolf.gltf");
  const Scene scene = read_scene(again);
  const SceneRig rig = rig_of_scene(scene);
  WriteOutcome outcome;
  const SolvedClip still{"Still", true, {0}, {rest_pose(rig.rig)}};
  save(with_clips(again, scene, rig, {still}, {}, outcome), folder.path / "next/baked wolf.gltf");
  CHECK(files_in(folder.path / "next") == Names{"baked wolf.gltf", "baked wolf.pelt.bin",
                                                "baked wolf.pelt2.bin", "my data.bin", "textures",
                                                "textures/fur.png"});
  CHECK(read_scene(read_document(folder.path / "next/baked wolf.gltf")).clips.size() == 3);
}

TEST_CASE("a .gltf saved to another folder still finds its files") {
  TemporaryFolder folder;
  put_external(folder.path / "in");
  fs::create_directory(folder.path / "out");
  const Document document = lifted(folder.path / "in/strip.gltf");
  save(document, folder.path / "out/strip.gltf");
  CHECK(files_in(folder.path / "out") ==
        Names{"my data.bin", "strip.gltf", "strip.pelt.bin", "textures", "textures/fur.png"});
  CHECK(text_of(folder.path / "out/textures/fur.png") == "fur");
  check_lifted(folder.path / "out/strip.gltf");
  CHECK(message_of(document, folder.path / "out/strip.gltf") ==
        "");  // the same files are there: nothing to copy

  put(folder.path / "out/my data.bin", "somebody else's");
  const std::string before = text_of(folder.path / "out/strip.gltf");
  CHECK_THAT(message_of(document, folder.path / "out/strip.gltf"), Catch::Contains("my data.bin"));
  CHECK(text_of(folder.path / "out/my data.bin") == "somebody else's");
  CHECK(text_of(folder.path / "out/strip.gltf") == before);
  CHECK(files_in(folder.path / "out").size() == 5);
}

TEST_CASE("a .glb made of a .gltf in another folder finds every file that it names") {
  TemporaryFolder folder;
  put_external(folder.path / "in");
  fs::create_directory(folder.path / "out");
  save(lifted(folder.path / "in/strip.gltf"), folder.path / "out/strip.glb");
  CHECK(files_in(folder.path / "out") ==
        Names{"my data.bin", "strip.glb", "strip.pelt.bin", "textures", "textures/fur.png"});
  CHECK(text_of(folder.path / "out/textures/fur.png") == "fur");
  fs::remove_all(folder.path / "in");
  const Document written = read_document(folder.path / "out/strip.glb");
  CHECK(written.binary_container);
  CHECK(written.json["images"][0]["uri"] == "textures/fur.png");
  check_lifted(folder.path / "out/strip.glb");
}

TEST_CASE("a file outside the document's folder is not copied elsewhere") {
  TemporaryFolder folder;
  GltfBuilder b = two_joint_strip();
  b.json["images"] = Json::array({Json{{"uri", "../shared/fur.png"}}});
  put(folder.path / "a/in/strip.gltf", b.gltf());
  put(folder.path / "a/shared/fur.png", "fur");
  fs::create_directories(folder.path / "b/out");
  const Document document = lifted(folder.path / "a/in/strip.gltf");
  CHECK_THAT(message_of(document, folder.path / "b/out/strip.gltf"), Catch::Contains("../shared/fur.png"));
  CHECK(files_in(folder.path / "b") == Names{"out"});
  fs::create_directories(folder.path / "a/out");
  CHECK(message_of(document, folder.path / "a/out/strip.gltf") == "");  // the reference holds there
}

TEST_CASE("buffers in folders of their own are found again where the document is saved") {
  TemporaryFolder folder;
  GltfBuilder b = two_joint_strip();
  SECTION("below: copied along") {
    b.json["buffers"][0]["uri"] = "sub%20folder/deep/data.bin";
    put(folder.path / "in/strip.gltf", b.json.dump());
    put(folder.path / "in/sub folder/deep/data.bin", {b.bin.begin(), b.bin.end()});
    fs::create_directory(folder.path / "out");
    save(lifted(folder.path / "in/strip.gltf"), folder.path / "out/strip.gltf");
    CHECK(files_in(folder.path / "out") ==
          Names{"strip.gltf", "strip.pelt.bin", "sub folder", "sub folder/deep", "sub folder/deep/data.bin"});
  }
  SECTION("beside: left where it is") {
    b.json["buffers"][0]["uri"] = "../shared/data.bin";
    put(folder.path / "in/strip.gltf", b.json.dump());
    put(folder.path / "shared/data.bin", {b.bin.begin(), b.bin.end()});
    fs::create_directory(folder.path / "out");
    save(lifted(folder.path / "in/strip.gltf"), folder.path / "out/strip.gltf");
    CHECK(files_in(folder.path / "out") == Names{"strip.gltf", "strip.pelt.bin"});
  }
  check_lifted(folder.path / "out/strip.gltf");
}

TEST_CASE("files that an extension names are copied along") {
  TemporaryFolder folder;
  GltfBuilder b = two_joint_strip();
  b.json["extensions"] = {{"EXT_lights_ies", {{"lights", Json::array({Json{{"uri", "lamp.ies"}}})}}}};
  b.json["extras"] = {{"uri", "notes.txt"}};
  put(folder.path / "in/strip.gltf", b.gltf());
  put(folder.path / "in/lamp.ies", "light");
  put(folder.path / "in/notes.txt", "notes");
  fs::create_directory(folder.path / "out");
  save(lifted(folder.path / "in/strip.gltf"), folder.path / "out/strip.gltf");
  CHECK(files_in(folder.path / "out") == Names{"lamp.ies", "strip.gltf"});
}

TEST_CASE("a folder that is only read from is not touched") {
  TemporaryFolder folder;
  put_external(folder.path / "in");
  fs::create_directory(folder.path / "out");
  const fs::perms writable = fs::status(folder.path / "in").permissions();
  fs::permissions(folder.path / "in", fs::perms::owner_read | fs::perms::owner_exec);
  const auto touched = fs::last_write_time(folder.path / "in");
  put(folder.path / "out/strip.gltf", "old");
  put(folder.path / "out/strip.pelt.bin", "old");
  save(lifted(folder.path / "in/strip.gltf"), folder.path / "out/strip.gltf");
  CHECK(fs::last_write_time(folder.path / "in") == touched);  // root may write in it all the same
  fs::permissions(folder.path / "in", writable);
  check_lifted(folder.path / "out/strip.gltf");
}

TEST_CASE("files that somebody else reads are spared") {
  TemporaryFolder folder;
  put_external(folder.path);
  put(folder.path / "out.pelt.bin", "the artist's");
  put(folder.path / "artist.gltf", "{}");
  const std::vector<fs::path> artist = {folder.path / "artist.gltf", folder.path / "./out.pelt.bin"};
  const Document document = lifted(folder.path / "strip.gltf");
  CHECK_THROWS_AS(save(document, folder.path / "artist.gltf", artist), WriteError);
  save(document, folder.path / "out.gltf", artist);
  CHECK(text_of(folder.path / "out.pelt.bin") == "the artist's");
  CHECK(fs::exists(folder.path / "out.pelt2.bin"));
  check_lifted(folder.path / "out.gltf");
}

TEST_CASE("the files of a document are itself and what its buffers and images name") {
  TemporaryFolder folder;
  put_external(folder.path);
  const std::vector<fs::path> files = files_of(read_document(folder.path / "strip.gltf"));
  CHECK(files == std::vector<fs::path>{folder.path / "strip.gltf", folder.path / "missing.png",
                                       folder.path / "my data.bin", folder.path / "textures/fur.png"});
}

TEST_CASE("the output's name decides the container") {
  TemporaryFolder folder;
  put_external(folder.path);
  save(lifted(folder.path / "strip.gltf"), folder.path / "strip.glb");
  CHECK(read_document(folder.path / "strip.glb").binary_container);
  check_lifted(folder.path / "strip.glb");

  const std::vector<std::uint8_t> bytes = two_joint_strip().glb();
  put(folder.path / "in.glb", {bytes.begin(), bytes.end()});
  Document document = lifted(folder.path / "in.glb");
  save(document, folder.path / "out.gltf");
  CHECK_FALSE(read_document(folder.path / "out.gltf").binary_container);
  check_lifted(folder.path / "out.gltf");
  document.other_chunks.push_back({1, {1, 2, 3, 4}});
  CHECK_THAT(message_of(document, folder.path / "other.gltf"), Catch::Contains("chunks"));
  document.other_chunks.clear();
  document.json["buffers"][0]["uri"] = "data:,";  // then nothing refers to the BIN chunk
  CHECK_THAT(message_of(document, folder.path / "other.gltf"), Catch::Contains("chunks"));
  document.json.erase("buffers");
  CHECK_THAT(message_of(document, folder.path / "other.gltf"), Catch::Contains("chunks"));
}

TEST_CASE("what the document reads is not written over") {
  TemporaryFolder folder;
  put_external(folder.path);
  const Document document = lifted(folder.path / "strip.gltf");
  fs::create_symlink(folder.path / "strip.gltf", folder.path / "link.gltf");
  fs::create_hard_link(folder.path / "my data.bin", folder.path / "hard.gltf");
  const Names before = files_in(folder.path);
  const std::string text = text_of(folder.path / "strip.gltf"), data = text_of(folder.path / "my data.bin");
  for (const char* name : {"strip.gltf", "./strip.gltf", "textures/../strip.gltf", "link.gltf", "my data.bin",
                           "hard.gltf", "textures/fur.png", "missing.png"})
    CHECK(message_of(document, folder.path / name) != "");
  CHECK(files_in(folder.path) == before);
  CHECK(text_of(folder.path / "strip.gltf") == text);
  CHECK(text_of(folder.path / "my data.bin") == data);
}

TEST_CASE("a failed save names path and reason and leaves nothing behind") {
  TemporaryFolder folder;
  put_external(folder.path / "in");
  const Document document = lifted(folder.path / "in/strip.gltf");
  fs::create_directories(folder.path / "out/folder.gltf");
  put(folder.path / "out/file", "");
  const Names before = files_in(folder.path);

  const fs::path missing = folder.path / "nowhere/out.gltf";
  CHECK_THAT(message_of(document, folder.path / "out/folder.gltf"),
             Catch::Contains("folder.gltf") && Catch::Contains("directory"));
  CHECK_THAT(message_of(document, folder.path / "out/file/out.gltf"), Catch::Contains("out.gltf"));
  CHECK_THAT(message_of(document, folder.path / "in" / (std::string(300, 'x') + ".gltf")),
             Catch::Contains("too long"));
  CHECK_THAT(message_of(document, missing),
             Catch::Contains(missing.string()) && Catch::Contains("No such file"));
  CHECK(message_of(document, "/dev/null") != "");
  CHECK(files_in(folder.path) == before);
}

TEST_CASE("a write that breaks off is an error and leaves nothing behind") {
  TemporaryFolder folder;
  put_external(folder.path / "in");
  const Document document = lifted(folder.path / "in/strip.gltf");
  put(folder.path / "out.gltf", "old");
  const Names before = files_in(folder.path);

  std::string message;
  {
    const FileSizeLimit limit(600);  // room for the buffers and not for the JSON
    message = message_of(document, folder.path / "out.gltf");
  }

  CHECK_THAT(message, Catch::Contains("out.gltf: cannot be written: File too large"));
  CHECK(files_in(folder.path) == before);
  CHECK(text_of(folder.path / "out.gltf") == "old");
}
