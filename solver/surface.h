#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace pelt {

/// A triangle mesh in one pose. Vertices that no triangle uses are legal; they take part in nothing.
struct Surface {
  Eigen::Matrix3Xd positions;  ///< 3 x V, a column a vertex, model space
  Eigen::Matrix3Xi triangles;  ///< 3 x T, vertex indices
};

/// Checks: 1. there is a triangle; 2. vertex indices in range; 3. positions of used vertices finite.
/// \throw InvalidInput, the message starting with `name` and holding the triangle or vertex that breaks a
/// rule.
void validate(const Surface& surface, const std::string& name);

/// V flags: does any triangle use the vertex?
std::vector<char> used_vertices(const Surface& surface);

/// 3 x T unit normals by the right-hand rule over the corners; zero where a triangle has no area.
Eigen::Matrix3Xd face_normals(const Surface& surface);

/// V areas: a third of the area of each adjacent triangle; zero where no triangle uses the vertex.
Eigen::VectorXd vertex_areas(const Surface& surface);

/// 3 x V unit normals, area-weighted over adjacent triangles; zero where undefined (unused or degenerate).
Eigen::Matrix3Xd vertex_normals(const Surface& surface);

/// Diagonal of the axis-aligned bounding box of the used vertices; 0 for an empty surface.
double bounding_diagonal(const Surface& surface);

/// Points spread evenly over the surface by area, the same ones for the same surface: 3 x count.
/// \throw InvalidInput if the surface has no area.
Eigen::Matrix3Xd sample_by_area(const Surface& surface, int count);

}  // namespace pelt
