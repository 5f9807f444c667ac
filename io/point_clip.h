#pragma once

#include <Eigen/Core>
#include <vector>

#include "point_cache.h"
#include "scene.h"

namespace pelt {

/// The axis that points up in a point cache. `automatic`: z where the first frame turned to y up lies clearly
/// nearer to the rest surface than the frame as it is.
enum class PointsUp { automatic, y, z };

/// How a point cache moves the vertices of a scene.
struct PointTrack {
  PointCache cache;
  std::vector<int> point_of_vertex;  ///< empty: vertex for vertex
  bool z_up = false;                 ///< points are turned from z up to y up
};

/// Adds a clip that moves the whole surface, named as the cache. Points belong to vertices by their order
/// where there are as many, else by place, where each vertex lies on one point of the first frame (within
/// 1e-5 of the surface's diagonal). What is odd goes to scene.warnings. \throw ReadError with the counts
void add_point_clip(Scene& scene, PointCache cache, PointsUp up);

/// The vertices of the scene at a time, 3 x V, model space. \throw ReadError
Eigen::Matrix3Xd vertices_at(const PointTrack& track, double time);

}  // namespace pelt
