#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "local_model.h"

namespace pelt {

/// Joints that turn about their own origins and carry all below them: omega for each joint, and tau behind it
/// for roots. A step turns a joint first, then what its ancestors turn.
class ChainModel : public LocalModel {
 public:
  explicit ChainModel(const System& system);
  void expand(const FrameMoments& frame, const Pose& pose, Curvature curvature) override;
  bool factor(double damping) override;
  Step step() const override;
  Pose retract(const Pose& pose, const Step& step) const override;
  Eigen::MatrixXd hessian() const override;

 private:
  void sum_pairs(const Pose& pose);
  void fill_hessian(const std::vector<Eigen::Matrix3d>& turning, Curvature curvature);

  const System& system_;
  std::vector<int> first_;               ///< B + 1; where a joint's numbers begin
  std::vector<Eigen::Vector3d> origin_;  ///< B; now
  std::vector<Eigen::Matrix4d> pair_;    ///< B x B; sums of x_k x_l^T over the joints below a and below b
  Eigen::MatrixXd hessian_;              ///< lower triangle
  Eigen::LLT<Eigen::MatrixXd> llt_;
};

/// The pose in which each joint turns as it does here but stands where its parent carries it.
Pose on_chain(const System& system, const Pose& pose);

/// Turns each joint, with all that it carries, to where E is least: Horn's closed form, parents first.
void sweep_chain(const System& system, const FrameMoments& frame, Pose& pose);

}  // namespace pelt
