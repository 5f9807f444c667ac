#include "path_pattern.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "../io/io_error.h"

namespace pelt {
namespace {

namespace fs = std::filesystem;

/// Calls found() for each way in which the pattern's rest fits the text's rest; an empty name is not bound.
void match(std::string_view pattern, std::string_view text, Names names,
           const std::function<void(const Names&)>& found) {
  if (pattern.empty()) {
    if (text.empty()) found(names);
    return;
  }
  const bool tool = pattern.starts_with("{tool}"), model = pattern.starts_with("{model}");
  if (!tool && !model) {
    if (!text.empty() && text[0] == pattern[0]) match(pattern.substr(1), text.substr(1), names, found);
    return;
  }
  std::string& name = tool ? names.tool : names.model;
  pattern.remove_prefix(tool ? 6 : 7);
  if (!name.empty()) {
    if (text.starts_with(name)) match(pattern, text.substr(name.size()), names, found);
    return;
  }
  for (std::size_t size = 1; size <= text.size(); ++size) {
    name = text.substr(0, size);
    match(pattern, text.substr(size), names, found);
  }
}

std::vector<Names> fits(const std::string& pattern, const std::string& text,
                        const std::vector<Names>& before) {
  std::vector<Names> after;
  for (const Names& names : before)
    match(pattern, text, names, [&](const Names& found) { after.push_back(found); });
  return after;
}

std::vector<fs::path> listing(const fs::path& folder) {
  std::vector<fs::path> list;
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error))
    list.push_back(entry->path().filename());
  if (error) throw UsageError(folder.string() + ": cannot be listed: " + error.message());
  std::sort(list.begin(), list.end());
  return list;
}

/// Walks the folders of a pattern part by part.
void walk(const NamedFile& at, fs::path::const_iterator part, fs::path::const_iterator end,
          std::vector<NamedFile>& found) {
  std::error_code none;
  if (part == end) {
    if (fs::is_regular_file(at.path, none)) found.push_back(at);
    return;
  }
  const auto next = std::next(part);
  const std::string text = part->string();
  if (text.find('{') == std::string::npos) return walk({at.path / *part, at.names}, next, end, found);
  if (!at.path.empty() && !fs::is_directory(at.path, none)) return;
  for (const fs::path& name : listing(at.path))
    if (std::vector<Names> names = fits(text, name.string(), at.names); !names.empty())
      walk({at.path / name, std::move(names)}, next, end, found);
}

/// A brace that begins nothing known is a slip.
void check_pattern(const std::string& pattern) {
  for (std::size_t at = pattern.find('{'); at != std::string::npos; at = pattern.find('{', at + 1))
    if (pattern.compare(at, 6, "{tool}") != 0 && pattern.compare(at, 7, "{model}") != 0)
      throw UsageError(pattern + ": '" + pattern.substr(at, pattern.find('}', at) + 1 - at) +
                       "' is not {tool} or {model}");
}

/// The artist of a model, whether he is there or not.
fs::path artist_of(const std::string& artists, const Names& names) {
  if (has_placeholder(artists, "model")) return filled(artists, names);
  const fs::path glb = fs::path(artists) / (names.model + ".glb"),
                 gltf = fs::path(artists) / (names.model + ".gltf");
  std::error_code none;
  const bool both = fs::exists(glb, none) && fs::exists(gltf, none);
  if (both) throw UsageError(glb.string() + ": there is a .gltf of the same name");
  return fs::exists(gltf, none) ? gltf : glb;
}

Job job_of(const NamedFile& file, const std::string& artists, const BakeOptions& defaults) {
  std::vector<Job> jobs;
  for (const Names& names : file.names) {
    Job job{names.tool, names.model, defaults, ""};
    job.bake.rig = file.path;
    job.bake.artist = artist_of(artists, names);
    jobs.push_back(std::move(job));
  }
  const auto no_artist = [](const Job& job) { return !fs::exists(job.bake.artist); };
  if (jobs.size() > 1 && !std::all_of(jobs.begin(), jobs.end(), no_artist)) std::erase_if(jobs, no_artist);
  if (jobs.size() > 1)
    throw UsageError(file.path.string() + ": could be '" + display_name(jobs[0]) + "' or '" +
                     display_name(jobs[1]) + "'");
  return jobs.front();
}

}  // namespace

bool has_placeholder(const std::string& text, const std::string& name) {
  return text.find("{" + name + "}") != std::string::npos;
}

std::vector<NamedFile> files_of_pattern(const std::string& pattern) {
  check_pattern(pattern);
  const fs::path path(pattern);
  std::vector<NamedFile> found;
  walk({{}, {Names{}}}, path.begin(), path.end(), found);
  return found;
}

fs::path filled(const std::string& pattern, const Names& names) {
  check_pattern(pattern);
  std::string text;
  for (std::size_t at = 0; at < pattern.size();) {
    const bool tool = pattern.compare(at, 6, "{tool}") == 0, model = pattern.compare(at, 7, "{model}") == 0;
    text += tool ? names.tool : model ? names.model : pattern.substr(at, 1);
    at += tool ? 6 : model ? 7 : 1;
  }
  return text;
}

std::vector<Job> jobs_of_patterns(const std::string& artists, const std::string& rigs,
                                  const BakeOptions& defaults) {
  if (!has_placeholder(rigs, "tool") || !has_placeholder(rigs, "model"))
    throw UsageError(rigs + ": must have {tool} and {model}, as in rigs/{tool}/{model}.glb");
  std::vector<Job> jobs;
  for (const NamedFile& file : files_of_pattern(rigs)) jobs.push_back(job_of(file, artists, defaults));
  if (jobs.empty()) throw UsageError(rigs + ": no file fits");
  return jobs;
}

}  // namespace pelt
