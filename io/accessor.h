#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <string>

#include "document.h"

namespace pelt {

/// What a reader needs of an accessor; anything else is refused.
struct Wanted {
  std::string place;  ///< of whoever refers to the accessor, for messages
  const char* type;   ///< SCALAR, VEC3, VEC4 or MAT4
  bool floats_only = false;
};

/// Decoded accessors of a document. Ranges are checked before any byte is read: elements within their view,
/// views within their buffer, sparse indices within the accessor.
///
/// All reads together may not yield more than `max_numbers`, however small the document is: accessors without
/// a view cost nothing in the file, and many parts may share one accessor.
class Accessors {
 public:
  /// The document must outlive this. \pre check_schema passed. \throw ReadError
  explicit Accessors(const Document& document, std::size_t max_numbers = std::size_t{1} << 26);
  ~Accessors();

  /// Number of elements that the accessor says it has.
  std::size_t count(int accessor) const;

  /// A column an element, components x count; a matrix column by column. Integers are exact, `normalized`
  /// ones are decoded to
  /// [-1, 1] or [0, 1]. Without a view: zeros.
  /// \throw ReadError
  Eigen::MatrixXd read(int accessor, const Wanted& wanted) const;

  /// Largest rounding error of a decoded component: half a step of normalised integers, a few ulp of floats
  /// near 1.
  double precision(int accessor) const;

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace pelt
