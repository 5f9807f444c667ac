// Second moments of a skinned surface: after them no sweep touches a vertex again.
// The normal equations of linear blend skinning with fixed weights (e.g. James and Twigg, "Skinning mesh
// animations", 2005, section 4), kept as 4x4 blocks per pair of joints because rest points differ from joint
// to joint.

#include "moments.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "error.h"
#include "kernels.h"
#include "vertex_tiles.h"

namespace pelt {
namespace {

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

constexpr int kCentrePoints = 256;

/// Vertices spread over the measured ones, in order.
std::vector<int> spread_vertices(const Eigen::VectorXd& measure) {
  std::vector<int> all, some;
  for (int i = 0; i < measure.size(); ++i)
    if (measure(i) > 0) all.push_back(i);
  const std::size_t step = all.size() / kCentrePoints + 1;
  for (std::size_t n = 0; n < all.size(); n += step) some.push_back(all[n]);
  return some;
}

/// The blocks A_jk of a joint with k >= j, in the order in which they were met.
struct BlockRow {
  std::vector<int> column;
  std::vector<Eigen::Matrix4d> block;

  /// `place`: where each joint stands in the row, -1 if it does not.
  int find_or_add(int k, std::vector<int>& place) {
    if (place[k] < 0) {
      place[k] = static_cast<int>(column.size());
      column.push_back(k);
      block.push_back(Eigen::Matrix4d::Zero());
    }
    return place[k];
  }
};

/// What a run of tiles adds up, by joint.
struct JointSums {
  BlockRow row;
  double mass = 0, sq_mass = 0, reach = 0;          ///< sum a w, sum a w^2, max w
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< sum a w^2 u
};

/// A tile of vertices at work: its influences sorted by joint, and sums over them.
class TilePass {
 public:
  TilePass(const Rig& rig, const RigMoments& out)
      : rig_(rig), out_(out), count_(rig.joints(), 0), place_(rig.joints(), -1) {}

  /// The joints of a tile, each with its number of terms in place of the first.
  std::vector<TargetTerms::Run> joints_of(int tile) {
    std::vector<TargetTerms::Run> runs;
    each(tile, [&](int, int k) {
      if (count_[rig_.joint[k]]++ == 0) runs.push_back({rig_.joint[k], 0});
    });
    std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.joint < b.joint; });
    for (auto& run : runs) run.first = std::exchange(count_[run.joint], 0);
    return runs;
  }

  /// Writes the tile's terms and adds its sums. \pre the runs of all tiles are laid out.
  void operator()(int tile, TargetTerms& terms, std::vector<JointSums>& sums) {
    write_terms(tile, terms);
    for (int n = terms.first_run[tile]; n < terms.first_run[tile + 1]; ++n) {
      const int joint = terms.runs[n].joint, first = terms.runs[n].first, end = terms.runs[n + 1].first;
      add_support(first, end, sums[joint]);
      add_blocks(joint, terms.factor.middleCols(first, end - first), first, sums[joint].row);
    }
  }

  /// visit(vertex, influence) over a tile.
  template <class Visit>
  void each(int tile, Visit&& visit) const {
    const VertexTiles tiles{rig_.vertices(), rig_.joints()};
    for (int i = tiles.begin(tile); i < tiles.end(tile); ++i)
      if (out_.measure(i) > 0)
        for (int k = rig_.first_influence[i]; k < rig_.first_influence[i + 1]; ++k) visit(i, k);
  }

 private:
  struct Place {
    int vertex, point;
  };

