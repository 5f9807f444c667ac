#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "document.h"
#include "health.h"
#include "inspect.h"
#include "scene_facts.h"
#include "stance_guess.h"

namespace pelt {

/// Everything that `pelt inspect` tells.
struct Inspection {
  std::string file;
  FileFacts stored;
  std::optional<SceneFacts> scene;    ///< none where the file cannot be read
  std::optional<StanceGuess> stance;  ///< none where there is no surface either
  std::vector<Finding> findings;
  std::optional<Finding> unreadable;  ///< why it cannot be read
};

/// \throw ReadError where not even the JSON is what glTF says.
Inspection look_at(const Document& document);

/// All of it for machines; docs/inspect.md has the keys.
nlohmann::ordered_json inspect_report(const Inspection& inspection);

}  // namespace pelt
