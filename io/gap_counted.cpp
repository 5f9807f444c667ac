#include "gap_counted.h"

#include <numeric>

namespace pelt {
namespace {

double mean(const std::vector<double>& terms) {
  return std::accumulate(terms.begin(), terms.end(), 0.0) / static_cast<double>(terms.size());
}

}  // namespace

GapCounted::GapCounted(const Motive& motive, const Measure& keys, int frames) : motive_(motive), keys_(keys) {
  if (!motive.correspondence || motive.correspondence->carrier.cols() == 0) return;
  rest_ = targets_at_rest(motive, Offset::left_out);
  error_.resize(static_cast<std::size_t>(frames));
  displacement_.resize(error_.size());
}

void GapCounted::add(int frame, const Eigen::Matrix3Xd& artist, const Eigen::Matrix3Xd& actual) {
  if (error_.empty()) return;
  const Eigen::Matrix3Xd points = targets_on(motive_, artist, Offset::left_out);
  error_[frame] = keys_.mean_distance(points, actual);
  displacement_[frame] = keys_.mean_distance(points, rest_);
}

std::optional<double> GapCounted::value(const Figures& figures) const {
  if (!motive_.correspondence) return std::nullopt;
  return error_.empty() ? figures.quality : quality_from(mean(error_), mean(displacement_));
}

}  // namespace pelt
