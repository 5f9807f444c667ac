#pragma once

#include <string>
#include <vector>

#include "quadruped.h"

namespace pelt {

/// One drawing of the quadruped, with its bones over it.
struct Figure {
  std::string caption;
  Surface skin;  ///< where it is now
  Skeleton skeleton;
  JointMotions motions;  ///< of the skeleton's joints
  bool bones = true;
};

/// Figures in rows of so many, seen from the animal's right and a little from the front and above, as SVG
/// text.
std::string draw(const std::vector<Figure>& figures, int columns);

/// The picture for the documentation: at rest with the artist's joints and with straight legs, a frame of
/// Walk and one of Gallop.
std::string quadruped_picture();

}  // namespace pelt
