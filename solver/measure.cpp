#include "measure.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "error.h"
#include "rigid_fit.h"

namespace pelt {
namespace {

// A clip whose mean displacement is below this share of diag does not move: a ratio to it would mean nothing.
constexpr double kStill = 1e-9;
constexpr int kBins = 2048;

std::optional<double> quality(double error, double displacement) {
  if (displacement <= kStill) return std::nullopt;
  return 100 * (1 - error / displacement);
}

/// Weights by value, so that a percentile needs only the values of a few bins sorted.
struct Histogram {
  float low, scale;
  double total = 0;
  std::vector<double> weight = std::vector<double>(kBins, 0.0);

  Histogram(const std::vector<WeightedValue>& values, float lowest, float highest)
      : low(lowest), scale(highest > lowest ? (kBins - 1) / (highest - lowest) : 0) {
    for (const WeightedValue& v : values) weight[bin_of(v.value)] += v.weight, total += v.weight;
  }

  int bin_of(float value) const { return static_cast<int>((value - low) * scale); }

  /// The value that stands at `goal`, between the two neighbours that stand around it.
  double value_at(const std::vector<WeightedValue>& values, double goal) const {
    double before = 0;
    int from = 0, to = 0;  // bins that hold both neighbours, with a filled one on either side of the goal's
    for (double reached = 0; to < kBins - 1 && reached < goal; ++to) reached += weight[to];
    while (to < kBins - 1 && weight[to] == 0) ++to;
    for (int filled = 0, bin = to - 1; bin >= 0 && filled < 2; --bin)
      if (weight[bin] > 0) ++filled, from = bin;
    for (int bin = 0; bin < from; ++bin) before += weight[bin];
    std::vector<WeightedValue> near;
    for (const WeightedValue& v : values)
      if (const int bin = bin_of(v.value); bin >= from && bin <= to) near.push_back(v);
    std::sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    return interpolate(near, before, goal);
  }

