#pragma once

#include <filesystem>
#include <vector>

#include "point_cache.h"

namespace pelt {

/// Opens a sequence of OBJ files by its first one: its number is the last digits of its name, and every file
/// of the folder whose name differs only in a higher number follows, in numeric order, fps frames a second.
/// Points and faces of all must be the same in number and order. Coordinates are kept as floats in a
/// temporary file. \pre fps > 0 \throw ReadError, also where a number is missing or there twice
PointCache open_obj_sequence(const std::filesystem::path& first, double fps);

/// The files of the sequence. \throw ReadError
std::vector<std::filesystem::path> files_of_sequence(const std::filesystem::path& first);

}  // namespace pelt
