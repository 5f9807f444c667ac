#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <vector>

#include "scene.h"
#include "staged_files.h"

namespace pelt {

/// Vertex positions, 3 x V each, model space, a frame an entry. Vertices come part by part (Scene::parts),
/// within a part as in the file.
using Frames = std::vector<Eigen::Matrix3Xd>;

/// Stages the frames as a NumPy array (format 1.0): little-endian float64 of shape F x V x 3 in C order.
/// \pre all frames have as many columns. \throw WriteError
void stage_npy(const Frames& frames, const std::filesystem::path& path, StagedFiles& files);

/// Stages one frame with the scene's triangles as a Wavefront OBJ. \throw WriteError
void stage_obj(const Scene& scene, const Eigen::Matrix3Xd& positions, const std::filesystem::path& path,
               StagedFiles& files);

}  // namespace pelt
