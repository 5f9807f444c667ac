#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "../solver/surface.h"
#include "distinct_vertices.h"
#include "document.h"
#include "limit_influences.h"
#include "rig_of_scene.h"
#include "scene.h"

namespace pelt {

/// A file that has been read and looked at as a rig.
struct RigFile {
  std::shared_ptr<const Document> document = std::make_shared<Document>();  ///< of all copies of the rig
  Scene scene;
  SceneRig rig;
  Surface rest;
  int max_influences = 0;     ///< those of a vertex that the scene has; 0: all that the document has
  DistinctVertices distinct;  ///< the vertices of the document's scene that `scene`, `rig` and `rest` have
};

/// \throw ReadError, also where finite numbers of the file multiply to what is not finite, or a weighted
/// joint's inverse bind matrix is singular.
RigFile make_rig_file(Document document);

/// The same of a scene without a document.
RigFile make_rig_file(Scene scene);

/// The same from a file, or from a text rig with its mesh as open_document finds it.
RigFile open_rig_file(const std::filesystem::path& path, const std::filesystem::path& mesh = {});

/// The rig as an engine plays it that takes only so many influences a vertex. Its document keeps all, and so
/// does its rest surface: areas and matching do not hang on the engine.
RigFile limited(const RigFile& file, int max_influences, InfluenceCut& cut);

/// The rig with its distinct vertices alone; none where those are all. Its document keeps all. \pre the file
/// has all of its vertices
std::optional<RigFile> with_distinct(const RigFile& file, DistinctVertices distinct);

/// \throw ReadError where the file has no triangle, no area, or a skin that holds no vertex.
void check_surface(const RigFile& file);

/// The surface that some motions of the rig's joints make, 3 x V; what no joint moves stays where it is at
/// rest.
Eigen::Matrix3Xd surface_of(const RigFile& file, const Pose& motions);

/// Scene of a document that holds the rig's surface, such as the rig with clips, with the rig's influences
/// and vertices.
Scene read_scene_of(const RigFile& rig, const Document& document);

}  // namespace pelt
