#include "alignment_file.h"

#include <Eigen/Geometry>
#include <cmath>
#include <nlohmann/json.hpp>

#include "io_error.h"
#include "json_text.h"
#include "whole_file.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kShear = 1e-6;  // of the scale: what rounding of seven digits does
constexpr double kSmallestFactor = 1e-9, kLargestFactor = 1e9;

[[noreturn]] void fail(const std::string& file, const std::string& what) {
  throw ReadError(file + ": artist_from_rig" + what);
}

Eigen::Matrix4d four_rows(const Json& json, const std::string& file) {
  if (!json.is_object() || !json.contains("artist_from_rig"))
    throw ReadError(file + ": not a JSON object with artist_from_rig");
  const Json& rows = json["artist_from_rig"];
  if (!rows.is_array() || rows.size() != 4) fail(file, ": not four rows");
  Eigen::Matrix4d matrix;
  for (int r = 0; r < 4; ++r) {
    const std::string row = "[" + std::to_string(r) + "]";
    if (!rows[r].is_array() || rows[r].size() != 4) fail(file, row + ": not four numbers");
    for (int c = 0; c < 4; ++c) {
      if (!rows[r][c].is_number()) fail(file, row + "[" + std::to_string(c) + "]: not a number");
      matrix(r, c) = rows[r][c].get<double>();
    }
  }
  return matrix;
}

}  // namespace

Eigen::Matrix4d read_alignment(const std::filesystem::path& path) {
  const std::string file = path.string();
  Eigen::Matrix4d matrix = four_rows(parse_json(read_whole_file(path), file, "an alignment"), file);
  if (!matrix.allFinite()) fail(file, ": a number is too large");
  if (matrix.row(3) != Eigen::RowVector4d(0, 0, 0, 1)) fail(file, "[3]: not 0, 0, 0, 1");
  const Eigen::Matrix3d linear = matrix.topLeftCorner<3, 3>();
  const Eigen::Vector3d scale = linear.colwise().norm();
  if (!(scale.minCoeff() > kSmallestFactor && scale.maxCoeff() < kLargestFactor))
    fail(file, ": scale " + std::to_string(scale.minCoeff()));
  const Eigen::Matrix3d unit = linear / std::cbrt(std::abs(linear.determinant()));
  const double shear = (unit.transpose() * unit - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (!(shear <= kShear))
    fail(file, ": not a similarity: it shears, or scales axes differently, by " + std::to_string(shear));
  return matrix;
}

Json rows_of(const Eigen::Matrix4d& matrix) {
  Json rows = Json::array();
  for (int r = 0; r < 4; ++r) rows.push_back({matrix(r, 0), matrix(r, 1), matrix(r, 2), matrix(r, 3)});
  return rows;
}

}  // namespace pelt
