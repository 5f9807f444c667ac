#include "joint_mode.h"

#include <algorithm>
#include <iterator>

#include "io_error.h"

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

std::vector<JointMode> joint_modes(const std::string& list) {
  std::vector<JointMode> modes;
  for (std::size_t first = 0, end = 0; end != std::string::npos; first = end + 1) {
    end = list.find(',', first);
    const std::string name = list.substr(first, end == std::string::npos ? end : end - first);
    const auto mode = std::find_if(std::begin(kJointModes), std::end(kJointModes),
                                   [&](JointMode m) { return name_of(m) == name; });
    if (mode == std::end(kJointModes))
      throw UsageError("'" + name + "' is not free, rotate, stretch or scale");
    modes.push_back(*mode);
  }
  return modes;
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