  void write_terms(int tile, TargetTerms& terms) {
    const VertexTiles tiles{rig_.vertices(), rig_.joints()};
    first_influence_ = rig_.first_influence[tiles.begin(tile)];
    points_.resize(4, rig_.first_influence[tiles.end(tile)] - first_influence_);
    first_term_ = terms.runs[terms.first_run[tile]].first;
    places_.resize(terms.runs[terms.first_run[tile + 1]].first - first_term_);
    for (int n = terms.first_run[tile]; n < terms.first_run[tile + 1]; ++n)
      count_[terms.runs[n].joint] = terms.runs[n].first;
    each(tile, [&](int i, int k) {
      const int n = count_[rig_.joint[k]]++;
      // number by number: a vector that is put together from parts must wait for them to reach memory
      double* point = points_.data() + 4L * (k - first_influence_);
      const double w = rig_.weight[k];
      for (int c = 0; c < 3; ++c)
        point[c] = w * ((rig_.rest_point(c, k) - out_.unit.centre[c]) / out_.unit.length);
      point[3] = w;
      places_[n - first_term_] = {i, k - first_influence_};
    });
    // apart from the above: memory takes one stream of stores better than one a joint
    for (std::size_t n = 0; n < places_.size(); ++n) {
      terms.factor.col(first_term_ + n) = out_.measure(places_[n].vertex) * points_.col(places_[n].point);
      terms.row[first_term_ + n] = places_[n].vertex - tiles.begin(tile);
    }
    for (int n = terms.first_run[tile]; n < terms.first_run[tile + 1]; ++n) count_[terms.runs[n].joint] = 0;
  }

  void add_support(int first, int end, JointSums& sums) const {
    double mass = 0, sq_mass = 0, reach = sums.reach;
    Eigen::Vector4d point = Eigen::Vector4d::Zero();
    for (int n = first; n < end; ++n) {
      const Place& place = places_[n - first_term_];
      const double a = out_.measure(place.vertex), w = points_(3, place.point);
      mass += a * w;
      sq_mass += a * w * w;
      reach = std::max(reach, w);
      point += a * w * points_.col(place.point);
    }
    sums.mass += mass, sums.sq_mass += sq_mass, sums.reach = reach;
    sums.point += point.head<3>();
  }

  /// `factor`: a w q~ of the joint's terms, the first of which is `first`.
  void add_blocks(int joint, Eigen::Ref<const Eigen::Matrix4Xd> factor, int first, BlockRow& row) {
    std::size_t count = 0;
    for (std::size_t c = 0; c < row.column.size(); ++c) place_[row.column[c]] = static_cast<int>(c);
    for (int n = 0; n < static_cast<int>(factor.cols()); ++n) {
      const int vertex = places_[first - first_term_ + n].vertex;
      const int begin = rig_.first_influence[vertex], behind = rig_.first_influence[vertex + 1];
      if (products_.size() < count + (behind - begin)) products_.resize(2 * count + (behind - begin));
      for (int l = begin; l < behind; ++l)
        if (const int k = rig_.joint[l]; k >= joint)
          products_[count++] = {n, l - first_influence_, row.find_or_add(k, place_)};
    }
    kernels::add_outer_products({products_.data(), static_cast<int>(count), factor.data(), points_.data()},
                                row.block.data()->data());
    for (const int k : row.column) place_[k] = -1;
  }

  const Rig& rig_;
  const RigMoments& out_;
  std::vector<int> count_, place_;            ///< J; zero and -1 between uses
  int first_influence_ = 0, first_term_ = 0;  ///< of the tile
  Eigen::Matrix4Xd points_;                   ///< w q~ of the tile's influences
  std::vector<Place> places_;                 ///< of the tile's terms: vertex and column of points_
  std::vector<kernels::OuterTerm> products_;  ///< room for a joint's in a tile
};

/// Room for all terms, and which joint's stand where.
TargetTerms lay_out_terms(const Rig& rig, int threads, const RigMoments& out) {
  const int tiles = VertexTiles{rig.vertices(), rig.joints()}.tiles();
  std::vector<std::vector<TargetTerms::Run>> runs(tiles);
#pragma omp parallel num_threads(threads)
  {
    TilePass pass(rig, out);
#pragma omp for schedule(static)
    for (int tile = 0; tile < tiles; ++tile) runs[tile] = pass.joints_of(tile);
  }
  TargetTerms terms;
  terms.centre = spread_vertices(out.measure);
  terms.first_run.push_back(0);
  int count = 0;
  for (const auto& of_tile : runs) {
    for (const TargetTerms::Run& run : of_tile) {
      terms.runs.push_back({run.joint, count});
      count += run.first;
    }
    terms.first_run.push_back(static_cast<int>(terms.runs.size()));
  }
  terms.runs.push_back({-1, count});
  terms.factor.resize(4, count);
  terms.row.resize(count);
  return terms;
}

