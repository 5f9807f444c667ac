#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "document.h"

namespace pelt {

struct ClipFacts {
  std::string name;   ///< as in the file; empty where it has none
  int index = 0;      ///< in the file's animations
  double start = 0;   ///< first key of any channel, seconds
  double end = 0;     ///< last key of any channel, seconds
  bool timed = true;  ///< false where the keys are neither described nor readable
};

/// What a file holds, as stored: meshes count whether a scene draws them or not, and vertices that several
/// primitives share count once.
struct FileFacts {
  std::size_t meshes = 0;
  std::size_t triangles = 0;
  std::size_t vertices = 0;
  std::size_t skinned_vertices = 0;  ///< those of primitives with JOINTS_0
  std::size_t morph_targets = 0;     ///< most of any primitive
  std::vector<std::size_t> joints;   ///< of each skin
  int influence_sets = 0;            ///< most JOINTS_n of any primitive
  std::vector<ClipFacts> clips;
  std::vector<std::string> extensions_used, extensions_required;
  std::vector<std::string> extensions;  ///< those used that concern geometry or motion
  bool sparse = false;                  ///< some accessor is sparse
};

/// Works on the JSON alone wherever it can, so that files that read_scene refuses (broken ones, weights
/// that are not numbers) can be looked at too. \throw ReadError if the JSON is not what glTF says.
FileFacts inspect(const Document& document);

/// Facts as cells of a table, for people.
std::string vertices_cell(const FileFacts& facts);  ///< 8046 (5696 skinned), 3 morph targets
std::string joints_cell(const FileFacts& facts);    ///< 43 + 43
std::string clips_cell(
    const FileFacts& facts);  ///< Walk 1.17 s, #1 2.00 s; from seven clips on, their number first
std::string extensions_cell(const FileFacts& facts);  ///< KHR_mesh_quantization, sparse accessors

/// The part of a clip's name behind its last `|`, or `#index` where nothing is left.
std::string short_name(const ClipFacts& clip);

/// All columns, heading and cell.
std::vector<std::pair<std::string, std::string>> inspect_columns(const FileFacts& facts);

}  // namespace pelt
