#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "job.h"

namespace pelt {

/// What the {tool} and {model} of a pattern stand for in a path.
struct Names {
  std::string tool, model;
  bool operator==(const Names&) const = default;
};

struct NamedFile {
  std::filesystem::path path;
  std::vector<Names> names;  ///< every way in which the pattern fits, the shortest tool first
};

/// Files that a pattern such as rigs/{tool}/{model}.glb fits, in the order of their paths. A placeholder
/// stands for one or more characters other than '/', the same wherever it comes again.
/// \throw UsageError for another name in braces, or where a folder cannot be listed
std::vector<NamedFile> files_of_pattern(const std::string& pattern);

/// The pattern with the names in place.
std::filesystem::path filled(const std::string& pattern, const Names& names);

/// Does the text have a {tool} or {model}?
bool has_placeholder(const std::string& text, const std::string& name);

/// A job for each file of the pattern `rigs`, which has {tool} and {model}. `artists`: a folder with
/// {model}.glb or {model}.gltf, or a pattern. Where a path fits in several ways that counts to which there is
/// an artist. \throw UsageError where no file fits, one does in several ways, or a model has
/// two artists
std::vector<Job> jobs_of_patterns(const std::string& artists, const std::string& rigs,
                                  const BakeOptions& defaults);

}  // namespace pelt
