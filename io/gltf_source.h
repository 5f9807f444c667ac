#pragma once

#include <string>

#include "accessor.h"
#include "gltf_json.h"

namespace pelt {

/// What the readers of nodes, skins, parts and clips read from. \pre check_schema passed.
struct GltfSource {
  const nlohmann::ordered_json& json;
  const Accessors& accessors;
  std::string file;  ///< for messages
};

[[noreturn]] inline void fail(const GltfSource& source, const std::string& place, const std::string& what) {
  fail(source.file, place, what);
}

}  // namespace pelt
