#include "gltf_reader.h"

#include <algorithm>
#include <string_view>

#include "gltf_clips.h"
#include "gltf_nodes.h"
#include "gltf_parts.h"
#include "gltf_skins.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

/// Extensions that a file may require without changing where its vertices are.
bool is_harmless(std::string_view extension) {
  if (extension == "KHR_mesh_quantization" || extension == "KHR_techniques_webgl") return true;
  const auto starts = [&](std::string_view prefix) { return extension.starts_with(prefix); };
  return starts("KHR_materials_") || starts("KHR_texture_") || starts("EXT_texture_") ||
         starts("MSFT_texture_") || starts("KHR_lights_") || starts("EXT_lights_") || starts("KHR_xmp");
}

/// Compressed files are to be unpacked in the document before it gets here; until then they are refused.
void check_extensions(const Json& json, const std::string& file) {
  for (const Json& required : member(json, "extensionsRequired")) {
    const auto extension = required.get<std::string>();
    if (!is_harmless(extension)) fail(file, "extensionsRequired", extension + " is not supported");
  }
}

}  // namespace

Scene read_scene(const Document& document) {
  Scene scene;
  scene.file = document.path.string();
  check_schema(document.json, scene.file);
  check_extensions(document.json, scene.file);
  const Accessors accessors(document);
  const GltfSource source{document.json, accessors, scene.file};
  read_nodes(source, scene);
  read_skins(source, scene);
  read_parts(source, scene);
  read_clips(source, scene);
  return scene;
}

}  // namespace pelt
