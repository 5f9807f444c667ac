#pragma once

#include <filesystem>
#include <vector>

#include "document.h"

namespace pelt {

/// Reads a file as read_document does, or a text rig (text_rig.h) with the OBJ mesh that it belongs to.
/// `mesh` empty: the file beside the rig of the same stem, "_rig" cut off its end or not, and the ending
/// .obj. \throw ReadError; UsageError where a mesh is named for what is no text rig
Document open_document(const std::filesystem::path& path, const std::filesystem::path& mesh = {});

/// The files that it would read: the file itself, those beside it that a glTF names, the mesh of a text rig.
/// Where it cannot be read, the file alone.
std::vector<std::filesystem::path> files_to_open(const std::filesystem::path& path,
                                                 const std::filesystem::path& mesh = {});

}  // namespace pelt
