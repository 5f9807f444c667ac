#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "batch/rig_health.h"
#include "io/inspect.h"
#include "io/inspect_report.h"
#include "io/io_error.h"
#include "io/matching.h"
#include "io/pose.h"
#include "io/rig_file.h"
#include "targets.h"

namespace pelt::fuzz {
namespace {

constexpr int kMatchedVertices = 2000;  // more would only be slower

void check_finite(const Surface& surface) {
  if (!surface.positions.allFinite()) throw std::logic_error("a vertex that is not finite");
}

/// Against itself, as it lies, in every pose that the file has.
void match(const Scene& scene) {
  Surface bind;
  if (bind_surface(scene, bind)) check_finite(bind);
  if (scene.vertices() > kMatchedVertices) return;
  const Matching found = match_scenes(scene, scene, {.artist_from_rig = Eigen::Matrix4d::Identity()});
  why_refused(found, bounding_diagonal(rest_surface(scene)));
}

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
    inspect_report(look_at(document));
    const RigFile file = make_rig_file(document);
    check_finite(file.rest);
    pose(file.scene);
    check_surface(file);
    if (!file.scene.skins.empty()) to_json(rig_health(file));
    match(file.scene);
    return 1;
  } catch (const ReadError&) {
    return 0;
  }
}

}  // namespace pelt::fuzz
