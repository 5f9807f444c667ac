#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "document.h"
#include "rig_of_scene.h"
#include "scene.h"
#include "solved_clip.h"

namespace pelt {

class StagedFiles;

struct WriteSettings {
  bool replace = false;              ///< a clip of the same name makes room; else the new one gets a suffix
  bool drop_existing_clips = false;  ///< the file's own animations are left out
  bool rigid_bones = false;          ///< as in local_tracks
};

struct WriteOutcome {
  std::vector<std::string> names;     ///< name under which each clip was written
  std::vector<int> indices;           ///< place of each clip among the file's animations
  std::vector<std::string> warnings;  ///< renamed clips, transforms that TRS cannot express
};

/// Adds the clips to a copy of the document (DESIGN section 5): tracks in local space, parents first against
/// the parent as written (rounded to float), rotation keys of unit length and in one hemisphere from key to
/// key. Only animations, accessors, bufferViews, buffers and the matrix of animated nodes are edited. \throw
/// WriteError if a value is not finite or the file outgrows its format.
Document with_clips(const Document& document, const Scene& scene, const SceneRig& rig,
                    const std::vector<SolvedClip>& clips, const WriteSettings& settings,
                    WriteOutcome& outcome);

/// The file itself and all files beside it that its buffers, images and extensions lie in.
std::vector<std::filesystem::path> files_of(const Document& document);

/// Writes all files under temporary names, for commit() to rename: all or nothing. The ending of `path`
/// (.glb, .gltf) decides the container. New buffers become "<stem>.pelt.bin" beside it. In another folder
/// than the source's, the external files that the document names are copied along, unless they are there
/// already. Never writes over a file that the document reads, nor over the files `spared`. \throw WriteError
/// naming the path and the reason; nothing is left behind.
std::unique_ptr<StagedFiles> stage(const Document& document, const std::filesystem::path& path,
                                   const std::vector<std::filesystem::path>& spared = {});

/// The same, committed.
void save(const Document& document, const std::filesystem::path& path,
          const std::vector<std::filesystem::path>& spared = {});

}  // namespace pelt
