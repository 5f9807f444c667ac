// Seven points a triangle, exact to third degree (Stroud, "Approximate calculation of multiple integrals",
// 1971): corners, middles of the edges and the centroid with 1/20, 2/15 and 9/20 of the area.
#include "integrated_quality.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

namespace pelt {
namespace {

/// The triangles all of whose corners count.
Eigen::Matrix3Xi counted(const MeasureSettings& settings, const Eigen::Matrix3Xi& triangles) {
  std::vector<int> those;
  for (int t = 0; t < static_cast<int>(triangles.cols()); ++t)
    if (settings.weight(triangles.col(t)).minCoeff() > 0) those.push_back(t);
  return triangles(Eigen::all, those);
}

double sum(const std::vector<double>& terms) { return std::accumulate(terms.begin(), terms.end(), 0.0); }

}  // namespace

IntegratedQuality::IntegratedQuality(const MeasureSettings& settings, const Eigen::Matrix3Xi& triangles,
                                     int frames, std::int64_t most)
    : settings_(settings),
      corner_(counted(settings, triangles)),
      share_(corner_.cols()),
      vertex_share_(Eigen::VectorXd::Zero(settings.weight.size())) {
  for (Eigen::Index t = 0; t < corner_.cols(); ++t) {
    const Eigen::Vector3d a = settings.rest.col(corner_(0, t)), b = settings.rest.col(corner_(1, t)),
                          c = settings.rest.col(corner_(2, t));
    share_(t) = (b - a).cross(c - a).norm();
  }
  if (share_.sum() > 0) share_ /= share_.sum();
  for (Eigen::Index t = 0; t < corner_.cols(); ++t)
    for (const int v : corner_.col(t)) vertex_share_(v) += share_(t) / 3;
  step_ = static_cast<int>(std::max<std::int64_t>(1, (frames * corner_.cols() + most - 1) / most));
  error_.resize(static_cast<std::size_t>((frames + step_ - 1) / step_));
  displacement_.resize(error_.size());
}

/// Mean over the area of |a - b|, in % of diag.
double IntegratedQuality::mean_distance(const Eigen::Matrix3Xd& a, const Eigen::Matrix3Xd& b) const {
  const Eigen::Matrix3Xd apart = a - b;
  double corners = 0, middles = 0, centroids = 0;  // the latter two times 2 and 3
  for (Eigen::Index i = 0; i < apart.cols(); ++i)
    if (vertex_share_(i) > 0) corners += vertex_share_(i) * apart.col(i).norm();
  for (Eigen::Index t = 0; t < corner_.cols(); ++t) {
    const Eigen::Vector3d x = apart.col(corner_(0, t)), y = apart.col(corner_(1, t)),
                          z = apart.col(corner_(2, t));
    middles += share_(t) * ((x + y).norm() + (y + z).norm() + (z + x).norm());
    centroids += share_(t) * (x + y + z).norm();
  }
  return 100 / settings_.diag * (3.0 / 20 * corners + 1.0 / 15 * middles + 3.0 / 20 * centroids);
}

void IntegratedQuality::add(int frame, const Eigen::Matrix3Xd& target, const Eigen::Matrix3Xd& actual) {
  if (frame % step_ != 0) return;
  const auto n = static_cast<std::size_t>(frame / step_);
  error_[n] = mean_distance(target, actual);
  displacement_[n] = mean_distance(target, settings_.rest);
}

std::optional<double> IntegratedQuality::value(const Figures& figures) const {
  double error = 0, displacement = 0;  // sums over vertices in the integrated frames
  for (std::size_t f = 0; f < figures.frames.size(); f += static_cast<std::size_t>(step_))
    error += figures.frames[f].mean, displacement += figures.frames[f].displacement;
  if (!figures.quality || !(displacement > 0) || !(sum(displacement_) > 0)) return std::nullopt;
  if (!(error > 0)) return 100 * (1 - figures.mean / figures.displacement);
  return 100 * (1 - figures.mean * (sum(error_) / error) /
                        (figures.displacement * (sum(displacement_) / displacement)));
}

}  // namespace pelt
