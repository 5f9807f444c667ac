#include "obj_scene.h"

#include "io_error.h"
#include "obj.h"

namespace pelt {

Scene read_obj_scene(const std::filesystem::path& path) {
  ObjMesh mesh = read_obj(path);
  if (mesh.triangles.cols() == 0) throw ReadError(path.string() + ": no face ('f' line)");
  Scene scene;
  scene.file = path.string();
  scene.file_bytes = std::filesystem::file_size(path);
  Node node;
  node.name = path.stem().string();
  node.in_scene = true;
  node.mesh = 0;
  scene.nodes = {node};
  scene.parents_first = {0};
  Part part;
  part.node = part.mesh = part.primitive = 0;
  part.vertices = static_cast<int>(mesh.positions.cols());
  part.triangles = static_cast<int>(mesh.triangles.cols());
  part.positions = std::move(mesh.positions);
  scene.parts = {std::move(part)};
  scene.triangles = std::move(mesh.triangles);
  return scene;
}

}  // namespace pelt
