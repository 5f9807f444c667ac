#pragma once

#include "point_cache.h"

namespace pelt {

/// Opens an MDD point cache; its coordinates are not looked at. \throw ReadError
PointCache open_mdd(const std::filesystem::path& path);

}  // namespace pelt
