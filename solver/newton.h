#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "system.h"

namespace pelt {

/// One rotation vector and one translation a joint: x -> exp(omega) (x - c) + c + tau about the joint's own
/// pivot as it is now. 6B numbers: omega, then tau, for each unknown.
using Twists = Eigen::VectorXd;

/// E, its gradient and its Hessian in the twists at a pose.
struct Quadratic {
  double energy = 0;
  Eigen::VectorXd gradient;  ///< 6B
  Eigen::SparseMatrix<double>
      hessian;  ///< 6B x 6B, lower triangle, the same pattern for every pose of a system
};

/// The pattern of the Hessian, for a system; its values are zero.
Eigen::SparseMatrix<double> hessian_pattern(const System& system);

/// The part of the Hessian that the residual adds to each joint's rotation: as it is (Newton's method), or
/// with the absolute values of its eigenvalues, which makes the Hessian positive definite wherever the pose
/// is.
enum class Curvature { exact, absolute };

/// Fills a quadratic whose hessian has the pattern.
void expand_quadratic(const System& system, const FrameMoments& frame, const Pose& pose, Curvature curvature,
                      Quadratic& out);

/// The pose after the twists.
Pose retract(const System& system, const Pose& pose, const Twists& twists);

struct NewtonSettings {
  double tolerance = 1e-11;  ///< stop when a step moves no vertex farther, fraction of diag, or when what it
                             ///< takes off the energy is rounding
  int max_steps = 100;       ///< tries included that were refused
  const Pose* known = nullptr;  ///< a minimum found before: once a step ends beside it, it is the answer
  double known_reach = 1e-5;    ///< how near that is, as a surface distance, fraction of diag
};

struct NewtonOutcome {
  int steps = 0;
  double energy = 0;
  double movement = 0;  ///< of the last step
  double gradient = 0;  ///< norm, solve units: what is left at the end
  bool converged = false;
  bool at_known = false;  ///< the pose is now NewtonSettings::known; energy and gradient are not filled in
};

/// Newton's method, with absolute curvature where the Hessian is indefinite and Levenberg-Marquardt damping
/// where steps fail; keeps a factor's symbolic analysis between calls. Not for two threads at once.
class NewtonSolver {
 public:
  explicit NewtonSolver(const System& system);

  /// Polishes a pose to a minimum of the energy.
  NewtonOutcome polish(const FrameMoments& frame, const NewtonSettings& settings, Pose& pose);

 private:
  bool factor(double damping);
  bool improves(double noise) const;
  NewtonOutcome finish(NewtonOutcome outcome, bool converged) const;

  const System& system_;
  Quadratic quadratic_, next_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> ldlt_;
};

}  // namespace pelt
