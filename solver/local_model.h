#pragma once

#include <memory>

#include "system.h"

namespace pelt {

/// Which motions a joint may make (DESIGN section 2, modes). `stretch` is `free` with a price: see
/// System::total.
enum class Freedom {
  free,    ///< rotation and translation
  rotate,  ///< rotation about the joint's origin, which its parent carries; roots translate as well
  scale    ///< rotation, translation and a uniform scale within kLeastScale and kLargestScale
};

constexpr double kLeastScale = 0.5, kLargestScale = 2;  ///< against rest

/// A step in the coordinates of a freedom.
using Step = Eigen::VectorXd;

/// The part of the Hessian that the residual adds: as it is (Newton's method), or changed so that the Hessian
/// is positive definite, or nearly so, wherever the pose is.
enum class Curvature { exact, convex };

/// E to second order about a pose.
class LocalModel {
 public:
  virtual ~LocalModel() = default;

  /// Moves the model to a pose of a frame. The pose must be one that the freedom allows.
  virtual void expand(const FrameMoments& frame, const Pose& pose, Curvature curvature) = 0;

  /// Factors the Hessian plus `damping` times the joints' own masses and inertias; false if that is not
  /// positive definite.
  virtual bool factor(double damping) = 0;

  /// To the minimum of the model. \pre factor() was true.
  virtual Step step() const = 0;

  /// The pose after a step.
  virtual Pose retract(const Pose& pose, const Step& step) const = 0;

  /// All of it, symmetric: for tests and for those who want to look.
  virtual Eigen::MatrixXd hessian() const = 0;

  double energy() const { return energy_; }
  const Eigen::VectorXd& gradient() const { return gradient_; }

 protected:
  double energy_ = 0;
  Eigen::VectorXd gradient_;
};

/// The system must outlive the model.
std::unique_ptr<LocalModel> make_local_model(const System& system, Freedom freedom);

/// What damping is a multiple of: mass of a joint and its inertia about its pivot, solve units.
struct Inertia {
  double mass = 0, inertia = 0;
};
Inertia inertia_of(const System& system, int unknown);

}  // namespace pelt
