#pragma once

#include <filesystem>

#include "rig_dump.h"

namespace pelt::bench {

/// The dump as a .glb: skin, joints, and where `animated` its motion as a clip of 24 frames a second.
/// \throw InvalidInput if the file cannot be written.
void write_exact_file(const RigDump& dump, bool animated, const std::filesystem::path& path);

}  // namespace pelt::bench
