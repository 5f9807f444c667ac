#pragma once

#include <stdexcept>
#include <string>

namespace pelt {

/// Data that cannot be worked with: a wrong shape, a non-finite number, a weight below zero. The message
/// carries the place and the numbers, so that whoever made the data can find the fault.
struct InvalidInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Somebody asked for an end before the work was done.
struct Stopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace pelt
