#pragma once

#include <cmath>
#include <cstring>

/// Four doubles that the compiler lays onto whatever registers there are (vector extension of GCC and clang).
/// For the kernels' sources only.
namespace pelt::kernels {

typedef double Vec4 __attribute__((vector_size(32)));
typedef long long Mask4 __attribute__((vector_size(32)));

#define PELT_INLINE __attribute__((always_inline)) inline

PELT_INLINE Vec4 load(const double* p) {
  Vec4 v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

PELT_INLINE void store(double* p, Vec4 v) { std::memcpy(p, &v, sizeof v); }

PELT_INLINE Vec4 all(double x) { return Vec4{x, x, x, x}; }

PELT_INLINE Vec4 square_root(Vec4 v) {
  return Vec4{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
}

PELT_INLINE double total(Vec4 v) { return (v[0] + v[2]) + (v[1] + v[3]); }

/// v where the mask is set, else 0, whatever v is.
PELT_INLINE Vec4 where(Mask4 mask, Vec4 v) { return (Vec4)((Mask4)v & mask); }

/// The coordinates of four points apart.
struct Points4 {
  Vec4 x, y, z;
};

/// From x y z x y z x y z x y z.
PELT_INLINE Points4 part(Vec4 a, Vec4 b, Vec4 c) {
  const Vec4 front = __builtin_shufflevector(a, b, 2, 3, 4, 5);  // z0 x1 y1 z1
  const Vec4 back = __builtin_shufflevector(b, c, 2, 3, 4, 5);   // x2 y2 z2 x3
  return {__builtin_shufflevector(__builtin_shufflevector(a, front, 0, 5, 3, 3), back, 0, 1, 4, 7),
          __builtin_shufflevector(__builtin_shufflevector(a, front, 1, 6, 1, 1),
                                  __builtin_shufflevector(back, c, 1, 6, 1, 1), 0, 1, 4, 5),
          __builtin_shufflevector(__builtin_shufflevector(front, front, 0, 3, 0, 0),
                                  __builtin_shufflevector(back, c, 2, 7, 2, 2), 0, 1, 4, 5)};
}

}  // namespace pelt::kernels
