#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "rig.h"

namespace pelt {

/// Coordinates of the solve: x = centre + length * u. Moments of coordinates near 1 keep all digits, and
/// every tolerance of the solver is a fraction of `length`.
struct SolveUnit {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double length = 1;
};

/// A model-space motion in the coordinates of the solve, and back.
Motion to_unit(const Motion& motion, const SolveUnit& unit);
Motion from_unit(const Motion& motion, const SolveUnit& unit);

/// What the surface says of one joint, in solve units.
struct Support {
  double mass = 0;    ///< sum a w: the share of the surface that the joint holds
  double reach = 0;   ///< max over vertices of w
  double radius = 0;  ///< largest distance of a rest point from `centroid`
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();  ///< of the rest points, weighted by a w^2
};

/// The terms a w q~ of the target pass (DESIGN section 2: b_j = sum a w q~ v^T), by tile of vertices, joint
/// and vertex. A tile's targets stay in the nearest cache while the terms of all its joints go over them.
struct TargetTerms {
  struct Run {
    int joint, first;  ///< terms [first, that of the next run)
  };
  std::vector<int> first_run;  ///< tiles + 1
  std::vector<Run> runs;       ///< one more closes the last
  std::vector<int> row;        ///< a term each: its vertex, counted from the tile's first
  Eigen::Matrix4Xd factor;     ///< a term each: a w q~
  std::vector<int> centre;     ///< vertices spread over the surface: their mean stands for its centroid
};

/// Everything of a rig that the solve needs, whatever the clip: the 4x4 blocks A_jk = sum_i a_i w_ij w_ik
/// q~_ij q~_ik^T of joints that share a vertex, and the terms of the target pass. A_kj = A_jk^T, but A_jk
/// itself is not symmetric where rest points differ from joint to joint.
struct RigMoments {
  SolveUnit unit;
  int vertices = 0;
  std::vector<int> row;                      ///< J + 1; blocks of joint j are [row[j], row[j + 1])
  std::vector<int> column;                   ///< ascending in a row; the diagonal is always there
  std::vector<Eigen::Matrix4d> block;        ///< A_jk
  std::vector<Support> support;              ///< J
  std::shared_ptr<const TargetTerms> terms;  ///< as large as the mesh: copies of the moments share them
  Eigen::VectorXd measure;                   ///< V; a_i where the vertex has influences, else 0
};

/// What the solve needs of a clip, in solve units about a point near the centroid of each frame's targets: an
/// animal may walk a hundred lengths away and no digit of its shape is lost.
struct TargetMoments {
  int frames = 0;
  Eigen::MatrixXd b;        ///< 4J x 3F: rows 4j..4j+3, columns 3f..3f+2 hold b_j of frame f
  Eigen::VectorXd sq_norm;  ///< F; sum a |v|^2
  Eigen::Matrix3Xd
      shift;  ///< 3 x F; where the frame's targets were centred: motions found are those before this shift
};

/// The unit of a rig: origin at the centroid of the rest surface, length of its bounding diagonal (1 if it
/// has none). `measure`: V vertex shares a_i >= 0; only vertices with influences count.
SolveUnit solve_unit(const Rig& rig, const Eigen::VectorXd& measure);

/// \pre validate(rig); measure holds rig.vertices() finite shares >= 0.
/// \throw InvalidInput if it does not. Bit-identical for any number of threads.
RigMoments rig_moments(const Rig& rig, const Eigen::VectorXd& measure, int threads = 1);

/// Moments of a run of frames, 3 x V positions each, model space: one sparse-times-dense product over the
/// targets. Positions of unmeasured vertices are not read. Bit-identical for any number of threads.
TargetMoments target_moments(const RigMoments& rig, std::span<const Eigen::Matrix3Xd> frames,
                             int threads = 1);

/// Moments of so many frames, to be put in.
TargetMoments room_for_moments(const RigMoments& rig, int frames);

/// Writes the frames of `part` as frame `first` of `all` and those after it.
void put_moments(const TargetMoments& part, int first, TargetMoments& all);

}  // namespace pelt
