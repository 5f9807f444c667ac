#include "open_document.h"

#include "clip_writer.h"
#include "document_of_rig.h"
#include "io_error.h"
#include "whole_file.h"

namespace pelt {
namespace {

namespace fs = std::filesystem;

fs::path mesh_beside(const fs::path& rig) {
  constexpr std::string_view suffix = "_rig";
  std::string stem = rig.stem().string();
  std::error_code none;
  const fs::path same = rig.parent_path() / (stem + ".obj");
  if (fs::exists(same, none)) return same;
  if (stem.ends_with(suffix)) stem.resize(stem.size() - suffix.size());
  const fs::path cut = rig.parent_path() / (stem + ".obj");
  if (fs::exists(cut, none)) return cut;
  throw ReadError(rig.string() + ": a text rig without its mesh: no " + cut.string() +
                  "; --mesh names another");
}

}  // namespace

Document open_document(const fs::path& path, const fs::path& mesh) {
  std::vector<std::uint8_t> bytes = read_whole_file(path);
  if (!is_text_rig(bytes)) {
    if (!mesh.empty()) throw UsageError(path.string() + ": no text rig; --mesh goes with one alone");
    return parse_document(std::move(bytes), path);
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const RigPaths paths{path, mesh.empty() ? mesh_beside(path) : mesh};
  const TextRig rig = parse_text_rig(text, path);
  return document_of_rig(rig, read_obj(paths.mesh), paths);
}

std::vector<fs::path> files_to_open(const fs::path& path, const fs::path& mesh) {
  try {
    std::vector<std::uint8_t> bytes = read_whole_file(path);
    if (is_text_rig(bytes)) return {path, mesh.empty() ? mesh_beside(path) : mesh};
    return files_of(parse_document(std::move(bytes), path));
  } catch (const ReadError&) {
    return {path};
  }
}

}  // namespace pelt
