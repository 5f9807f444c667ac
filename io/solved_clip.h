#pragma once

#include <string>
#include <vector>

#include "../solver/rig.h"
#include "kept_keys.h"

namespace pelt {

/// A solved clip: model-space motions away from rest at each key time.
struct SolvedClip {
  std::string name;
  bool has_name = true;
  std::vector<float> times;  ///< seconds, strictly increasing, the first is 0
  std::vector<Pose> poses;   ///< a pose for each time
  KeptKeys kept = {};        ///< keys that are written; all where nothing is said
};

}  // namespace pelt
