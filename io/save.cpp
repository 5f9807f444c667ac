#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "clip_writer.h"
#include "io_error.h"
#include "staged_files.h"
#include "uri.h"

namespace pelt {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void add_external_files(const Json& json, std::set<std::string>& names) {
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    if (key == "uri" && value.is_string()) {
      const std::string uri = value.get<std::string>();
      if (is_relative_file(uri)) names.insert(percent_decoded(uri));
    } else if (key != "extras") {
      add_external_files(value, names);
    }
  }
}

/// Names of the files beside the document that its buffers, images and extensions lie in.
std::set<std::string> external_files(const Json& json) {
  std::set<std::string> names;
  add_external_files(json, names);
  return names;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code none;
  return fs::equivalent(a, b, none);
}

bool is_any_of(const fs::path& path, const std::vector<fs::path>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const fs::path& other) { return same_file(path, other); });
}

bool same_bytes(const fs::path& a, const fs::path& b) {
  std::ifstream first(a, std::ios::binary), second(b, std::ios::binary);
  using Iterator = std::istreambuf_iterator<char>;
  return first && second && std::equal(Iterator(first), Iterator(), Iterator(second), Iterator());
}

/// The document reads its own file and the external ones; none of them may be written over.
void spare_sources(const Document& document, const fs::path& path, const std::vector<fs::path>& spared) {
  if (is_any_of(path, spared))
    throw WriteError(path.string() + ": is read by an input; it is not written over");
  if (same_file(document.path, path))
    throw WriteError(path.string() + ": is the input; it is not written over");
  for (const std::string& name : external_files(document.json)) {
    const bool would_be_read =
        (folder_of(path) / name).lexically_normal() == (folder_of(path) / path.filename()).lexically_normal();
    if (would_be_read || same_file(folder_of(document.path) / name, path))
      throw WriteError(path.string() + ": is a file that the document reads; it is not written over");
  }
}

/// Files that the saved document names and that are not beside it yet. A file that the source lacks stays
/// missing.
void copy_externals(const Document& document, const fs::path& path, StagedFiles& files) {
  const fs::path from = folder_of(document.path), to = folder_of(path);
  if (same_file(from, to)) return;
  for (const std::string& name : external_files(document.json)) {
    std::error_code none;
    if (!fs::is_regular_file(from / name, none)) continue;
    const fs::path target = to / name;
    if (fs::exists(target, none)) {
      if (!same_file(from / name, target) && !same_bytes(from / name, target))
        throw WriteError(target.string() +
                         ": another file is there that the document would read instead of its own");
      continue;
    }
    if (*fs::path(name).lexically_normal().begin() == "..")
      throw WriteError(path.string() + ": the document reads '" + name +
                       "', outside its folder: it can only be saved where that file is");
    files.copy(from / name, target);
  }
}

/// Is the BIN chunk the data of the first buffer? Else nothing refers to it.
bool bin_is_a_buffer(const Json& json) {
  return json.contains("buffers") && !json["buffers"].empty() && !json["buffers"][0].contains("uri");
}

/// The container that the output's name promises. The BIN chunk of a buffer becomes an external file; other
/// chunks have no place in a .gltf.
void fit_container(Document& document, const fs::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".glb") document.binary_container = true;
  if (extension != ".gltf" || !document.binary_container) return;
  if (!document.other_chunks.empty() || (document.has_bin && !bin_is_a_buffer(document.json)))
    throw WriteError(path.string() + ": the input has chunks that only a .glb can hold");
  document.binary_container = false;
  if (!document.has_bin) return;
  document.new_buffers.insert(document.new_buffers.begin(), {0, std::move(document.bin)});
  document.bin.clear();
  document.has_bin = false;
}

/// Names the new external buffers after the output: "<stem>.pelt.bin", or the next number where the document
/// or somebody else reads that.
void write_new_buffers(Document& document, const fs::path& path, const std::vector<fs::path>& spared,
                       StagedFiles& files) {
  std::set<std::string> names = external_files(document.json);
  names.insert(path.filename().string());
  const auto taken = [&](const std::string& name) {
    return names.count(name) || is_any_of(folder_of(path) / name, spared);
  };
  for (const Document::NewBuffer& buffer : document.new_buffers) {
    std::string name = path.stem().string() + ".pelt.bin";
    for (int n = 2; taken(name); ++n) name = path.stem().string() + ".pelt" + std::to_string(n) + ".bin";
    names.insert(name);
    document.json["buffers"][buffer.buffer]["uri"] = percent_encoded(name);
    files.write(folder_of(path) / name, buffer.data);
  }
}

}  // namespace

std::vector<fs::path> files_of(const Document& document) {
  std::vector<fs::path> files = {document.path};
  for (const std::string& name : external_files(document.json))
    files.push_back(folder_of(document.path) / name);
  return files;
}

std::unique_ptr<StagedFiles> stage(const Document& document, const fs::path& path,
                                   const std::vector<fs::path>& spared) {
  std::error_code error;
  if (!fs::is_directory(folder_of(path), error))
    throw WriteError(path.string() +
                     ": cannot be written: " + (error ? error.message() : "its folder is not one"));
  spare_sources(document, path, spared);
  auto staged = std::make_unique<StagedFiles>();
  StagedFiles& files = *staged;
  Document output = document;
  fit_container(output, path);
  copy_externals(document, path, files);
  write_new_buffers(output, path, spared, files);
  files.write(path, serialise(output));
  return staged;
}

void save(const Document& document, const fs::path& path, const std::vector<fs::path>& spared) {
  stage(document, path, spared)->commit();
}

}  // namespace pelt
