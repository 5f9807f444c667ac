#include "rig_file.h"

#include <Eigen/LU>

#include "../solver/error.h"
#include "gltf_reader.h"
#include "io_error.h"
#include "open_document.h"
#include "pose.h"

namespace pelt {
namespace {

/// Vertices that such a joint holds lie on a plane or a point wherever it goes.
void refuse_singular_matrices(const Scene& scene) {
  for (const Part& part : scene.parts) {
    if (part.skin < 0) continue;
    const Skin& skin = scene.skins[part.skin];
    std::vector<char> weighted(skin.joints.size(), 0);
    for (Eigen::Index n = 0; n < part.weights.size(); ++n)
      if (part.weights.data()[n] > 0) weighted[part.joints.data()[n]] = 1;
    for (std::size_t j = 0; j < weighted.size(); ++j)
      if (weighted[j] && !Eigen::FullPivLU<Eigen::Matrix4d>(skin.joint_from_bind[j]).isInvertible())
        throw ReadError(scene.file + ": skins[" + std::to_string(part.skin) +
                        "].inverseBindMatrices: matrix " + std::to_string(j) +
                        ", of a joint that holds vertices, is singular");
  }
}

}  // namespace

RigFile make_rig_file(Document document) {
  RigFile file = make_rig_file(read_scene(document));
  file.document = std::make_shared<Document>(std::move(document));
  return file;
}

RigFile make_rig_file(Scene scene) {
  RigFile file;
  file.scene = std::move(scene);
  file.rest = rest_surface(file.scene);
  refuse_singular_matrices(file.scene);
  try {
    file.rig = rig_of_scene(file.scene);
    if (file.rest.triangles.cols() > 0) validate(file.rest, "rest");
  } catch (const InvalidInput& error) {  // finite numbers whose products are not
    throw ReadError(file.scene.file + ": " + error.what());
  }
  return file;
}

RigFile open_rig_file(const std::filesystem::path& path, const std::filesystem::path& mesh) {
  return make_rig_file(open_document(path, mesh));
}

RigFile limited(const RigFile& file, int max_influences, InfluenceCut& cut) {
  RigFile few = file;
  few.max_influences = max_influences;
  cut = limit_influences(few.scene, max_influences);
  few.rig = rig_of_scene(few.scene);
  return few;
}

std::optional<RigFile> with_distinct(const RigFile& file, DistinctVertices distinct) {
  if (distinct.is_all()) return std::nullopt;
  RigFile few = file;
  few.distinct = std::move(distinct);
  keep_distinct(few.distinct, few.scene);
  few.rest = {file.rest.positions(Eigen::all, few.distinct.kept), few.scene.triangles};
  few.rig = rig_of_scene(few.scene);
  return few;
}

void check_surface(const RigFile& file) {
  if (file.scene.triangles.cols() == 0)
    throw ReadError(file.scene.file + ": meshes: no triangle in the scene");
  if (!(vertex_areas(file.rest).sum() > 0))
    throw ReadError(file.scene.file + ": meshes: the surface has no area");
  if (!file.scene.skins.empty() && file.rig.rig.influences() == 0)
    throw ReadError(file.scene.file + ": skins: no vertex is bound to a joint");
}

Eigen::Matrix3Xd surface_of(const RigFile& file, const Pose& motions) {
  const Rig& rig = file.rig.rig;
  Eigen::Matrix3Xd surface = skin(rig, motions);
  for (int i = 0; i < rig.vertices(); ++i)
    if (rig.first_influence[i] == rig.first_influence[i + 1]) surface.col(i) = file.rest.positions.col(i);
  return surface;
}

Scene read_scene_of(const RigFile& rig, const Document& document) {
  Scene scene = read_scene(document);
  if (rig.max_influences > 0) limit_influences(scene, rig.max_influences);
  keep_distinct(rig.distinct, scene);
  return scene;
}

}  // namespace pelt
