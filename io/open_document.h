#pragma once

#include <filesystem>

#include "document.h"

namespace pelt {

/// Reads a file as read_document does, or a text rig (text_rig.h) with the OBJ mesh that it belongs to.
/// `mesh` empty: the file beside the rig of the same stem, "_rig" cut off its end or not, and the ending
/// .obj. \throw ReadError; UsageError where a mesh is named for what is no text rig
Document open_document(const std::filesystem::path& path, const std::filesystem::path& mesh = {});

}  // namespace pelt
