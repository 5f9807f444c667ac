#include <algorithm>
#include <stdexcept>

#include "io/gltf_reader.h"
#include "io/inspect.h"
#include "io/io_error.h"
#include "io/pose.h"
#include "io/rig_of_scene.h"
#include "targets.h"

namespace pelt::fuzz {
namespace {

void pose(const Scene& scene) {
  for (std::size_t c = 0; c < std::min<std::size_t>(scene.clips.size(), 3); ++c) {
    const Clip& clip = scene.clips[c];
    for (const double share : {-0.1, 0.0, 0.3, 1.0})
      surface_at(scene, pose_at(scene, clip, share * clip.end));
  }
}

}  // namespace

int fuzz_reader(std::span<const std::uint8_t> bytes) {
  try {
    // A folder that is not there: external buffers would make a find depend on the machine.
    const Document document = parse_document({bytes.begin(), bytes.end()}, "none/fuzz.glb");
    inspect_columns(inspect(document));
    const Scene scene = read_scene(document);
    if (!rest_surface(scene).positions.allFinite()) throw std::logic_error("a vertex that is not finite");
    rig_of_scene(scene);
    pose(scene);
    return 1;
  } catch (const ReadError&) {
    return 0;
  }
}

}  // namespace pelt::fuzz
