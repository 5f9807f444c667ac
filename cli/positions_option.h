#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/scene.h"

namespace pelt::cli {

/// What `--positions WHAT OUT` asks for.
struct PositionsRequest {
  std::string clip;           ///< as given to --clip; unused at rest
  std::vector<double> times;  ///< seconds; empty: the rest pose
  std::string output;
};

/// WHAT is `rest` or `CLIP@t[,t...]`, split at its last '@'. \throw UsageError for a time that is none, an
/// OUT that ends in neither .npy nor .obj or is asked for several times of one .obj.
PositionsRequest parse_positions(const std::string& what, const std::string& output);

/// Writes all that is asked for, or nothing. \throw NoSuchClip, WriteError, and UsageError where one file
/// would be written twice or is the input.
void write_positions(const Scene& scene, const std::vector<PositionsRequest>& requests);

}  // namespace pelt::cli
