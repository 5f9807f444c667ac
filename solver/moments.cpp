// Second moments of a skinned surface: after them no sweep touches a vertex again.
// The normal equations of linear blend skinning with fixed weights (e.g. James and Twigg, "Skinning mesh
// animations", 2005, section 4), kept as 4x4 blocks per pair of joints because rest points differ from joint
// to joint.

#include "moments.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "error.h"

namespace pelt {
namespace {

// Vertices are summed in a fixed number of runs, whatever the number of threads, and the runs are added in
// order: so the result does not depend on who computed it.
constexpr int kRuns = 16;

void check(const Rig& rig, const Eigen::VectorXd& measure) {
  if (measure.size() != rig.vertices())
    throw InvalidInput("measure holds " + std::to_string(measure.size()) + " shares for " +
                       std::to_string(rig.vertices()) + " vertices");
  if (!measure.allFinite() || (measure.size() > 0 && measure.minCoeff() < 0))
    throw InvalidInput("measure must be finite and not negative");
}

bool counts(const Rig& rig, const Eigen::VectorXd& measure, int i) {
  return measure(i) > 0 && rig.first_influence[i] < rig.first_influence[i + 1];
}

/// For each joint the terms of its vertices, in vertex order.
void collect_terms(const Rig& rig, const Eigen::VectorXd& measure, RigMoments& out) {
  out.first_term.assign(rig.joints() + 1, 0);
  const auto each = [&](auto&& visit) {
    for (int i = 0; i < rig.vertices(); ++i)
      if (counts(rig, measure, i))
        for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k) visit(i, k);
  };
  each([&](int, int k) { ++out.first_term[rig.joint[k] + 1]; });
  for (int j = 0; j < rig.joints(); ++j) out.first_term[j + 1] += out.first_term[j];
  out.terms.resize(out.first_term.back());
  std::vector<int> next(out.first_term.begin(), out.first_term.end() - 1);
  each([&](int i, int k) {
    const Eigen::Vector3d u = (rig.rest_point.col(k) - out.unit.centre) / out.unit.length;
    out.terms[next[rig.joint[k]]++] = {i, Eigen::Vector4d(measure(i) * rig.weight[k] * u.homogeneous())};
  });
}

/// Index of block (j, k). \pre it exists.
int find_block(const RigMoments& m, int j, int k) {
  const auto begin = m.column.begin();
  return static_cast<int>(std::lower_bound(begin + m.row[j], begin + m.row[j + 1], k) - begin);
}

/// Which joints share a vertex, as block rows.
void collect_pattern(const Rig& rig, const Eigen::VectorXd& measure, RigMoments& out) {
  std::vector<std::vector<int>> rows(rig.joints());
  for (int j = 0; j < rig.joints(); ++j) rows[j] = {j};
  for (int i = 0; i < rig.vertices(); ++i) {
    if (!counts(rig, measure, i)) continue;
    for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k)
      for (int l = rig.first_influence[i]; l < rig.first_influence[i + 1]; ++l) {
        std::vector<int>& row = rows[rig.joint[k]];
        const auto at = std::lower_bound(row.begin(), row.end(), rig.joint[l]);
        if (at == row.end() || *at != rig.joint[l]) row.insert(at, rig.joint[l]);
      }
  }
  out.row.assign(1, 0);
  for (const auto& row : rows) {
    out.column.insert(out.column.end(), row.begin(), row.end());
    out.row.push_back(static_cast<int>(out.column.size()));
  }
}

/// Adds the upper blocks (j <= k) of vertices [begin, end).
void add_blocks(const Rig& rig, const RigMoments& out, int begin, int end,
                std::vector<Eigen::Matrix4d>& block) {
  std::vector<Eigen::Vector4d> wq;
  for (int i = begin; i < end; ++i) {
    if (out.measure(i) == 0) continue;
    const int first = rig.first_influence[i], count = rig.first_influence[i + 1] - first;
    wq.resize(count);
    for (int k = 0; k < count; ++k) {
      const Eigen::Vector3d u = (rig.rest_point.col(first + k) - out.unit.centre) / out.unit.length;
      wq[k] = rig.weight[first + k] * u.homogeneous();
    }
    for (int k = 0; k < count; ++k)
      for (int l = 0; l < count; ++l)
        if (const int j = rig.joint[first + k]; j <= rig.joint[first + l])
          block[find_block(out, j, rig.joint[first + l])].noalias() +=
              (out.measure(i) * wq[k]) * wq[l].transpose();
  }
}

void sum_blocks(const Rig& rig, int threads, RigMoments& out) {
  std::vector<std::vector<Eigen::Matrix4d>> run(kRuns);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int r = 0; r < kRuns; ++r) {
    run[r].assign(out.column.size(), Eigen::Matrix4d::Zero());
    const auto bound = [&](int k) {
      return static_cast<int>(static_cast<long long>(rig.vertices()) * k / kRuns);
    };
    add_blocks(rig, out, bound(r), bound(r + 1), run[r]);
  }
  out.block.assign(out.column.size(), Eigen::Matrix4d::Zero());
  for (const auto& part : run)
    for (std::size_t n = 0; n < part.size(); ++n) out.block[n] += part[n];
  for (int j = 0; j < rig.joints(); ++j)  // mirror the upper blocks
    for (int n = out.row[j]; n < out.row[j + 1]; ++n)
      if (out.column[n] < j) out.block[n] = out.block[find_block(out, out.column[n], j)].transpose();
}

