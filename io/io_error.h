#pragma once

#include <stdexcept>
#include <string>

namespace pelt {

/// A file that cannot be read or is not what it says it is. The message starts with the file's path, then the
/// place in its JSON (as in `accessors[3].count`), then the numbers.
struct ReadError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An output that cannot be written. Nothing of it is left behind.
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Options that cannot be fulfilled together, such as an output that is an input.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pelt
