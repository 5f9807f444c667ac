#include "clones.h"
#include "kernels.h"
#include "vec4.h"

namespace pelt::kernels {
namespace {

PELT_INLINE void store_point(double* p, Vec4 v) { p[0] = v[0], p[1] = v[1], p[2] = v[2]; }

PELT_INLINE Points4 points_at(const double* p) { return part(load(p), load(p + 4), load(p + 8)); }

PELT_INLINE Vec4 norm(const Points4& p) { return square_root(p.x * p.x + p.y * p.y + p.z * p.z); }

/// a - b; zero where the mask is not set.
PELT_INLINE Points4 difference(Points4 a, const Points4& b, Mask4 mask) {
  return {where(mask, a.x - b.x), where(mask, a.y - b.y), where(mask, a.z - b.z)};
}

PELT_INLINE Points4 repeated(const double* p) { return {all(p[0]), all(p[1]), all(p[2])}; }

}  // namespace

PELT_CLONES void skin_influences(const Influences& in, int vertices, const double* matrices, double* out) {
  for (int i = 0; i < vertices; ++i) {
    Vec4 sum = all(0);
    for (int k = in.first[i]; k < in.first[i + 1]; ++k) {
      const double* m = matrices + 16 * in.joint[k];
      const double* p = in.point + 3 * k;
      sum += all(in.weight[k]) *
             (load(m) * all(p[0]) + load(m + 4) * all(p[1]) + load(m + 8) * all(p[2]) + load(m + 12));
    }
    store_point(out + 3 * i, sum);
  }
}

namespace {

PELT_INLINE void skin_vertices(const Slots& in, int count, int vertices, const double* matrices,
                               double* out) {
  for (int i = 0; i < vertices; ++i) {
    Vec4 blend[4] = {all(0), all(0), all(0), all(0)};
    for (int k = count * i; k < count * (i + 1); ++k) {
      // empty slots take the matrix of zeros: a test would be guessed wrong at every other vertex
      const double* m = matrices + 16 * ((in.joint[k] + 1) & -(in.weight[k] != 0));
      const Vec4 w = all(in.weight[k]);
      for (int c = 0; c < 4; ++c) blend[c] += w * load(m + 4 * c);
    }
    const double* p = in.point + 3 * i;
    store_point(out + 3 * i, blend[0] * all(p[0]) + blend[1] * all(p[1]) + blend[2] * all(p[2]) + blend[3]);
  }
}

}  // namespace

PELT_CLONES void skin_slots(const Slots& in, int vertices, const double* matrices, double* out) {
  switch (in.count) {  // loops of known length
    case 1:
      return skin_vertices(in, 1, vertices, matrices, out);
    case 2:
      return skin_vertices(in, 2, vertices, matrices, out);
    case 3:
      return skin_vertices(in, 3, vertices, matrices, out);
    case 4:
      return skin_vertices(in, 4, vertices, matrices, out);
    default:
      return skin_vertices(in, in.count, vertices, matrices, out);
  }
}

PELT_CLONES void measure_errors(const ErrorInput& in, int vertices, float* error, ErrorSums& sums) {
  Vec4 first = all(0), second = all(0), plain = all(0), worst = all(sums.worst);
  for (int i = 0; i < vertices; i += 4) {
    const Vec4 w = load(in.weight + i);
    const Vec4 e = all(in.scale) *
                   norm(difference(points_at(in.actual + 3 * i), points_at(in.target + 3 * i), w > all(0)));
    first += w * e;
    second += w * e * e;
    plain += load(in.copies + i) * e * e;
    worst = e > worst ? e : worst;
    for (int k = 0; k < 4; ++k) error[i + k] = static_cast<float>(e[k]);
  }
  sums.error += total(first), sums.squared += total(second), sums.plain_squared += total(plain);
  for (int k = 0; k < 4; ++k) sums.worst = worst[k] > sums.worst ? worst[k] : sums.worst;
}

PELT_CLONES void measure_displacement(const DisplacementInput& in, int vertices, DisplacementSums& sums) {
  const Points4 rest_centre = repeated(in.rest_centre), centre = repeated(in.centre);
  Vec4 moved = all(0), mass = all(0), source[3] = {moved, moved, moved}, target[3] = {moved, moved, moved},
       cross[3][3] = {{moved, moved, moved}, {moved, moved, moved}, {moved, moved, moved}};
  for (int i = 0; i < vertices; i += 4) {
    const Vec4 w = load(in.weight + i);
    const Mask4 counts = w > all(0);
    const Points4 rest = points_at(in.rest + 3 * i), now = points_at(in.target + 3 * i);
    moved += w * norm(difference(now, rest, counts));
    const Points4 x = difference(rest, rest_centre, counts), y = difference(now, centre, counts);
    const Vec4 wx[3] = {w * x.x, w * x.y, w * x.z}, of_y[3] = {y.x, y.y, y.z};
    mass += w;
    for (int r = 0; r < 3; ++r) {
      source[r] += wx[r];
      target[r] += w * of_y[r];
      for (int c = 0; c < 3; ++c) cross[r][c] += wx[r] * of_y[c];
    }
  }
  sums.moved += total(moved), sums.mass += total(mass);
  for (int r = 0; r < 3; ++r) {
    sums.source[r] += total(source[r]), sums.target[r] += total(target[r]);
    for (int c = 0; c < 3; ++c) sums.cross[r][c] += total(cross[r][c]);
  }
}

PELT_CLONES double measure_in_place(const DisplacementInput& in, int vertices, const double* motion) {
  const Points4 rest_centre = repeated(in.rest_centre), centre = repeated(in.centre);
  Vec4 sum = all(0);
  for (int i = 0; i < vertices; i += 4) {
    const Vec4 w = load(in.weight + i);
    const Mask4 counts = w > all(0);
    const Points4 x = difference(points_at(in.rest + 3 * i), rest_centre, counts),
                  y = difference(points_at(in.target + 3 * i), centre, counts);
    const auto row = [&](int r) {
      return all(motion[r]) * x.x + all(motion[3 + r]) * x.y + all(motion[6 + r]) * x.z + all(motion[9 + r]);
    };
    sum += w * norm({row(0) - y.x, row(1) - y.y, row(2) - y.z});
  }
  return total(sum);
}

}  // namespace pelt::kernels
