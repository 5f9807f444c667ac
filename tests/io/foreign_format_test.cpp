#include "io/foreign_format.h"

#include <catch2/catch.hpp>
#include <vector>

#include "io/document.h"
#include "io/io_error.h"

using namespace pelt;
using Catch::Contains;

namespace {

std::string kind_of(const std::string& text, const std::string& name) {
  return foreign_format({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, name);
}

}  // namespace

TEST_CASE("FBX and Blender files are told by their content with the command that converts them") {
  const std::string command = "scripts/fbx2glb /a/wolf.glb /a/wolf.glb";
  CHECK_THAT(kind_of(std::string("Kaydara FBX Binary  \0\x1a", 22), "/a/wolf.glb"),
             Contains("binary FBX") && Contains(command));
  CHECK_THAT(kind_of("BLENDER-v304", "/a/wolf.glb"), Contains("Blender") && Contains(command));
  CHECK_THAT(kind_of("\x28\xb5\x2f\xfd...", "/a/wolf.BLEND"),
             Contains("scripts/fbx2glb /a/wolf.BLEND /a/wolf.glb"));
  CHECK_THAT(kind_of("\x1f\x8b...", "/a/wolf.blend"), Contains("scripts/fbx2glb"));
  CHECK_THAT(kind_of("; FBX 7.4.0 project file", "/a/wolf.glb"), Contains("text FBX") && Contains("binary"));
}

TEST_CASE("Other kinds are told with what to do") {
  CHECK_THAT(kind_of("v 0 0 0\n", "wolf.obj"), Contains("OBJ") && Contains("export"));
  CHECK_THAT(kind_of("<?xml?>", "wolf.dae"), Contains("Collada"));
  CHECK_THAT(kind_of("#usda 1.0", "wolf"), Contains("Universal Scene Description"));
  CHECK_THAT(kind_of("PK\x03\x04", "wolf.usdz"), Contains("Universal Scene Description"));
  CHECK_THAT(kind_of("Ogawa", "wolf"), Contains("Alembic"));
  CHECK_THAT(kind_of("HIERARCHY\nROOT Hips", "wolf"), Contains("Biovision"));
}

TEST_CASE("JSON and what nobody knows is no foreign format") {
  CHECK(kind_of("{\"asset\"", "wolf.fbx").empty());
  CHECK(kind_of("\xEF\xBB\xBF\n {", "wolf.obj").empty());
  CHECK(kind_of("once upon a time", "wolf.glb").empty());
  CHECK(kind_of("\x1f\x8b...", "wolf.glb").empty());
  CHECK(kind_of("", "wolf.glb").empty());
}

TEST_CASE("A reader of documents names the foreign format") {
  const std::string text = "BLENDER-v304";
  CHECK_THROWS_WITH(parse_document({text.begin(), text.end()}, "wolf.glb"),
                    Contains("wolf.glb: a Blender file") && Contains("scripts/fbx2glb"));
}
