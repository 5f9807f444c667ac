#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <nanoflann.hpp>
#include <utility>
#include <vector>

namespace pelt {

/// Points, and how to find those nearest to a place. It stays where it was made.
class PointTree {
 public:
  /// 3 x N. \pre N > 0
  explicit PointTree(Eigen::MatrixXd points) : points_(std::move(points)), tree_(3, points_) {}
  PointTree(const PointTree&) = delete;
  PointTree& operator=(const PointTree&) = delete;

  const Eigen::MatrixXd& points() const { return points_; }

  Eigen::Index nearest(const Eigen::Vector3d& p, double& sq_dist) const {
    Tree::IndexType index = 0;
    tree_.index->knnSearch(p.data(), 1, &index, &sq_dist);
    return static_cast<Eigen::Index>(index);
  }

  /// Of the nearest so many, or of all where there are no more; the nearest first.
  std::vector<Eigen::Index> nearest(const Eigen::Vector3d& p, Eigen::Index count) const {
    std::vector<Tree::IndexType> index(static_cast<std::size_t>(std::min(count, points_.cols())));
    std::vector<double> sq_dist(index.size());
    tree_.index->knnSearch(p.data(), index.size(), index.data(), sq_dist.data());
    return {index.begin(), index.end()};
  }

 private:
  using Tree = nanoflann::KDTreeEigenMatrixAdaptor<Eigen::MatrixXd, 3, nanoflann::metric_L2_Simple, false>;
  Eigen::MatrixXd points_;
  Tree tree_;
};

}  // namespace pelt
