#pragma once

namespace pelt::cli {

/// While one lives, the first SIGINT or SIGTERM is noted instead of ending the program; the second ends it.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// Has a signal come?
  static bool came();
};

}  // namespace pelt::cli
