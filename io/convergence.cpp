#include "convergence.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace pelt {

Convergence convergence(const ClipTransfer& clip) {
  Convergence c;
  for (const FrameResult& frame : clip.frames) {
    c.gradient = std::max(c.gradient, frame.gradient);
    c.open += !frame.converged && !frame.flat;
    c.flat += frame.flat;
  }
  return c;
}

std::vector<std::string> open_frames(const std::vector<ClipTransfer>& clips) {
  std::vector<std::string> told;
  for (const ClipTransfer& clip : clips) {
    const Convergence c = convergence(clip);
    if (c.open == 0) continue;
    std::ostringstream text;
    text << "clip '" << clip.written_name << "': the solver did not converge in " << c.open << " of "
         << clip.frames.size() << " frames, largest remaining gradient " << std::setprecision(2)
         << c.gradient;
    told.push_back(text.str());
  }
  return told;
}

}  // namespace pelt
