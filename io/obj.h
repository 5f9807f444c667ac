#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string_view>

namespace pelt {

/// The polygons of a Wavefront OBJ file, cut into triangles. Every index is in range; -1 where a corner has
/// no uv or normal.
struct ObjMesh {
  Eigen::Matrix3Xd positions;  ///< 3 x V, a column a `v` line, in the file's order
  Eigen::Matrix2Xd uvs;        ///< a column a `vt` line
  Eigen::Matrix3Xd normals;    ///< a column a `vn` line, as stored
  Eigen::Matrix3Xi triangles;  ///< 3 x T, columns of positions; a polygon is a fan about its first corner
  Eigen::Matrix3Xi triangle_uvs, triangle_normals;  ///< 3 x T, likewise of uvs and normals
};

/// Reads `v`, `vt`, `vn` and `f`; everything else (objects, groups, materials, lines, colours behind a
/// vertex) is passed over. \throw ReadError with file and line: a number that is none or not finite, an index
/// without its line, a face of less than three corners; also where there is no vertex.
ObjMesh read_obj(const std::filesystem::path& path);

/// The same from memory; `path` appears in messages.
ObjMesh parse_obj(std::string_view text, const std::filesystem::path& path);

}  // namespace pelt
