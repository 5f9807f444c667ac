#include "measure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "error.h"
#include "kernels.h"
#include "rigid_fit.h"

namespace pelt {
namespace {

// A clip whose mean displacement is below this share of diag does not move: a ratio to it would mean nothing.
constexpr double kStill = 1e-9;

/// Vertices in a number that four divides.
struct Fours {
  const double* points[2];  ///< of each surface
  const double *weight, *copies;
  int first, count;
};

/// Visits two surfaces; where four does not divide their vertices, the last ones with others of weight 0.
template <class Visit>
void in_fours(const MeasureSettings& settings, std::array<const Eigen::Matrix3Xd*, 2> surface,
              Visit&& visit) {
  const Eigen::VectorXd &weight = settings.weight, &copies = settings.copies;
  const int vertices = static_cast<int>(weight.size()), whole = vertices / 4 * 4, left = vertices - whole;
  visit(Fours{{surface[0]->data(), surface[1]->data()}, weight.data(), copies.data(), 0, whole});
  if (left == 0) return;
  Eigen::Matrix<double, 3, 4> points[2] = {Eigen::Matrix<double, 3, 4>::Zero(),
                                           Eigen::Matrix<double, 3, 4>::Zero()};
  Eigen::Vector4d weights = Eigen::Vector4d::Zero(), of_each = Eigen::Vector4d::Zero();
  for (int k = 0; k < 2; ++k) points[k].leftCols(left) = surface[k]->rightCols(left);
  weights.head(left) = weight.tail(left), of_each.head(left) = copies.tail(left);
  visit(Fours{{points[0].data(), points[1].data()}, weights.data(), of_each.data(), whole, 4});
}

}  // namespace

std::optional<double> quality_from(double error, double displacement) {
  if (displacement <= kStill) return std::nullopt;
  return 100 * (1 - error / displacement);
}

Measure::Measure(MeasureSettings settings, int frames) : settings_(std::move(settings)), sums_(frames) {
  const Eigen::Index vertices = settings_.weight.size();
  if (settings_.rest.cols() != vertices)
    throw InvalidInput("measure: " + std::to_string(vertices) + " weights for " +
                       std::to_string(settings_.rest.cols()) + " rest points");
  if (settings_.copies.size() == 0) settings_.copies = Eigen::VectorXd::Ones(vertices);
  if (settings_.copies.size() != vertices)
    throw InvalidInput("measure: " + std::to_string(vertices) + " weights for " +
                       std::to_string(settings_.copies.size()) + " vertices with copies");
  for (int i = static_cast<int>(vertices) - 1; i >= 0; --i)
    if (settings_.weight(i) > 0) first_counted_ = i, counted_ += settings_.copies(i);
  if (first_counted_ < 0) throw InvalidInput("measure: no vertex counts");
  if (!(settings_.diag > 0)) throw InvalidInput("measure: the diagonal is " + std::to_string(settings_.diag));
  settings_.weight /= settings_.weight.sum();
  record_.emplace(settings_.weight, frames, ErrorRecord::kKept, settings_.copies);
}

Displacement Measure::displacement(const Eigen::Matrix3Xd& target) const {
  const Eigen::Vector3d rest_centre = settings_.rest.col(first_counted_), centre = target.col(first_counted_);
  kernels::DisplacementSums sums;
  const auto each_four = [&](auto&& visit) {
    in_fours(settings_, {&target, &settings_.rest}, [&](const Fours& f) {
      visit({f.points[0], f.points[1], f.weight, centre.data(), rest_centre.data()}, f.count);
    });
  };
  using Input = kernels::DisplacementInput;
  each_four([&](const Input& in, int count) { kernels::measure_displacement(in, count, sums); });
  PairMoments moments{sums.mass, Eigen::Vector3d(sums.source), Eigen::Vector3d(sums.target), {}};
  moments.cross = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&sums.cross[0][0]);
  const Motion rigid = rigid_fit(moments);
  double in_place = 0;
  each_four(
      [&](const Input& in, int count) { in_place += kernels::measure_in_place(in, count, rigid.data()); });
  return {sums.moved / settings_.diag, in_place / settings_.diag};
}

void Measure::add(int frame, const Eigen::Matrix3Xd& target, const Eigen::Matrix3Xd& actual) {
  add(frame, displacement(target), target, actual);
}

