#include "joint_mode.h"

namespace pelt {

std::string name_of(JointMode mode) {
  switch (mode) {
    case JointMode::rotate:
      return "rotate";
    case JointMode::stretch:
      return "stretch";
    case JointMode::scale:
      return "scale";
    default:
      return "free";
  }
}

SolveSettings in_mode(JointMode mode, double stretch, SolveSettings settings) {
  const bool stiff = mode == JointMode::free || mode == JointMode::scale;
  settings.freedom = mode == JointMode::rotate  ? Freedom::rotate
                     : mode == JointMode::scale ? Freedom::scale
                                                : Freedom::free;
  if (!stiff) settings.stiffness = 0;
  settings.stretch = mode == JointMode::stretch ? stretch : 0;
  return settings;
}

}  // namespace pelt
