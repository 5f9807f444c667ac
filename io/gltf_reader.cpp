#include "gltf_reader.h"

#include <optional>
#include <string_view>

#include "gltf_clips.h"
#include "gltf_nodes.h"
#include "gltf_parts.h"
#include "gltf_skins.h"
#include "unpack.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

/// Extensions that are read or that a file may require without changing where its vertices are.
bool is_understood(std::string_view extension) {
  for (const char* read : {"KHR_mesh_quantization", "KHR_draco_mesh_compression", "EXT_meshopt_compression",
                           "KHR_meshopt_compression"})
    if (extension == read) return true;
  if (extension == "KHR_techniques_webgl") return true;
  const auto starts = [&](std::string_view prefix) { return extension.starts_with(prefix); };
  return starts("KHR_materials_") || starts("KHR_texture_") || starts("EXT_texture_") ||
         starts("MSFT_texture_") || starts("KHR_lights_") || starts("EXT_lights_") || starts("KHR_xmp");
}

/// What is required must be understood; what is only used may be missed, but not in silence where it moves or
/// adds vertices.
void check_extensions(const Json& json, Scene& scene) {
  for (const Json& required : member(json, "extensionsRequired")) {
    const auto extension = required.get<std::string>();
    if (!is_understood(extension)) fail(scene.file, "extensionsRequired", extension + " is not supported");
  }
  for (const Json& used : member(json, "extensionsUsed"))
    if (used == "EXT_mesh_gpu_instancing" || used == "VRMC_node_constraint")
      scene.warnings.push_back("extensionsUsed: " + used.get<std::string>() +
                               " is not supported: the surface may differ from what other programs show");
}

}  // namespace

Scene read_scene(const Document& document) {
  Scene scene;
  scene.file = document.path.string();
  scene.warnings = document.warnings;
  check_schema(document.json, scene.file);
  check_extensions(document.json, scene);
  const std::optional<Document> unpacked_copy = unpacked(document);
  const Document& plain = unpacked_copy ? *unpacked_copy : document;
  const Accessors accessors(plain);
  scene.file_bytes = accessors.file_bytes();
  const GltfSource source{plain.json, accessors, scene.file};
  read_nodes(source, scene);
  read_skins(source, scene);
  read_parts(source, scene);
  read_clips(source, scene);
  return scene;
}

}  // namespace pelt
