#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

#include "solver/rig.h"

namespace pelt::bench {

/// A fixed-weights problem as solvers exchange it, file format RIGDUMP1: little-endian, no padding.
///
///     char[8] "RIGDUMP1"; int32 N, B, F, K, T, flags; int32 parents[B] (-1 root, parents first);
///     float64 rest[N*3]; int32 joint[N*K] (-1 empty); float64 weight[N*K]; float64 target[F*N*3];
///     int32 triangles[T*3]; if flags & 1 float64 truth[F*B*12] (row-major 3x4, rest-relative);
///     if flags & 2 float64 model_from_joint[B*16] at rest (row-major)
struct RigDump {
  std::vector<int> parent;                        ///< B
  Eigen::Matrix3Xd rest;                          ///< 3 x N, model space
  Eigen::MatrixXi joint;                          ///< K x N, -1 for empty slots
  Eigen::MatrixXd weight;                         ///< K x N
  std::vector<Eigen::Matrix3Xd> targets;          ///< F
  Eigen::Matrix3Xi triangles;                     ///< 3 x T
  std::vector<Pose> truth;                        ///< F, or empty
  std::vector<Eigen::Matrix4d> model_from_joint;  ///< B at rest, or empty

  int joints() const { return static_cast<int>(parent.size()); }
  int vertices() const { return static_cast<int>(rest.cols()); }
  int frames() const { return static_cast<int>(targets.size()); }
};

/// \throw InvalidInput with the file and the numbers, where it is not such a file from end to end.
RigDump read_dump(const std::filesystem::path& path);

/// \throw InvalidInput if the file cannot be written.
void write_dump(const RigDump& dump, const std::filesystem::path& path);

/// Poses as float64[F*B*12], laid out as the truth of a dump.
void write_solution(const std::vector<Pose>& poses, const std::filesystem::path& path);

/// The rig of a dump: rest is bind. \throw InvalidInput if it breaks a rule of validate(Rig).
Rig rig_of_dump(const RigDump& dump);

}  // namespace pelt::bench
