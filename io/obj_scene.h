#pragma once

#include <filesystem>

#include "scene.h"

namespace pelt {

/// An OBJ file as a scene: one node with one part that nothing moves, vertices in the file's order.
/// \throw ReadError, also where there is no face
Scene read_obj_scene(const std::filesystem::path& path);

}  // namespace pelt
