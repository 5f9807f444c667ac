#pragma once

#include <string>
#include <vector>

#include "document.h"
#include "scene.h"

namespace pelt {

/// Something about a file that makes it look wrong somewhere.
struct Finding {
  std::string check;  ///< stable short name, see docs/inspect.md
  std::string what;   ///< the place in the JSON, and numbers
  std::string cause;  ///< the likely one, and what it looks like; empty where nothing is known
  std::string cure;
  bool note = false;  ///< legal, common, and harmless in most programs
};

/// Runs every check on a file that could be read. What the reader coped with comes first.
std::vector<Finding> find_faults(const Document& document, const Scene& scene);

/// Cause and cure of a sentence of the reader: one of Scene::warnings, or why a file cannot be read.
Finding explained(const std::string& sentence);

}  // namespace pelt
