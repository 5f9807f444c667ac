// Primitives as in glTF 2.0, sections 3.7.2.1 (topology) and 3.7.2.2 (morph targets).
#include "gltf_parts.h"

#include <algorithm>

#include "gltf_influences.h"
#include "gltf_nodes.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

enum Mode { triangles_mode = 4, strip_mode = 5, fan_mode = 6 };

Eigen::RowVectorXi read_corners(const GltfSource& source, const Json& primitive, const std::string& place,
                                int vertices) {
  const int accessor = integer_of(primitive, "indices");
  if (accessor < 0) return Eigen::RowVectorXi::LinSpaced(vertices, 0, vertices - 1);
  const Eigen::MatrixXd stored = source.accessors.read(accessor, {place + ".indices", "SCALAR"});
  for (Eigen::Index k = 0; k < stored.cols(); ++k)
    if (!(stored(k) >= 0 && stored(k) < vertices))
      fail(source, place + ".indices",
           "index " + number(stored(k)) + " at " + std::to_string(k) + ", but there are " +
               std::to_string(vertices) + " vertices");
  return stored.cast<int>();
}

/// Every second triangle of a strip has its corners swapped, so that all face the same way.
Eigen::Matrix3Xi triangles_of(const Eigen::RowVectorXi& corners, int mode) {
  const Eigen::Index n = corners.size();
  if (mode == triangles_mode) return corners.head(n / 3 * 3).reshaped(3, n / 3);
  Eigen::Matrix3Xi triangles(3, std::max<Eigen::Index>(n - 2, 0));
  for (Eigen::Index k = 0; k < triangles.cols(); ++k) {
    const Eigen::Index odd = k % 2;
    if (mode == strip_mode)
      triangles.col(k) << corners(k), corners(k + 1 + odd), corners(k + 2 - odd);
    else
      triangles.col(k) << corners(k + 1), corners(k + 2), corners(0);
  }
  return triangles;
}

std::vector<char> used_flags(const Eigen::Matrix3Xi& triangles, int vertices) {
  std::vector<char> used(vertices, 0);
  for (const int corner : triangles.reshaped()) used[corner] = 1;
  return used;
}

/// Vectors that no triangle uses may be anything in the file; where they are not finite they are zero from
/// here on.
void settle_unused(const GltfSource& source, const std::string& place, const std::vector<char>& used,
                   Eigen::Matrix3Xd& vectors) {
  for (Eigen::Index v = 0; v < vectors.cols(); ++v) {
    if (vectors.col(v).allFinite()) continue;
    if (used[v]) fail(source, place + ", vertex " + std::to_string(v), "a number that is not finite");
    vectors.col(v).setZero();
  }
}

void read_morphs(const GltfSource& source, const Json& primitive, const std::string& place,
                 const std::vector<char>& used, Part& part) {
  const Json& targets = member(primitive, "targets");
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const std::string target = at(place + ".targets", t);
    source.accessors.charge(1, static_cast<std::size_t>(3 * part.vertices), target);
    Eigen::Matrix3Xd displacement = Eigen::Matrix3Xd::Zero(3, part.vertices);
    const int accessor = integer_of(targets[t], "POSITION");
    if (accessor >= 0) {
      const std::string where = target + ".POSITION";
      const std::size_t count = source.accessors.count(accessor);
      if (count != static_cast<std::size_t>(part.vertices))
        fail(source, where,
             std::to_string(count) + " elements for " + std::to_string(part.vertices) + " vertices");
      displacement = source.accessors.read(accessor, {where, "VEC3"});
      settle_unused(source, where, used, displacement);
    }
    part.morphs.push_back(std::move(displacement));
  }
}

/// Weights of the node go before those of the mesh; without either they are zero.
void read_morph_weights(const GltfSource& source, Scene& scene, Part& part) {
  const Json& node = source.json["nodes"][part.node];
  const Json& mesh = source.json["meshes"][part.mesh];
  const bool own = node.contains("weights");
  const Json& stored = member(own ? node : mesh, "weights");
  part.morph_weights = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(part.morphs.size()));
  for (std::size_t t = 0; t < std::min(stored.size(), part.morphs.size()); ++t)
    part.morph_weights(static_cast<Eigen::Index>(t)) = stored[t].get<double>();
  if (!stored.empty() && stored.size() != part.morphs.size())
    scene.warnings.push_back((own ? at("nodes", part.node) : at("meshes", part.mesh)) +
                             ".weights: " + std::to_string(stored.size()) + " weights for " +
                             std::to_string(part.morphs.size()) + " morph targets");
}

void read_part(const GltfSource& source, const Json& primitive, Part part,
               std::vector<Eigen::Matrix3Xi>& triangles, Scene& scene) {
  const int mode = integer_of(primitive, "mode", triangles_mode);
  const int position = integer_of(primitive["attributes"], "POSITION");
  if (mode < triangles_mode || mode > fan_mode || position < 0) return;
  const std::string place = at(at("meshes", part.mesh) + ".primitives", part.primitive);
  const std::string position_place = place + ".attributes.POSITION";
  part.positions = source.accessors.read(position, {position_place, "VEC3"});
  part.vertices = static_cast<int>(part.positions.cols());
  part.first_vertex = scene.vertices();
  const Eigen::Matrix3Xi own = triangles_of(read_corners(source, primitive, place, part.vertices), mode);
  const std::vector<char> used = used_flags(own, part.vertices);
  settle_unused(source, position_place, used, part.positions);
  part.first_triangle =
      scene.parts.empty() ? 0 : scene.parts.back().first_triangle + scene.parts.back().triangles;
  part.triangles = static_cast<int>(own.cols());
  read_morphs(source, primitive, place, used, part);
  read_morph_weights(source, scene, part);
  if (part.skin >= 0) read_influences(source, place, used, scene, part);
  triangles.push_back(own.array() + part.first_vertex);
  scene.parts.push_back(std::move(part));
}

void gather(const std::vector<Eigen::Matrix3Xi>& lists, Scene& scene) {
  Eigen::Index count = 0;
  for (const Eigen::Matrix3Xi& list : lists) count += list.cols();
  scene.triangles.resize(3, count);
  Eigen::Index first = 0;
  for (const Eigen::Matrix3Xi& list : lists) {
    scene.triangles.middleCols(first, list.cols()) = list;
    first += list.cols();
  }
}

}  // namespace

void read_parts(const GltfSource& source, Scene& scene) {
  std::vector<Eigen::Matrix3Xi> triangles;
  for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
    const Node& node = scene.nodes[n];
    if (!node.in_scene || node.mesh < 0) continue;
    const Json& primitives = source.json["meshes"][node.mesh]["primitives"];
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      Part part;
      part.node = static_cast<int>(n);
      part.mesh = node.mesh;
      part.primitive = static_cast<int>(p);
      part.skin = node.skin;
      read_part(source, primitives[p], std::move(part), triangles, scene);
    }
  }
  gather(triangles, scene);
}

}  // namespace pelt
