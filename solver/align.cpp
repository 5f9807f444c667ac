// Iterative closest points (Besl and McKay, "A method for registration of 3-D shapes", 1992) from many
// starts: centroid and RMS size by area, and the 24 turns of a cube, both of the axes as they are and of the
// principal axes of the two surfaces. Every start is judged, the best of each handedness are refined.
#include "align.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "align_pairs.h"

namespace pelt {

namespace {

constexpr int kTried = 8;    // starts of each handedness that are moved at all
constexpr int kRefined = 2;  // of these, those that are refined with all samples
constexpr int kCoarseSteps = 10;
constexpr int kInVain = 5;          // fine steps without progress, then that is the place
constexpr double kProgress = 0.99;  // of a gap, what counts as nearer
constexpr double kStill = 1e-12;    // a step shorter than this, fraction of the diagonal, is none
constexpr double kRounding = 1e-7;  // gaps closer to each other than this are equal, fraction of the diagonal
constexpr double kClearly = 0.5;
constexpr double kTogether =
    1e-5;  // points of exact copies come this near at least, fraction of the diagonal
constexpr double kNearSnap = 1e-4;  // a matrix this near to a plain one may be meant to be it

struct Candidate {
  Eigen::Matrix4d artist_from_rig;
  double gap = 0;
};

/// Two surfaces that are laid on each other.
struct Task {
  AlignSide artist, rig;
  double diag;
  AlignSettings settings;

  bool coincides(const Candidate& candidate) const { return candidate.gap <= kRounding * diag; }
  double far() const { return settings.far * diag; }
  /// By few samples.
  Candidate guessed(const Eigen::Matrix4d& artist_from_rig) const {
    return {artist_from_rig, two_sided_gap(artist, rig, artist_from_rig, far())};
  }
  Candidate judged(const Eigen::Matrix4d& artist_from_rig) const {
    return {artist_from_rig,
            two_sided_gap(closest_pairs(artist, rig, artist_from_rig, Samples::many), far())};
  }
};

AlignSide side_of(const IndexedSurface& side, const AlignSettings& settings) {
  const Surface& surface = side.surface;
  return {side, face_normals(surface), sample_by_area(surface, settings.few),
          sample_by_area(surface, settings.samples)};
}

/// The 24 rotations that take the axes to axes.
std::vector<Eigen::Matrix3d> axis_turns() {
  std::vector<Eigen::Matrix3d> turns;
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y)
      for (int signs = 0; signs < 4 && x != y; ++signs) {
        Eigen::Matrix3d turn = Eigen::Matrix3d::Zero();
        turn(x, 0) = signs & 1 ? -1 : 1;
        turn(y, 1) = signs & 2 ? -1 : 1;
        turn.col(2) = turn.col(0).cross(turn.col(1));
        turns.push_back(turn);
      }
  return turns;
}

/// Centroid, size and principal axes by area.
struct Frame {
  Eigen::Vector3d centre;
  double size;
  Eigen::Matrix3d axes;  ///< a rotation

