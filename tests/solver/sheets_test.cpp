#include <omp.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <set>

#include "shapes.h"
#include "solver/correspond.h"
#include "solver/weld.h"
#include "tests/fixtures.h"

using namespace pelt;
using Eigen::Vector3d;

namespace {

/// A grid of (across + 1) x (along + 1) vertices over the unit square, placed by `place`, its cells cut along
/// the one or the other diagonal.
Surface sheet(int across, int along, bool other_diagonal,
              const std::function<Vector3d(double, double)>& place) {
  std::vector<Vector3d> positions;
  std::vector<Eigen::Vector3i> triangles;
  for (int i = 0; i <= across; ++i)
    for (int k = 0; k <= along; ++k) {
      positions.push_back(place(static_cast<double>(i) / across, static_cast<double>(k) / along));
      if (i == across || k == along) continue;
      const int a = i * (along + 1) + k, b = a + along + 1, c = b + 1, d = a + 1;
      if (other_diagonal) {
        triangles.insert(triangles.end(), {{a, b, d}, {b, c, d}});
      } else {
        triangles.insert(triangles.end(), {{a, b, c}, {a, c, d}});
      }
    }
  return shapes::surface(positions, triangles);
}

/// A tube about an upright axis at x, facing outwards; the seam is closed by position alone.
std::function<Vector3d(double, double)> leg(double x, double radius) {
  return [=](double around, double up) {
    const double angle = 2 * M_PI * (around < 1 ? around : 0);
    return Vector3d(x + radius * std::cos(angle), up, -radius * std::sin(angle));
  };
}

/// Vertices move along their normals by up to `size`, those at one place alike.
Surface with_noise(Surface s, double size, test::Random& random) {
  const Eigen::Matrix3Xd normals = vertex_normals(s);
  const std::vector<int> weld = welded(s, 1e-9);
  std::vector<double> by(weld.size());
  for (std::size_t i = 0; i < weld.size(); ++i) by[i] = random.uniform(-size, size);
  for (Eigen::Index i = 0; i < s.positions.cols(); ++i) {
    const int first = weld[static_cast<std::size_t>(i)];
    s.positions.col(i) += by[static_cast<std::size_t>(first)] * normals.col(first);
  }
  return s;
}

/// Two sheets of the artist and the same two of the rig, another mesh, with noise: which rig vertices go to
/// the other sheet?
struct Layers {
  Surface artist, rig;
  int artist_first, rig_first;  ///< vertices of the first sheets

  Layers(const Surface& a0, const Surface& a1, const Surface& r0, const Surface& r1)
      : artist(shapes::join(a0, a1)),
        rig(shapes::join(r0, r1)),
        artist_first(static_cast<int>(a0.positions.cols())),
        rig_first(static_cast<int>(r0.positions.cols())) {}

  int astray(const CorrespondSettings& settings = {}) const {
    const Correspondence found = correspond(artist, rig, settings);
    int count = 0;
    for (int i = 0; i < rig.positions.cols(); ++i)
      count += (found.corner(0, i) < artist_first) != (i < rig_first);
    return count;
  }
};

constexpr double kRadius = 0.05;

/// Legs of height 1 whose skins come as near to each other as `gap` of the diagonal.
Layers legs(double gap, double noise, test::Random& random) {
  const double diag = std::sqrt(1 + 16.1 * kRadius * kRadius), apart = 2 * kRadius + gap * diag;
  const auto remesh = [&](double x) {
    return with_noise(sheet(37, 83, true, leg(x, kRadius)), noise * diag, random);
  };
  return {sheet(24, 60, false, leg(0, kRadius)), sheet(24, 60, false, leg(apart, kRadius)), remesh(0),
          remesh(apart)};
}

/// A hump and a cloth above the middle of it, facing the same way.
Vector3d hump(double x, double y) { return {x, y, 0.3 * std::sin(M_PI * x) * std::sin(M_PI * y)}; }

Layers cloth(double gap, double noise, test::Random& random) {
  const double diag = std::sqrt(2 + 0.3 * 0.3);
  const auto above = [=](double x, double y) {
    return Vector3d(hump(0.2 + 0.6 * x, 0.2 + 0.6 * y) + gap * diag * Vector3d::UnitZ());
  };
  const Surface body = with_noise(sheet(61, 61, true, hump), noise * diag, random);
  return {sheet(40, 40, false, hump), sheet(25, 25, false, above), body,
          with_noise(sheet(41, 41, true, above), noise * diag, random)};
}

}  // namespace

TEST_CASE("sheets: vertices of two legs that almost touch stay on their leg", "[sheets]") {
  test::Random random;
  const Layers two = legs(0.01, 0.008, random);
  CHECK(two.astray({.reach = 0}) > 20);  // the closest points alone jump over
  CHECK(two.astray() == 0);
}

TEST_CASE("sheets: a cloth stays a cloth and the body below it the body", "[sheets]") {
  test::Random random;
  const Layers two = cloth(0.005, 0.0035, random);
  CHECK(two.astray({.reach = 0}) > 100);
  CHECK(two.astray() == 0);
}

