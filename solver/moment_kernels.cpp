#include "clones.h"
#include "kernels.h"
#include "vec4.h"

namespace pelt::kernels {

PELT_CLONES void fill_panel(const TargetTile& tile, double* panel, double* squares) {
  static_assert(kPanelFrames == 4);
  const Vec4 centre[3] = {load(tile.centre), load(tile.centre + 4), load(tile.centre + 8)};
  Vec4 sum[3] = {load(squares), load(squares + 4), load(squares + 8)};
  const int last = tile.vertices - 1;
  double behind_last[kPanelFrames][4] = {};  // four numbers are loaded a point, and nothing follows the last
  for (int f = 0; f < kPanelFrames; ++f)
    std::memcpy(behind_last[f], tile.frame[f] + 3 * last, 3 * sizeof(double));
  for (int i = 0; i <= last; ++i) {
    const auto point = [&](int f) { return i < last ? tile.frame[f] + 3 * i : behind_last[f]; };
    const Vec4 p0 = load(point(0)), p1 = load(point(1)), p2 = load(point(2)), p3 = load(point(3));
    const Vec4 row[3] = {__builtin_shufflevector(p0, p1, 0, 1, 2, 4),
                         __builtin_shufflevector(p1, p2, 1, 2, 4, 5),
                         __builtin_shufflevector(p2, p3, 2, 4, 5, 6)};
    const Vec4 share = all(tile.measure[i]);
    for (int k = 0; k < 3; ++k) {
      const Vec4 v = where(share > all(0), row[k] - centre[k]);
      store(panel + kPanelColumns * i + 4 * k, v);
      sum[k] += share * v * v;
    }
  }
  for (int k = 0; k < 3; ++k) store(squares + 4 * k, sum[k]);
}

PELT_CLONES void add_moments(const PanelTerms& terms, const double* panel, double* sum) {
  Vec4 s[4][3];
  for (int r = 0; r < 4; ++r)
    for (int k = 0; k < 3; ++k) s[r][k] = load(sum + kPanelColumns * r + 4 * k);
  for (int n = 0; n < terms.count; ++n) {
    const double* row = panel + kPanelColumns * terms.row[n];
    const Vec4 v[3] = {load(row), load(row + 4), load(row + 8)};
    for (int r = 0; r < 4; ++r) {
      const Vec4 factor = all(terms.factor[4 * n + r]);
      for (int k = 0; k < 3; ++k) s[r][k] += factor * v[k];
    }
  }
  for (int r = 0; r < 4; ++r)
    for (int k = 0; k < 3; ++k) store(sum + kPanelColumns * r + 4 * k, s[r][k]);
}

PELT_CLONES void add_outer_products(const OuterTerms& terms, double* sum) {
  for (int n = 0; n < terms.count; ++n) {
    const OuterTerm& term = terms.term[n];
    const Vec4 left = load(terms.left + 4L * term.left);
    const double* right = terms.right + 4L * term.right;
    double* block = sum + 16L * term.block;
    for (int c = 0; c < 4; ++c) store(block + 4 * c, load(block + 4 * c) + left * all(right[c]));
  }
}

}  // namespace pelt::kernels
