#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "point_clip.h"
#include "transfer.h"

namespace pelt {

/// Vertex animations of a mesh: MDD and PC2 files, and the first files of OBJ sequences.
struct PointFiles {
  std::vector<std::filesystem::path> files;  ///< a clip each
  double fps = 24;                           ///< of formats that count in frames
  PointsUp up = PointsUp::automatic;
};

/// The artist's .glb or .gltf, or by its ending an .obj mesh. Where there are point files they are its clips,
/// in place of those of the file. The document of an .obj is empty. \throw ReadError, also where the surface
/// has no area or there is no clip; UsageError for an .obj without point files
RigFile open_artist(const std::filesystem::path& path, const PointFiles& points);

/// Why the artist has no rig of his own that could be solved for his clips; empty where he has one.
std::string why_no_control(const RigFile& artist);

}  // namespace pelt