  static double interpolate(const std::vector<WeightedValue>& sorted, double before, double goal) {
    for (std::size_t k = 0; k + 1 < sorted.size(); ++k) {
      const double here = before + sorted[k].weight / 2.0;
      const double next = before + sorted[k].weight + sorted[k + 1].weight / 2.0;
      if (goal <= here) return sorted[k].value;
      if (goal <= next)
        return sorted[k].value + (goal - here) / (next - here) * (sorted[k + 1].value - sorted[k].value);
      before += sorted[k].weight;
    }
    return sorted.back().value;
  }
};

}  // namespace

Measure::Measure(MeasureSettings settings, int frames) : settings_(std::move(settings)), sums_(frames) {
  const Eigen::Index vertices = settings_.weight.size();
  if (settings_.rest.cols() != vertices)
    throw InvalidInput("measure: " + std::to_string(vertices) + " weights for " +
                       std::to_string(settings_.rest.cols()) + " rest points");
  for (int i = 0; i < vertices; ++i)
    if (settings_.weight(i) > 0) counted_.push_back(i);
  if (counted_.empty()) throw InvalidInput("measure: no vertex counts");
  if (!(settings_.diag > 0)) throw InvalidInput("measure: the diagonal is " + std::to_string(settings_.diag));
  settings_.weight /= settings_.weight.sum();
  error_.resize(static_cast<Eigen::Index>(counted_.size()), frames);
}

void Measure::add(int frame, const Eigen::Matrix3Xd& target, const Eigen::Matrix3Xd& actual) {
  FrameSums& sum = sums_[frame];
  for (std::size_t n = 0; n < counted_.size(); ++n) {
    const int i = counted_[n];
    const double w = settings_.weight(i);
    const double error = (actual.col(i) - target.col(i)).norm() / settings_.diag;
    error_(static_cast<Eigen::Index>(n), frame) = static_cast<float>(error);
    sum.error += w * error;
    sum.squared += w * error * error;
    sum.plain_squared += error * error;
    sum.displacement += w * (target.col(i) - settings_.rest.col(i)).norm() / settings_.diag;
  }
  sum.local = displacement_in_place(target);
}

/// Mean distance of the target from its rest after the best rigid motion, share of diag.
double Measure::displacement_in_place(const Eigen::Matrix3Xd& target) const {
  const Eigen::Vector3d rest_centre = settings_.rest.col(counted_.front()),
                        centre = target.col(counted_.front());
  PairMoments moments;
  for (const int i : counted_) {
    const double w = settings_.weight(i);
    const Eigen::Vector3d x = settings_.rest.col(i) - rest_centre, y = target.col(i) - centre;
    moments.mass += w;
    moments.source += w * x;
    moments.target += w * y;
    moments.cross += w * x * y.transpose();
  }
  const Motion rigid = rigid_fit(moments);
  double sum = 0;
  for (const int i : counted_) {
    const Eigen::Vector3d x = settings_.rest.col(i) - rest_centre, y = target.col(i) - centre;
    sum += settings_.weight(i) * (rigid.leftCols<3>() * x + rigid.col(3) - y).norm();
  }
  return sum / settings_.diag;
}

void Measure::add_joint_means(Figures& out) const {
  out.joint_mean.assign(settings_.joints, 0.0);
  std::vector<double> share(settings_.joints, 0.0);
  for (std::size_t n = 0; n < counted_.size() && !settings_.joint.empty(); ++n) {
    const int i = counted_[n];
    const double error = error_.row(static_cast<Eigen::Index>(n)).cast<double>().mean();
    for (int k = settings_.first_influence[i]; k < settings_.first_influence[i + 1]; ++k) {
      const double w = settings_.weight(i) * settings_.influence_weight[k];
      out.joint_mean[settings_.joint[k]] += 100 * w * error;
      share[settings_.joint[k]] += w;
    }
  }
  for (int j = 0; j < settings_.joints; ++j)
    if (share[j] > 0) out.joint_mean[j] /= share[j];
}

void Measure::add_percentiles(Figures& out) const {
  std::vector<WeightedValue> all;
  all.reserve(static_cast<std::size_t>(error_.size()));
  for (Eigen::Index f = 0; f < error_.cols(); ++f)
    for (std::size_t n = 0; n < counted_.size(); ++n)
      all.push_back(
          {error_(static_cast<Eigen::Index>(n), f), static_cast<float>(settings_.weight(counted_[n]))});
  const std::vector<double> percentiles = weighted_percentiles(all, {95, 99});
  out.p95 = 100 * percentiles[0];
  out.p99 = 100 * percentiles[1];
}

Figures Measure::figures() const {
  Figures out;
  if (sums_.empty()) return out;
  double error = 0, squared = 0, plain = 0, displacement = 0, local = 0;
  for (std::size_t f = 0; f < sums_.size(); ++f) {
    const FrameSums& s = sums_[f];
    error += s.error, squared += s.squared, plain += s.plain_squared, displacement += s.displacement,
        local += s.local;
    const double worst = error_.col(static_cast<Eigen::Index>(f)).maxCoeff();
    out.frames.push_back({100 * s.error, 100 * std::sqrt(s.squared), 100 * worst, 100 * s.displacement});
  }
  const double frames = static_cast<double>(sums_.size());
  out.quality = quality(error / frames, displacement / frames);
  out.quality_in_place = quality(error / frames, local / frames);
  out.mean = 100 * error / frames;
  out.squared = squared / frames;
  out.rms = 100 * std::sqrt(out.squared);
  out.displacement = 100 * displacement / frames;
  out.erms = 1000 * std::sqrt(plain / (3 * frames * static_cast<double>(counted_.size())));
  Eigen::Index n = 0, f = 0;
  out.worst = 100 * static_cast<double>(error_.maxCoeff(&n, &f));
  const int vertex = counted_[static_cast<std::size_t>(n)];
  out.worst_place = {static_cast<int>(f), vertex, -1};
  double largest = 0;
  if (!settings_.joint.empty())
    for (int k = settings_.first_influence[vertex]; k < settings_.first_influence[vertex + 1]; ++k)
      if (settings_.influence_weight[k] > largest)
        largest = settings_.influence_weight[k], out.worst_place.joint = settings_.joint[k];
  add_percentiles(out);
  add_joint_means(out);
  return out;
}

std::vector<double> weighted_percentiles(const std::vector<WeightedValue>& values,
                                         const std::vector<double>& percents) {
  if (values.empty()) return std::vector<double>(percents.size(), 0.0);
  float low = values[0].value, high = low, low_weight = values[0].weight, high_weight = low_weight;
  for (const WeightedValue& v : values) {
    if (v.value < low) low = v.value, low_weight = v.weight;
    if (v.value > high) high = v.value, high_weight = v.weight;
  }
  const Histogram histogram(values, low, high);
  // a value stands at the weight before it plus half its own; the smallest and the largest at 0 and 1
  const double first = low_weight / 2.0, span = histogram.total - first - high_weight / 2.0;
  std::vector<double> result;
  for (const double percent : percents)
    result.push_back(histogram.value_at(values, first + span * percent / 100));
  return result;
}

}  // namespace pelt
