// The pass over the targets: for each joint the sum over its vertices of a w q~ v^T, for all frames.
//
// Frames lie apart, vertex after vertex, while a sum wants the frames of one vertex side by side. So tiles of
// vertices are turned into panels of a few frames, small enough for the nearest cache, and every joint's sum
// over a tile is kept in registers (kernels.h).

#include <algorithm>
#include <utility>

#include "kernels.h"
#include "moments.h"
#include "vertex_tiles.h"

namespace pelt {
namespace {

using kernels::kPanelColumns, kernels::kPanelFrames;

constexpr int kGroupPanels = 6;  // panels whose sums are held at a time

using PanelRow = Eigen::Matrix<double, kPanelColumns, 1>;
/// 4 x kPanelColumns, row-major.
using PanelSum = Eigen::Matrix<double, 4, kPanelColumns, Eigen::RowMajor>;

Eigen::Vector3d centre_of(const RigMoments& rig, const Eigen::Matrix3Xd& positions) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double mass = 0;
  for (const int i : rig.terms->centre) sum += rig.measure(i) * positions.col(i), mass += rig.measure(i);
  return mass > 0 ? Eigen::Vector3d(sum / mass) : rig.unit.centre;
}

/// A few panels of frames on their way into moments.
struct Group {
  const RigMoments& rig;
  std::span<const Eigen::Matrix3Xd> frames;
  Eigen::Matrix3Xd centres;  ///< 3 x frames of all panels

  int panels() const { return static_cast<int>(centres.cols()) / kPanelFrames; }
  int joints() const { return static_cast<int>(rig.support.size()); }
  VertexTiles tiles() const { return {rig.vertices, joints()}; }
};

/// The sums of one run of tiles.
struct RunSums {
  std::vector<PanelSum> b;        ///< by panel and joint
  std::vector<PanelRow> squares;  ///< by panel

  explicit RunSums(const Group& group)
      : b(static_cast<std::size_t>(group.panels()) * group.joints(), PanelSum::Zero()),
        squares(group.panels(), PanelRow::Zero()) {}
};

/// Frames that fill up the last panel repeat the last one; nobody reads their sums.
kernels::TargetTile tile_of(const Group& group, int panel, int tile) {
  const int begin = group.tiles().begin(tile);
  kernels::TargetTile out{};
  for (int f = 0; f < kPanelFrames; ++f) {
    const std::size_t frame = std::min<std::size_t>(kPanelFrames * panel + f, group.frames.size() - 1);
    out.frame[f] = group.frames[frame].data() + 3L * begin;
  }
  out.centre = group.centres.data() + kPanelColumns * panel;
  out.measure = group.rig.measure.data() + begin;
  out.vertices = group.tiles().end(tile) - begin;
  return out;
}

void add_tile(const Group& group, int tile, std::vector<double>& panel, RunSums& sums) {
  const TargetTerms& terms = *group.rig.terms;
  for (int p = 0; p < group.panels(); ++p) {
    kernels::fill_panel(tile_of(group, p, tile), panel.data(), sums.squares[p].data());
    PanelSum* b = sums.b.data() + static_cast<std::size_t>(p) * group.joints();
    for (int n = terms.first_run[tile]; n < terms.first_run[tile + 1]; ++n) {
      const int first = terms.runs[n].first;
      kernels::add_moments(
          {terms.row.data() + first, terms.factor.data() + 4L * first, terms.runs[n + 1].first - first},
          panel.data(), b[terms.runs[n].joint].data());
    }
  }
}

/// The group's moments, added up over the runs in order.
RunSums sum_of_runs(const Group& group, int threads) {
  const VertexTiles tiles = group.tiles();
  std::vector<RunSums> parts(tiles.runs(), RunSums(group));
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int r = 0; r < tiles.runs(); ++r) {
    std::vector<double> panel(static_cast<std::size_t>(kPanelColumns) * VertexTiles::kTile);
    for (int tile = tiles.first_tile(r); tile < tiles.first_tile(r + 1); ++tile)
      add_tile(group, tile, panel, parts[r]);
  }
  for (int r = 1; r < tiles.runs(); ++r) {
    for (std::size_t n = 0; n < parts[0].b.size(); ++n) parts[0].b[n] += parts[r].b[n];
    for (std::size_t p = 0; p < parts[0].squares.size(); ++p) parts[0].squares[p] += parts[r].squares[p];
  }
  return std::move(parts[0]);
}

/// Moments of the group's frames, which are `first` and those after it of `out`.
void add_group(const Group& group, int first, int threads, TargetMoments& out) {
  const RunSums sums = sum_of_runs(group, threads);
  const double length = group.rig.unit.length;
  for (std::size_t n = 0; n < group.frames.size(); ++n) {
    const int f = first + static_cast<int>(n), panel = static_cast<int>(n) / kPanelFrames,
              column = 3 * (static_cast<int>(n) % kPanelFrames);
    for (int j = 0; j < group.joints(); ++j)
      out.b.block<4, 3>(4 * j, 3 * f) =
          sums.b[static_cast<std::size_t>(panel) * group.joints() + j].middleCols<3>(column) / length;
    out.sq_norm(f) = sums.squares[panel].segment<3>(column).sum() / (length * length);
    out.shift.col(f) = (group.centres.col(static_cast<Eigen::Index>(n)) - group.rig.unit.centre) / length;
  }
}

}  // namespace

TargetMoments target_moments(const RigMoments& rig, std::span<const Eigen::Matrix3Xd> frames, int threads) {
  TargetMoments out = room_for_moments(rig, static_cast<int>(frames.size()));
  constexpr std::size_t group_frames = kGroupPanels * kPanelFrames;
  for (std::size_t first = 0; first < frames.size(); first += group_frames) {
    Group group{rig, frames.subspan(first, std::min(group_frames, frames.size() - first)), {}};
    const auto in_group = static_cast<int>(group.frames.size());
    group.centres.resize(3, (in_group + kPanelFrames - 1) / kPanelFrames * kPanelFrames);
    for (int f = 0; f < static_cast<int>(group.centres.cols()); ++f)
      group.centres.col(f) = centre_of(rig, group.frames[std::min(f, in_group - 1)]);
    add_group(group, static_cast<int>(first), threads, out);
  }
  return out;
}

TargetMoments room_for_moments(const RigMoments& rig, int frames) {
  const auto joints = static_cast<Eigen::Index>(rig.support.size());
  return {frames, Eigen::MatrixXd(4 * joints, 3 * frames), Eigen::VectorXd(frames),
          Eigen::Matrix3Xd(3, frames)};
}

void put_moments(const TargetMoments& part, int first, TargetMoments& all) {
  all.b.middleCols(3 * first, part.b.cols()) = part.b;
  all.sq_norm.segment(first, part.frames) = part.sq_norm;
  all.shift.middleCols(first, part.frames) = part.shift;
}

}  // namespace pelt
