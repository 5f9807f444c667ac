// A packed rig keeps what it has, byte for byte; clips are appended plain.
#include <catch2/catch.hpp>

#include "io/bake.h"
#include "io/gltf_reader.h"
#include "packing.h"
#include "surface_difference.h"
#include "tests/json_diff.h"
#include "tests/temp_folder.h"

namespace pelt {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;

/// The sheet without its clip, packed.
GltfBuilder packed_rig(const std::string& extension) {
  GltfBuilder b = skinned_sheet();
  b.json.erase("animations");
  if (extension == "KHR_draco_mesh_compression") {
    pack_primitive(b, 0);
  } else {
    pack_all_views(b, "TRIANGLES", extension);
    add_placeholder(b);
  }
  return b;
}

}  // namespace

TEST_CASE("a clip is baked onto a packed rig and everything old stays") {
  const std::string extension =
      GENERATE("EXT_meshopt_compression", "KHR_meshopt_compression", "KHR_draco_mesh_compression");
  const bool binary = GENERATE(true, false);
  const TempFolder folder;
  write_bytes(folder / "artist.glb", skinned_sheet().glb());
  const GltfBuilder rig = packed_rig(extension);
  const std::string text = rig.gltf();
  BakeOptions options;
  options.artist = folder / "artist.glb";
  options.rig = folder / (binary ? "rig.glb" : "rig.gltf");
  options.output = folder / (binary ? "out.glb" : "out.gltf");
  write_bytes(options.rig, binary ? rig.glb() : std::vector<std::uint8_t>(text.begin(), text.end()));
  const BakeResult result = bake(options);
  CHECK(result.clips[0].keys.rms < 1e-5);

  const Document before = read_document(options.rig), after = read_document(options.output);
  CHECK(forbidden_edits(before, after).empty());
  CHECK(after.json["extensionsRequired"] == Json::array({extension}));
  const Scene artist = read_scene(read_document(options.artist)), written = read_scene(after);
  REQUIRE(written.clips.size() == 1);
  CHECK(largest_difference(artist, written) < 1e-6);
}

TEST_CASE("a packed artist's clips are its motion") {
  const TempFolder folder;
  GltfBuilder packed = skinned_sheet();
  pack_all_views(packed);
  add_placeholder(packed);
  write_bytes(folder / "artist.glb", packed.glb());
  ControlOptions options;
  options.artist = folder / "artist.glb";
  options.output = folder / "solved.glb";
  const ControlResult result = control(options);
  CHECK(result.control.passed);
  const Scene solved = read_scene(read_document(options.output));
  CHECK(largest_difference(read_scene(read_document(options.artist)), solved) < 1e-6);
}

}  // namespace pelt
