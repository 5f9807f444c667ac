#pragma once

#include <limits>
#include <memory>

#include "local_model.h"

namespace pelt {

struct NewtonSettings {
  double tolerance = 1e-11;     ///< converged when a step moves no vertex farther, fraction of diag, or when
                                ///< what it takes off the energy is rounding
  int max_steps = 100;          ///< tries included that were refused
  const Pose* known = nullptr;  ///< a minimum found before: once a step ends beside it, it is the answer
  double known_reach = 1e-5;    ///< how near that is, as a surface distance, fraction of diag
  double goal = std::numeric_limits<double>::infinity();  ///< given up where the energy will not fall to it
};

struct NewtonOutcome {
  int steps = 0;
  double energy = 0;
  double movement = 0;  ///< of the last step
  double gradient = 0;  ///< norm, solve units: what is left at the end
  bool converged = false;
  bool flat = false;      ///< left in a valley where many steps take off next to nothing (progress.h)
  bool given_up = false;  ///< see NewtonSettings::goal
  bool at_known = false;  ///< the pose is now NewtonSettings::known; energy and gradient are not filled in

  bool has_ended() const { return converged || flat || given_up || at_known; }
};

/// Newton's method, with a convex model where the Hessian is indefinite and Levenberg-Marquardt damping where
/// steps fail; keeps what can be reused between calls. Not for two threads at once.
class NewtonSolver {
 public:
  explicit NewtonSolver(const System& system, Freedom freedom = Freedom::free);

  /// Polishes a pose to a minimum of the energy. \pre the freedom allows the pose.
  NewtonOutcome polish(const FrameMoments& frame, const NewtonSettings& settings, Pose& pose);

 private:
  /// A step and where it led; the model is there.
  struct Trial {
    Pose pose;
    double sq_surface = 0;  ///< mean square distance by which the step moves the surface, or less
    bool lengthened = false, shortened = false;
  };
  bool factor(const FrameMoments& frame, const Pose& pose, double damping);
  Trial try_step(const FrameMoments& frame, const Pose& pose);
  bool lengthen(const FrameMoments& frame, const Pose& pose, const Step& step, Pose& moved) const;
  bool shorten(const FrameMoments& frame, const Pose& pose, const Step& step, Pose& moved) const;

  const System& system_;
  bool is_exact_ = true;  // the Hessian that was factored last
  std::unique_ptr<LocalModel> model_;
};

}  // namespace pelt
