#pragma once

#include <Eigen/Cholesky>
#include <optional>
#include <vector>

#include "block_cholesky.h"
#include "chain_pairs.h"
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
  void lay_out_blocks();
  void choose_factor();
  Eigen::Matrix3d& block(int lower, int upper);
  void sum_pairs(const Pose& pose);
  void fill_hessian(const std::vector<Eigen::Matrix3d>& turning, Curvature curvature);
  bool factor(const std::vector<Eigen::Matrix3d>& blocks);
  Eigen::MatrixXd lower_triangle(const std::vector<Eigen::Matrix3d>& blocks) const;
  void add_curvature(const std::vector<Eigen::Matrix3d>& turning);

  const System& system_;
  const ChainPairs pairs_;
  std::vector<int> turn_;                ///< B + 1; the block of a joint's omega; a root's tau is the next
  std::vector<Eigen::Vector3d> origin_;  ///< B; now
  std::vector<Eigen::Matrix4d> pair_;    ///< of pairs_: sums of x_k x_l^T over the joints at and below a and
                                         ///< at and below b; whole for b <= a
  std::vector<int> row_, column_;        ///< the pattern of the Hessian's 3 x 3 blocks, as in BlockCholesky
  std::vector<Eigen::Matrix3d> blocks_, damped_;  ///< parallel to column_; the lower triangle is filled
  std::optional<BlockCholesky<3>> cholesky_;      ///< none where too few blocks are empty
  Eigen::LLT<Eigen::MatrixXd> dense_;             ///< for those
};

/// The pose in which each joint turns as it does here but stands where its parent carries it.
Pose on_chain(const System& system, const Pose& pose);

/// Turns each joint, with all that it carries, to where E is least: Horn's closed form, parents first.
void sweep_chain(const System& system, const FrameMoments& frame, Pose& pose);

}  // namespace pelt
