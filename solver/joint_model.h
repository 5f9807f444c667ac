#pragma once

#include <vector>

#include "block_cholesky.h"
#include "local_model.h"

namespace pelt {

/// Joints that move on their own: N = 6 numbers a joint, omega and tau, x -> exp(omega) (x - c) + c + tau
/// about the joint's pivot c as it is now; N = 7 with sigma, which scales x - c by exp(sigma).
template <int N>
class JointModel : public LocalModel {
 public:
  explicit JointModel(const System& system);
  void expand(const FrameMoments& frame, const Pose& pose, Curvature curvature) override;
  bool factor(double damping) override;
  Step step() const override;
  Pose retract(const Pose& pose, const Step& step) const override;
  Eigen::MatrixXd hessian() const override;

 private:
  using Block = Eigen::Matrix<double, N, N>;
  void freeze_scales(const Pose& pose);

  const System& system_;
  std::vector<Eigen::Matrix4d> moved_;  ///< motions, then a shift of the pivot to the origin
  std::vector<Block> blocks_;           ///< parallel to system.column; the lower triangle is filled
  std::vector<Block> damped_;
  std::vector<char> frozen_;  ///< scales that rest on a bound and would leave it
  BlockCholesky<N> cholesky_;
};

}  // namespace pelt
