#pragma once

#include <limits>
#include <utility>

namespace pelt {

/// What the energy does over many steps. Where joints lie on top of each other, valleys are so flat that
/// hundreds of steps follow each other for a ten-millionth of the energy: the rest of the way is left.
struct Progress {
  static constexpr int kWindow = 20;           ///< accepted steps from one look to the next
  static constexpr double kWorthwhile = 1e-7;  ///< of the energy, for a window
  static constexpr double kWindowsAhead = 10;  ///< how far what a window took off is thought to go on

  double noise, goal;
  double last = std::numeric_limits<double>::infinity();
  bool still = false;     ///< the last window was not worthwhile
  bool hopeless = false;  ///< the energy will not fall to the goal

  void look(int steps, double energy) {
    if (steps % kWindow != 0) return;
    const double gain = std::exchange(last, energy) - energy;
    still = gain <= kWorthwhile * energy + noise;
    hopeless = energy - kWindowsAhead * gain > goal;
  }
};

}  // namespace pelt