  explicit Frame(const Eigen::Matrix3Xd& samples) : centre(samples.rowwise().mean()) {
    const Eigen::Matrix3Xd centred = samples.colwise() - centre;
    const Eigen::Matrix3d spread = centred * centred.transpose() / static_cast<double>(samples.cols());
    size = std::sqrt(spread.trace());
    axes = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
  }
};

std::vector<Eigen::Matrix4d> starts(const AlignSide& artist, const AlignSide& rig, bool mirrored) {
  const Frame to(artist.many), from(rig.many);
  const Eigen::Vector3d flip(mirrored ? -1 : 1, 1, 1);
  std::vector<Eigen::Matrix4d> list;
  const auto add = [&](const Eigen::Matrix3d& turn) {
    Eigen::Matrix4d start = Eigen::Matrix4d::Identity();
    start.topLeftCorner<3, 3>() = to.size / from.size * turn;
    start.topRightCorner<3, 1>() = to.centre - start.topLeftCorner<3, 3>() * from.centre;
    list.push_back(start);
  };
  for (const Eigen::Matrix3d& turn : axis_turns()) {
    add(turn * flip.asDiagonal());
    add(to.axes * turn * flip.asDiagonal() * from.axes.transpose());
  }
  return list;
}

/// A few steps of plain closest points, which find the way from afar.
Candidate moved_near(const Task& task, Candidate candidate) {
  ClosestPairs pairs;
  for (int step = 0; step < kCoarseSteps; ++step) {
    pairs = closest_pairs(task.artist, task.rig, candidate.artist_from_rig, Samples::few, pairs.triangle);
    const auto fit = fit_similarity(pairs.rig, pairs.artist, nearest_pairs(pairs));
    if (!fit) break;
    candidate.artist_from_rig = *fit * candidate.artist_from_rig;
  }
  return task.guessed(candidate.artist_from_rig);
}

double longest_move(const Eigen::Matrix4d& change, const Eigen::Matrix3Xd& points) {
  return (change.topRows<3>() * points.colwise().homogeneous() - points).cwiseAbs().maxCoeff();
}

/// Steps until nothing moves or gets nearer; the nearest of all places on the way.
Candidate descended(const Task& task, const Candidate& from, Samples samples) {
  Candidate best{from.artist_from_rig, std::numeric_limits<double>::infinity()};
  Eigen::Matrix4d artist_from_rig = from.artist_from_rig;
  ClosestPairs pairs;
  for (int in_vain = 0; in_vain < kInVain; ++in_vain) {
    pairs = closest_pairs(task.artist, task.rig, artist_from_rig, samples, pairs.triangle);
    const double gap = two_sided_gap(pairs, task.far());
    if (gap < kProgress * best.gap) in_vain = 0;
    if (gap < best.gap) best = {artist_from_rig, gap};
    const Eigen::Matrix4d change =
        step_to_planes(pairs, agreeing_pairs(pairs, kTogether * task.diag), task.diag);
    artist_from_rig = change * artist_from_rig;
    if (!(longest_move(change, pairs.rig) > kStill * task.diag)) break;
  }
  return best;
}

/// Most of the way is gone by few samples.
Candidate refined(const Task& task, const Candidate& from) {
  return descended(task, descended(task, from, Samples::few), Samples::many);
}

void keep_nearest(std::vector<Candidate>& list, std::size_t count) {
  std::stable_sort(list.begin(), list.end(),
                   [](const Candidate& a, const Candidate& b) { return a.gap < b.gap; });
  list.resize(std::min(list.size(), count));
}

Candidate search(const Task& task, bool mirrored) {
  std::vector<Candidate> list;
  for (const Eigen::Matrix4d& start : starts(task.artist, task.rig, mirrored)) list.push_back({start});
  const auto each = [&](auto&& improve) {
#pragma omp parallel for schedule(dynamic)
    for (std::size_t k = 0; k < list.size(); ++k) list[k] = improve(list[k]);
  };
  each([&](const Candidate& start) { return task.guessed(start.artist_from_rig); });
  keep_nearest(list, kTried);
  each([&](const Candidate& start) { return moved_near(task, start); });
  keep_nearest(list, kRefined);
  for (Candidate& candidate : list) {
    candidate = refined(task, candidate);
    if (task.coincides(candidate)) return candidate;
  }
  keep_nearest(list, 1);
  return list.front();
}

/// The turn of axes and the power of ten that are meant where a matrix is that up to rounding, if the
/// surfaces then lie no farther apart.
Candidate snapped(const Task& task, const Candidate& found) {
  Eigen::Matrix4d plain = found.artist_from_rig;
  const double scale = scale_of(plain), ten = std::pow(10, std::round(std::log10(scale)));
  const Eigen::Matrix3d turn = plain.topLeftCorner<3, 3>() / scale, axes = turn.array().round();
  if ((turn - axes).cwiseAbs().maxCoeff() > kNearSnap) return found;
  plain.topLeftCorner<3, 3>() = (std::abs(scale / ten - 1) < kNearSnap ? ten : scale) * axes;
  const ClosestPairs pairs = closest_pairs(task.artist, task.rig, found.artist_from_rig, Samples::many);
  const Eigen::VectorXd weights = agreeing_pairs(pairs, kTogether * task.diag);
  const Eigen::Affine3d to_rig = Eigen::Affine3d(found.artist_from_rig).inverse();
  const Eigen::Vector3d on_rig = to_rig * Eigen::Vector3d(pairs.rig * weights / weights.sum());
  const Eigen::Vector3d on_artist = pairs.artist * weights / weights.sum();
  plain.topRightCorner<3, 1>() = on_artist - plain.topLeftCorner<3, 3>() * on_rig;
  Candidate best = task.judged(plain);
  plain.topRightCorner<3, 1>().setZero();
  const Candidate in_place = task.judged(plain);
  if (in_place.gap <= best.gap + kRounding * task.diag) best = in_place;
  return best.gap <= found.gap + kRounding * task.diag ? best : found;
}

double volume(const Surface& surface) {
  const Eigen::Vector3d origin = surface.positions.col(surface.triangles(0, 0));
  double six = 0;
  for (const auto& corner : surface.triangles.colwise()) {
    const Eigen::Matrix3d corners = surface.positions(Eigen::all, corner).colwise() - origin;
    six += corners.determinant();
  }
  return six / 6;
}

}  // namespace

double rotation_degrees(const Alignment& alignment) {
  Eigen::Matrix3d rotation =
      alignment.artist_from_rig.topLeftCorner<3, 3>() / scale_of(alignment.artist_from_rig);
  if (alignment.mirrored) rotation.col(0) *= -1;
  return Eigen::AngleAxisd(rotation).angle() * 180 / M_PI;
}

Alignment align(const IndexedSurface& artist, const IndexedSurface& rig, const AlignSettings& settings) {
  const Task task{side_of(artist, settings), side_of(rig, settings), bounding_diagonal(artist.surface),
                  settings};
  Candidate best = task.judged(Eigen::Matrix4d::Identity());
  if (best.gap <= settings.coincidence * task.diag) return {best.artist_from_rig, false, best.gap};
  for (const bool mirrored : {false, true}) {
    if (task.coincides(best)) break;
    const Candidate other = search(task, mirrored);
    if (other.gap < kClearly * best.gap && other.gap < best.gap - kRounding * task.diag) best = other;
  }
  best = snapped(task, best);
  return {best.artist_from_rig, is_mirror(best.artist_from_rig), best.gap};
}

Alignment align(const Surface& artist, const Surface& rig, const AlignSettings& settings) {
  return align(IndexedSurface(artist, "artist"), IndexedSurface(rig, "rig"), settings);
}

Surface in_artist_space(const Surface& artist, const Surface& rig, const Alignment& alignment) {
  if (alignment.artist_from_rig.isIdentity(0)) return rig;
  Surface moved{(alignment.artist_from_rig.topRows<3>() * rig.positions.colwise().homogeneous()).eval(),
                rig.triangles};
  if (alignment.mirrored && volume(artist) * volume(moved) < 0)
    moved.triangles = rig.triangles.colwise().reverse().eval();
  return moved;
}

}  // namespace pelt