TEST_CASE("sheets: a cloth whose triangles share no vertex hangs together all the same", "[sheets]") {
  test::Random random;
  Layers two = cloth(0.005, 0.0035, random);
  Surface soup;
  soup.positions = two.rig.positions(Eigen::all, two.rig.triangles.reshaped());
  soup.triangles.resize(3, two.rig.triangles.cols());
  for (int k = 0; k < soup.triangles.size(); ++k) soup.triangles(k % 3, k / 3) = k;
  two.rig_first = 3 * static_cast<int>((two.rig.triangles.row(0).array() < two.rig_first).count());
  two.rig = soup;
  CHECK(two.astray({.reach = 0}) > 100);
  CHECK(two.astray() == 0);
}

TEST_CASE("sheets: a thin ear keeps its sides where the rig's is thinner than the noise", "[sheets]") {
  // Two faces back to back, closed along the rim by position, 0.4 % of the diagonal apart; the rig's are
  // swapped over most of the ear.
  const double thick = 0.004 * std::sqrt(2.0);
  const auto side = [](double bulge) {
    return [=](double x, double y) {
      return Vector3d(x, y, bulge * std::min(1.0, 20 * x * (1 - x) * y * (1 - y)));
    };
  };
  const auto back = [](Surface s) {
    s.triangles.row(1).swap(s.triangles.row(2));
    return s;
  };
  test::Random random;
  const Layers ear{sheet(20, 20, false, side(thick / 2)), back(sheet(20, 20, false, side(-thick / 2))),
                   sheet(33, 31, true, side(-thick / 4)), back(sheet(33, 31, true, side(thick / 4)))};
  const Correspondence found = correspond(ear.artist, ear.rig);
  CHECK(ear.astray({.reach = 0}) > 1000);
  CHECK(std::count(found.kind.begin(), found.kind.end(), MatchKind::sheet) > 1000);
  // at the rim both sides are one place
  int astray = 0;
  for (int i = 0; i < ear.rig.positions.cols(); ++i)
    if (std::abs(ear.rig.positions(2, i)) > thick / 8)
      astray += (found.corner(0, i) < ear.artist_first) != (i < ear.rig_first);
  CHECK(astray == 0);
}

TEST_CASE("sheets: on a strip folded in three the way along the strip stays short", "[sheets]") {
  // Layers of length 1 and 0.6 % of the diagonal apart, joined by half circles; the first and the last face
  // the same way.
  const double apart = 0.006 * std::sqrt(1.25), bend = M_PI * apart / 2, length = 3 + 2 * bend;
  const auto strip = [=](double along, double across) {
    double s = along * length;
    int layer = 0;
    for (; layer < 2 && s > 1 + bend; ++layer) s -= 1 + bend;
    const double turn = std::max(0.0, s - 1) / (apart / 2), x = std::min(s, 1.0) + apart / 2 * std::sin(turn),
                 z = layer * apart + apart / 2 * (1 - std::cos(turn));
    return Vector3d(layer % 2 ? 1 - x : x, across / 2, z);
  };
  test::Random random;
  const int cells = 240;
  const Surface artist = sheet(cells, 20, false, strip);
  const Surface rig = with_noise(sheet(3 * cells / 2, 29, true, strip), 0.8 * apart, random);
  const auto farthest = [&](double reach) {
    const Correspondence found = correspond(artist, rig, {.reach = reach});
    double most = 0;
    for (int i = 0; i < rig.positions.cols(); ++i) {
      const double at =
          (found.corner.col(i).cast<double>() / 21).array().floor().matrix().dot(found.barycentric.col(i));
      most = std::max(most, std::abs(at / cells - (i / 30) / (1.5 * cells)));
    }
    return most * length;
  };
  CHECK(farthest(0) > 0.9);
  CHECK(farthest(0.02) < 0.05);
}

TEST_CASE("sheets: at a sharp ridge split vertices stay together", "[sheets]") {
  // The two slopes face away from each other; the rig's ridge lies beside the artist's, on one slope's side.
  const auto slope = [](double side, double shift) {
    return [=](double x, double y) {
      const double across = side > 0 ? x : 1 - x;
      return Vector3d(shift + side * 0.4 * across, y, -across);
    };
  };
  const auto ridge = [&](double shift) {
    return shapes::join(sheet(10, 10, false, slope(-1, shift)), sheet(10, 10, false, slope(1, shift)));
  };
  const Surface rig = ridge(0.005);
  const Correspondence found = correspond(ridge(0), rig);
  CHECK(found.gap == correspond(ridge(0), rig, {.reach = 0}).gap);
  CHECK(std::count(found.kind.begin(), found.kind.end(), MatchKind::sheet) == 0);
}

TEST_CASE("sheets: a vertex on the wrong sheet goes back though it lies on it exactly", "[sheets]") {
  test::Random random;
  Layers two = cloth(0.005, 0, random);
  const int vertex = two.rig_first + 20 * 42 + 20;  // of the cloth, in its middle
  two.rig.positions(2, vertex) -= 0.0049 * std::sqrt(2.09);
  CHECK(two.astray({.reach = 0}) == 1);
  CHECK(two.astray() == 0);
}

TEST_CASE("sheets: the same for any number of threads", "[sheets]") {
  test::Random random;
  const Layers two = cloth(0.005, 0.0035, random);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Correspondence one = correspond(two.artist, two.rig);
  omp_set_num_threads(3);
  const Correspondence three = correspond(two.artist, two.rig);
  omp_set_num_threads(before);
  CHECK(one.corner == three.corner);
  CHECK(one.barycentric == three.barycentric);
  CHECK(one.kind == three.kind);
  CHECK(std::count(one.kind.begin(), one.kind.end(), MatchKind::sheet) > 100);
}
