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

/// How many numbers may be decoded from a file of that many bytes: so many that a file under 1 MiB can be
/// read, rigged and posed in 512 MiB. Stored ones take a byte at least, but accessors without a view cost
/// nothing in the file, and many parts may share one accessor.
std::size_t justified_numbers(std::size_t file_bytes);

/// Decoded accessors of a document. Ranges are checked before any byte is read: elements within their view,
/// views within their buffer, sparse indices within the accessor. All reads together are held to what the
/// document's bytes justify, before memory is taken.
class Accessors {
 public:
  /// The document must outlive this. `max_numbers`: 0 = what its bytes justify. \pre check_schema passed.
  /// \throw ReadError
  explicit Accessors(const Document& document, std::size_t max_numbers = 0);
  ~Accessors();

  /// Counts things that a reader makes besides accessors, each with that many numbers, against the same
  /// limit. \throw ReadError at `place`
  void charge(std::size_t things, std::size_t numbers, const std::string& place) const;

  /// Of the file with its buffers.
  std::size_t file_bytes() const;

  /// Number of elements that the accessor says it has.
  std::size_t count(int accessor) const;

  /// A column an element, components x count; a matrix column by column. Integers are exact, `normalized`
  /// ones are decoded to
  /// [-1, 1] or [0, 1]. Without a view: zeros.
  /// \throw ReadError
  Eigen::MatrixXd read(int accessor, const Wanted& wanted) const;

  /// Largest rounding error of a decoded component: half a step of normalised integers and of what was packed
  /// quantised, a few ulp of other floats near 1.
  double precision(int accessor) const;

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace pelt
