#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace pelt {

/// artist_from_rig of a JSON file that holds it as four rows of four numbers, such as
///
///     {"artist_from_rig": [[0.01, 0, 0, 0], [0, 0, 0.01, 0], [0, -0.01, 0, 0], [0, 0, 0, 1]]}
///
/// \throw ReadError with file and place unless it is a similarity: a turn or a mirror image, one scale, a
/// place.
Eigen::Matrix4d read_alignment(const std::filesystem::path& path);

/// The four rows.
nlohmann::ordered_json rows_of(const Eigen::Matrix4d& matrix);

}  // namespace pelt
