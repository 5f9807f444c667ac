#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "scene.h"

namespace pelt {

/// A wish for a clip that the file cannot fulfil; the message lists the clips that are there.
struct NoSuchClip : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Indices of the clips that the names choose, each once, in the file's order; all clips where no name is
/// given. A name is an exact clip name, `#index`, or the part after the last `|` of exactly one clip's name
/// (`Walk` for `AnimalArmature|Walk`). \throw NoSuchClip for no match or several.
std::vector<int> choose_clips(const Scene& scene, const std::vector<std::string>& names);

/// The clip's name, or `#index` where it has none: for tables and messages.
std::string display_name(const Clip& clip);

}  // namespace pelt
