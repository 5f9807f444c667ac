#pragma once

/// The loops over vertices that everything waits for, on plain arrays, so that they can be compiled for more
/// than one instruction set (clones.h). Positions are x, y, z of one vertex after the other. Every sum is
/// taken in an order that depends on nothing but its terms: results are bit-identical from run to run on one
/// machine, and may differ in the last digits between machines.
namespace pelt::kernels {

constexpr int kPanelFrames = 4;                  ///< frames side by side in a panel
constexpr int kPanelColumns = 3 * kPanelFrames;  ///< x, y, z of each

/// A tile of vertices as the target pass reads it.
struct TargetTile {
  const double* frame[kPanelFrames];  ///< positions of the tile's first vertex
  const double* centre;               ///< kPanelColumns
  const double* measure;              ///< a share each; vertices of share 0 are not read
  int vertices;
};

/// Writes the panel of a tile, a row of kPanelColumns a vertex, about the centre, zero where nothing is
/// measured, and adds the squares, times the vertices' shares, to `squares` (kPanelColumns).
void fill_panel(const TargetTile& tile, double* panel, double* squares);

/// Adds factor * row of the panel for each term: `factors` 4 a term, `sum` 4 x kPanelColumns row-major.
struct PanelTerms {
  const int* row;
  const double* factor;
  int count;
};
void add_moments(const PanelTerms& terms, const double* panel, double* sum);

/// One outer product: sum[block] += left right^T.
struct OuterTerm {
  int left, right, block;
};
struct OuterTerms {
  const OuterTerm* term;
  int count;
  const double *left, *right;  ///< 4 doubles each
};
/// `sum`: 4 x 4 column-major blocks.
void add_outer_products(const OuterTerms& terms, double* sum);

/// Skinned vertices of a rig: sum of weight * matrix * point over a vertex' influences.
struct Influences {
  const int* first;  ///< vertices + 1
  const int* joint;
  const double* weight;
  const double* point;  ///< one an influence
};
/// `matrices`: 4 x 4 column-major, a joint each.
void skin_influences(const Influences& in, int vertices, const double* matrices, double* out);

/// Skinned vertices of a file: one point a vertex, `count` slots of joint and weight.
struct Slots {
  const int* joint;
  const double* weight;
  const double* point;
  int count;
};
/// `matrices`: a zero matrix, then one a joint. Slots of weight 0 add nothing, whatever their joint's matrix.
void skin_slots(const Slots& in, int vertices, const double* matrices, double* out);

/// Two surfaces. Vertices of weight 0 count for nothing, whatever their positions are.
struct ErrorInput {
  const double* target;
  const double* actual;
  const double* weight;
  const double* copies;  ///< for how many vertices each stands
  double scale;          ///< of all errors
};
struct ErrorSums {
  double error = 0, squared = 0;  ///< weighted
  double plain_squared = 0;       ///< by copies, of vertices of weight > 0
  double worst = 0;
};
/// Adds the distances; `error`: one a vertex. \pre vertices is a multiple of four.
void measure_errors(const ErrorInput& in, int vertices, float* error, ErrorSums& sums);

/// A surface and the same at rest, each about a point of its own.
struct DisplacementInput {
  const double* target;
  const double* rest;
  const double* weight;
  const double* centre;       ///< x, y, z, subtracted from targets
  const double* rest_centre;  ///< likewise from rest points
};
struct DisplacementSums {
  double moved = 0;  ///< sum w |target - rest|
  double mass = 0;
  double source[3] = {}, target[3] = {}, cross[3][3] = {};  ///< sums of w x, w y, w x y^T about the centres
};
/// \pre vertices is a multiple of four.
void measure_displacement(const DisplacementInput& in, int vertices, DisplacementSums& sums);

/// Sum of w |R x + t - y| about the centres. `motion`: [R | t], 3 x 4 column-major.
/// \pre vertices is a multiple of four.
double measure_in_place(const DisplacementInput& in, int vertices, const double* motion);

}  // namespace pelt::kernels
