#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../solver/surface.h"

namespace pelt {

/// A transform as glTF stores it: translation, unit rotation, scale (any sign).
struct Trs {
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
};

/// T * R * S as a 4x4 matrix, parent_from_local.
Eigen::Matrix4d matrix_of(const Trs& trs);

struct Node {
  std::string name;
  int parent = -1;
  Trs trs;                                ///< at rest; unused when `matrix` is set
  std::optional<Eigen::Matrix4d> matrix;  ///< at rest, where the file has a matrix
  bool in_scene = false;                  ///< reached from the default scene
  int mesh = -1, skin = -1;
};

struct Skin {
  std::string name;
  std::vector<int> joints;                       ///< node indices
  std::vector<Eigen::Matrix4d> joint_from_bind;  ///< inverse bind matrices, identity where the file has none
};

/// One triangle primitive of one node of the scene: what the referee calls a part. Vertices as in the file
/// (split vertices), or those that keep_distinct left.
struct Part {
  int node = -1, mesh = -1, primitive = -1;
  int skin = -1;         ///< -1: rigid, moves with its node
  int first_vertex = 0;  ///< of the scene's vertices
  int vertices = 0;
  int first_triangle = 0, triangles = 0;  ///< of the scene's triangles
  Eigen::Matrix3Xd positions;             ///< 3 x vertices, POSITION as stored (decoded), mesh space
  std::vector<Eigen::Matrix3Xd> morphs;   ///< a displacement each, 3 x vertices
  Eigen::VectorXd morph_weights;          ///< at rest
  int influences = 0;                     ///< slots a vertex (4 a JOINTS_n set); 0 for rigid parts
  Eigen::MatrixXi joints;   ///< influences x vertices, index into Skin::joints; slots of weight 0 hold 0
  Eigen::MatrixXd weights;  ///< influences x vertices; sum 1 at each used vertex
  int odd_sums = 0;         ///< vertices whose stored weights sum to what rounding does not explain
  double worst_sum = 1;     ///< of the stored sums, the one furthest from 1
};

enum class Interpolation { step, linear, cubic };
enum class TrackPath { translation, rotation, scale, weights };

/// One animated property of one node. Values: `components` x keys; for cubic, tangents likewise (per second),
/// else empty. Rotations are x, y, z, w, of unit length at keys (not in tangents).
struct Track {
  int node = -1;
  TrackPath path = TrackPath::translation;
  Interpolation interpolation = Interpolation::linear;
  std::vector<float> times;  ///< seconds, strictly increasing, at least one
  Eigen::MatrixXd values;
  Eigen::MatrixXd in_tangents, out_tangents;
};

struct PointTrack;

struct Clip {
  std::string name;  ///< empty where the file has none
  bool has_name = false;
  int index = 0;  ///< in the file's animations
  std::vector<Track> tracks;
  std::shared_ptr<const PointTrack> points;  ///< moves the whole surface, in place of tracks; else null
  float end = 0;  ///< last key of any track, or the last frame, seconds; the clip runs from 0
};

/// Everything of a glTF file that shapes its surface, decoded and checked.
struct Scene {
  std::string file;                ///< for messages
  std::size_t file_bytes = 0;      ///< with its buffers, unpacked: what it may make of them hangs on that
  std::vector<Node> nodes;         ///< as in the file
  std::vector<int> parents_first;  ///< node indices, a parent before its children
  std::vector<Skin> skins;
  std::vector<Part> parts;     ///< ordered by node, then primitive
  Eigen::Matrix3Xi triangles;  ///< of all parts, scene vertex indices
  std::vector<Clip> clips;
  std::vector<std::string> warnings;  ///< what is odd and was coped with, a sentence each
  int vertices() const { return parts.empty() ? 0 : parts.back().first_vertex + parts.back().vertices; }
};

}  // namespace pelt