void Measure::add(int frame, const Displacement& displacement, const Eigen::Matrix3Xd& target,
                  const Eigen::Matrix3Xd& actual) {
  const Eigen::Index vertices = settings_.weight.size();
  Eigen::VectorXf error((vertices + 3) / 4 * 4);
  kernels::ErrorSums sums;
  in_fours(settings_, {&target, &actual}, [&](const Fours& f) {
    kernels::measure_errors({f.points[0], f.points[1], f.weight, f.copies, 1 / settings_.diag}, f.count,
                            error.data() + f.first, sums);
  });
  error.conservativeResize(vertices);
  FrameSums& sum = sums_[frame];
  sum = {sums.error, sums.squared, displacement.total, displacement.in_place, sums.plain_squared};
  sum.worst = static_cast<float>(sums.worst);
  const auto worst = std::find(error.begin(), error.end(), sum.worst);
  sum.worst_vertex =
      sum.worst > 0 && worst != error.end() ? static_cast<int>(worst - error.begin()) : first_counted_;
  record_->add(frame, error);
}

double Measure::mean_distance(const Eigen::Matrix3Xd& a, const Eigen::Matrix3Xd& b) const {
  Eigen::VectorXf each((settings_.weight.size() + 3) / 4 * 4);
  kernels::ErrorSums sums;
  in_fours(settings_, {&a, &b}, [&](const Fours& f) {
    kernels::measure_errors({f.points[0], f.points[1], f.weight, f.copies, 1 / settings_.diag}, f.count,
                            each.data() + f.first, sums);
  });
  return sums.error;
}

void Measure::add_joint_means(Figures& out) const {
  out.joint_mean.assign(settings_.joints, 0.0);
  out.joint_share.assign(settings_.joints, 0.0);
  if (settings_.joint.empty()) return;
  const Eigen::VectorXd error = record_->vertex_means();
  for (int i = 0; i < static_cast<int>(error.size()); ++i) {
    if (!(settings_.weight(i) > 0)) continue;
    for (int k = settings_.first_influence[i]; k < settings_.first_influence[i + 1]; ++k) {
      const double w = settings_.weight(i) * settings_.influence_weight[k];
      out.joint_mean[settings_.joint[k]] += 100 * w * error(i);
      out.joint_share[settings_.joint[k]] += w;
    }
  }
  for (int j = 0; j < settings_.joints; ++j)
    if (out.joint_share[j] > 0) out.joint_mean[j] /= out.joint_share[j];
}

/// The joint of the largest influence on a vertex.
int Measure::joint_of(int vertex) const {
  int joint = -1;
  double largest = 0;
  if (!settings_.joint.empty())
    for (int k = settings_.first_influence[vertex]; k < settings_.first_influence[vertex + 1]; ++k)
      if (settings_.influence_weight[k] > largest)
        largest = settings_.influence_weight[k], joint = settings_.joint[k];
  return joint;
}

Figures Measure::figures() const {
  Figures out;
  if (sums_.empty()) return out;
  double error = 0, squared = 0, plain = 0, displacement = 0, local = 0;
  std::size_t worst = 0;
  for (std::size_t f = 0; f < sums_.size(); ++f) {
    const FrameSums& s = sums_[f];
    error += s.error, squared += s.squared, plain += s.plain_squared, displacement += s.displacement,
        local += s.local;
    out.frames.push_back(
        {100 * s.error, 100 * std::sqrt(s.squared), 100 * double{s.worst}, 100 * s.displacement});
    if (s.worst > sums_[worst].worst) worst = f;
  }
  const double frames = static_cast<double>(sums_.size());
  out.quality = quality_from(error / frames, displacement / frames);
  out.quality_in_place = quality_from(error / frames, local / frames);
  out.mean = 100 * error / frames;
  out.squared = squared / frames;
  out.rms = 100 * std::sqrt(out.squared);
  out.displacement = 100 * displacement / frames;
  out.erms = 1000 * std::sqrt(plain / (3 * frames * counted_));
  out.worst = 100 * double{sums_[worst].worst};
  const int vertex = sums_[worst].worst_vertex;
  out.worst_place = {static_cast<int>(worst), vertex, joint_of(vertex)};
  const std::vector<double> percentiles = record_->percentiles({95, 99});
  out.p95 = 100 * percentiles[0];
  out.p99 = 100 * percentiles[1];
  add_joint_means(out);
  return out;
}

}  // namespace pelt
