#pragma once

#include "point_cache.h"

namespace pelt {

/// Opens a PC2 point cache; its coordinates are not looked at. \pre fps > 0 \throw ReadError
PointCache open_pc2(const std::filesystem::path& path, double fps);

}  // namespace pelt
