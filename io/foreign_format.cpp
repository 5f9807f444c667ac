#include "foreign_format.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "lower_ending.h"

namespace pelt {
namespace {

struct Kind {
  const char* name;
  std::vector<std::string_view> beginnings, endings;
};

/// Compressed .blend files begin as any gzip or Zstandard file does: their ending has the say.
const Kind kBlender{"a Blender file", {"BLENDER"}, {".blend"}};
const Kind kBinaryFbx{"a binary FBX file", {"Kaydara FBX Binary"}, {}};
const Kind kTextFbx{"a text FBX file", {"; FBX"}, {".fbx"}};

const std::vector<Kind> kOthers{
    {"a Universal Scene Description", {"PXR-USDC", "#usda"}, {".usd", ".usda", ".usdc", ".usdz"}},
    {"an Alembic file", {"Ogawa"}, {".abc"}},
    {"a Biovision motion file", {"HIERARCHY"}, {".bvh"}},
    {"a Collada file", {}, {".dae"}},
    {"a Wavefront OBJ file", {}, {".obj"}}};

bool is(const Kind& kind, std::string_view text, const std::string& ending) {
  return std::ranges::any_of(kind.beginnings, [&](std::string_view s) { return text.starts_with(s); }) ||
         std::ranges::find(kind.endings, ending) != kind.endings.end();
}

std::string with_converter(const Kind& kind, const std::filesystem::path& path) {
  std::filesystem::path converted = path;
  converted.replace_extension(".glb");
  return std::string(kind.name) + ", not glTF; this converts it: scripts/fbx2glb " + path.string() + " " +
         converted.string();
}

}  // namespace

std::string foreign_format(std::span<const std::uint8_t> bytes, const std::filesystem::path& path) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '[')) return "";
  const std::string ending = lower_ending(path);
  for (const Kind* kind : {&kBinaryFbx, &kBlender})
    if (is(*kind, text, ending)) return with_converter(*kind, path);
  if (is(kTextFbx, text, ending))
    return std::string(kTextFbx.name) + ", not glTF: save it as binary FBX, which scripts/fbx2glb converts";
  for (const Kind& kind : kOthers)
    if (is(kind, text, ending))
      return std::string(kind.name) + ", not glTF: export it as .glb from the program that made it";
  return "";
}

}  // namespace pelt