void measure_support(const Rig& rig, const Eigen::VectorXd& measure, RigMoments& out) {
  out.support.assign(rig.joints(), {});
  std::vector<double> sq_mass(rig.joints(), 0.0);
  const auto unit_point = [&](int k) -> Eigen::Vector3d {
    return (rig.rest_point.col(k) - out.unit.centre) / out.unit.length;
  };
  const auto each = [&](auto&& visit) {
    for (int i = 0; i < rig.vertices(); ++i)
      if (counts(rig, measure, i))
        for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k)
          visit(i, k, out.support[rig.joint[k]]);
  };
  each([&](int i, int k, Support& s) {
    const double w = rig.weight[k], m = measure(i) * w * w;
    s.mass += measure(i) * w;
    s.reach = std::max(s.reach, w);
    s.centroid += m * unit_point(k);
    sq_mass[rig.joint[k]] += m;
  });
  for (int j = 0; j < rig.joints(); ++j)
    if (sq_mass[j] > 0) out.support[j].centroid /= sq_mass[j];
  each([&](int, int k, Support& s) { s.radius = std::max(s.radius, (unit_point(k) - s.centroid).norm()); });
}

}  // namespace

Motion to_unit(const Motion& motion, const SolveUnit& unit) {
  Motion out = motion;
  out.col(3) = (motion.leftCols<3>() * unit.centre + motion.col(3) - unit.centre) / unit.length;
  return out;
}

Motion from_unit(const Motion& motion, const SolveUnit& unit) {
  Motion out = motion;
  out.col(3) = unit.length * motion.col(3) + unit.centre - motion.leftCols<3>() * unit.centre;
  return out;
}

SolveUnit solve_unit(const Rig& rig, const Eigen::VectorXd& measure) {
  check(rig, measure);
  SolveUnit unit;
  Eigen::Vector3d low = Eigen::Vector3d::Constant(INFINITY), high = -low, sum = Eigen::Vector3d::Zero();
  double mass = 0;
  for (int i = 0; i < rig.vertices(); ++i) {
    if (!counts(rig, measure, i)) continue;
    Eigen::Vector3d p = Eigen::Vector3d::Zero();
    for (int k = rig.first_influence[i]; k < rig.first_influence[i + 1]; ++k)
      p += rig.weight[k] * rig.rest_point.col(k);
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
    sum += measure(i) * p;
    mass += measure(i);
  }
  if (mass == 0) return unit;
  unit.centre = sum / mass;
  if (const double diagonal = (high - low).norm(); diagonal > 0) unit.length = diagonal;
  return unit;
}

RigMoments rig_moments(const Rig& rig, const Eigen::VectorXd& measure, int threads) {
  RigMoments out;
  out.unit = solve_unit(rig, measure);
  out.vertices = rig.vertices();
  out.measure = measure;
  for (int i = 0; i < rig.vertices(); ++i)
    if (!counts(rig, measure, i)) out.measure(i) = 0;
  collect_terms(rig, measure, out);
  collect_pattern(rig, measure, out);
  sum_blocks(rig, threads, out);
  measure_support(rig, measure, out);
  return out;
}

void set_frame(TargetBlock& block, int frame, const Eigen::Matrix3Xd& positions, const RigMoments& rig) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double mass = 0;
  for (int i = 0; i < rig.vertices; ++i)
    if (rig.measure(i) > 0) sum += rig.measure(i) * positions.col(i), mass += rig.measure(i);
  const Eigen::Vector3d centroid = mass > 0 ? Eigen::Vector3d(sum / mass) : rig.unit.centre;
  block.shift.col(frame) = (centroid - rig.unit.centre) / rig.unit.length;
  for (int i = 0; i < rig.vertices; ++i) {
    auto cell = block.values.row(i).segment<3>(3 * frame);
    if (rig.measure(i) > 0)
      cell = ((positions.col(i) - centroid) / rig.unit.length).transpose();
    else
      cell.setZero();
  }
}

TargetMoments target_moments(const RigMoments& rig, const TargetBlock& block, int frames, int threads) {
  const int joints = static_cast<int>(rig.support.size()), columns = 3 * frames;
  TargetMoments out{frames, Eigen::MatrixXd::Zero(4 * joints, columns), Eigen::VectorXd::Zero(frames),
                    block.shift.leftCols(frames)};
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int j = 0; j < joints; ++j) {
    Eigen::Matrix<double, 4, Eigen::Dynamic, Eigen::RowMajor> sum =
        Eigen::Matrix<double, 4, Eigen::Dynamic, Eigen::RowMajor>::Zero(4, columns);
    for (int n = rig.first_term[j]; n < rig.first_term[j + 1]; ++n) {
      const auto v = block.values.row(rig.terms[n].vertex).head(columns);
      for (int r = 0; r < 4; ++r) sum.row(r) += rig.terms[n].factor(r) * v;
    }
    out.b.middleRows<4>(4 * j) = sum;
  }
  Eigen::RowVectorXd squares = Eigen::RowVectorXd::Zero(columns);
  for (int i = 0; i < rig.vertices; ++i)
    if (rig.measure(i) > 0) squares += rig.measure(i) * block.values.row(i).head(columns).cwiseAbs2();
  for (int f = 0; f < frames; ++f) out.sq_norm(f) = squares.segment<3>(3 * f).sum();
  return out;
}

TargetMoments concatenate(const TargetMoments& a, const TargetMoments& b) {
  if (a.frames == 0) return b;
  TargetMoments out{a.frames + b.frames, Eigen::MatrixXd(b.b.rows(), a.b.cols() + b.b.cols()),
                    Eigen::VectorXd(a.frames + b.frames), Eigen::Matrix3Xd(3, a.frames + b.frames)};
  out.b << a.b, b.b;
  out.sq_norm << a.sq_norm, b.sq_norm;
  out.shift << a.shift, b.shift;
  return out;
}

}  // namespace pelt