/// Writes the terms and adds up everything else; the sums of each run of tiles.
std::vector<std::vector<JointSums>> run_tiles(const Rig& rig, int threads, const RigMoments& out,
                                              TargetTerms& terms) {
  const VertexTiles tiles{rig.vertices(), rig.joints()};
  std::vector<std::vector<JointSums>> sums(tiles.runs(), std::vector<JointSums>(rig.joints()));
#pragma omp parallel num_threads(threads)
  {
    TilePass pass(rig, out);
#pragma omp for schedule(dynamic)
    for (int r = 0; r < tiles.runs(); ++r)
      for (int tile = tiles.first_tile(r); tile < tiles.first_tile(r + 1); ++tile) pass(tile, terms, sums[r]);
  }
  return sums;
}

/// Adds the runs up in order.
std::vector<JointSums> total(const std::vector<std::vector<JointSums>>& runs, int joints) {
  std::vector<JointSums> out(joints);
  std::vector<int> place(joints, -1);
  for (int j = 0; j < joints; ++j) {
    JointSums& sum = out[j];
    sum.row.find_or_add(j, place);
    for (const auto& run : runs) {
      const JointSums& part = run[j];
      sum.mass += part.mass;
      sum.sq_mass += part.sq_mass;
      sum.reach = std::max(sum.reach, part.reach);
      sum.point += part.point;
      for (std::size_t n = 0; n < part.row.column.size(); ++n)
        sum.row.block[sum.row.find_or_add(part.row.column[n], place)] += part.row.block[n];
    }
    for (const int k : sum.row.column) place[k] = -1;
  }
  return out;
}

/// Lays out whole rows of blocks: A_jk = A_kj^T below the diagonal.
void assemble(const std::vector<JointSums>& sums, RigMoments& out) {
  struct Entry {
    int column;
    const Eigen::Matrix4d* block;
  };
  const int joints = static_cast<int>(sums.size());
  std::vector<std::vector<Entry>> rows(joints);
  for (int j = 0; j < joints; ++j)
    for (std::size_t n = 0; n < sums[j].row.column.size(); ++n) {
      const int k = sums[j].row.column[n];
      rows[j].push_back({k, &sums[j].row.block[n]});
      if (k != j) rows[k].push_back({j, &sums[j].row.block[n]});
    }
  out.row.assign(1, 0);
  for (int j = 0; j < joints; ++j) {
    std::sort(rows[j].begin(), rows[j].end(),
              [](const Entry& a, const Entry& b) { return a.column < b.column; });
    for (const Entry& entry : rows[j]) {
      out.column.push_back(entry.column);
      out.block.push_back(entry.column < j ? Eigen::Matrix4d(entry.block->transpose()) : *entry.block);
    }
    out.row.push_back(static_cast<int>(out.column.size()));
  }
}

void measure_support(const std::vector<JointSums>& sums, int threads, RigMoments& out) {
  const TargetTerms& terms = *out.terms;
  for (const JointSums& sum : sums) {
    Support s{sum.mass, sum.reach, 0, Eigen::Vector3d::Zero()};
    if (sum.sq_mass > 0) s.centroid = sum.point / sum.sq_mass;
    out.support.push_back(s);
  }
  const int runs = static_cast<int>(terms.runs.size()) - 1;
  std::vector<double> sq_radius(runs, 0.0);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int n = 0; n < runs; ++n)
    for (int t = terms.runs[n].first; t < terms.runs[n + 1].first; ++t)
      sq_radius[n] = std::max(
          sq_radius[n],
          (terms.factor.col(t).hnormalized() - out.support[terms.runs[n].joint].centroid).squaredNorm());
  for (int n = 0; n < runs; ++n) {
    double& radius = out.support[terms.runs[n].joint].radius;
    radius = std::max(radius, std::sqrt(sq_radius[n]));
  }
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
  const auto terms = std::make_shared<TargetTerms>(lay_out_terms(rig, threads, out));
  const std::vector<JointSums> sums = total(run_tiles(rig, threads, out, *terms), rig.joints());
  out.terms = terms;
  assemble(sums, out);
  measure_support(sums, threads, out);
  return out;
}

}  // namespace pelt
