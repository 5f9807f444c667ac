// Checks of skeleton and weights.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <set>

#include "accessor.h"
#include "gltf_json.h"
#include "gltf_nodes.h"
#include "health_checks.h"
#include "trs.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

/// The first node in the scene whose mesh has weights but which has no skin; -1 where there is none.
int node_without_skin(const Examined& file) {
  for (std::size_t n = 0; n < file.scene.nodes.size(); ++n) {
    const Node& node = file.scene.nodes[n];
    if (!node.in_scene || node.mesh < 0 || node.skin >= 0) continue;
    for (const Json& primitive : file.document.json["meshes"][node.mesh]["primitives"])
      if (primitive["attributes"].contains("JOINTS_0")) return static_cast<int>(n);
  }
  return -1;
}

bool shapes_something(const Examined& file, std::size_t skin) {
  const std::vector<char>& weighted = file.weighted[skin];
  return std::find(weighted.begin(), weighted.end(), 1) != weighted.end();
}

void check_missing_matrices(const Examined& file, std::size_t s, Findings& findings) {
  const Skin& skin = file.scene.skins[s];
  int moved = 0;
  for (std::size_t j = 0; j < skin.joints.size(); ++j)
    if (file.weighted[s][j] && !file.rest.model_from_node[skin.joints[j]].isIdentity(1e-6)) ++moved;
  if (moved > 0)
    findings.push_back(
        {"no-bind-matrices",
         at("skins", s) + ": no inverseBindMatrices, but " + std::to_string(moved) +
             " joints with weights are not at the origin",
         "the exporter left the bind pose out; the mesh is twisted or torn as soon as it is skinned",
         "export with inverse bind matrices; they cannot be guessed from the nodes"});
}

void check_singular_matrices(const Examined& file, std::size_t s, Findings& findings) {
  const Skin& skin = file.scene.skins[s];
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    if (!file.weighted[s][j] || !flattens(skin.joint_from_bind[j])) continue;
    findings.push_back(
        {"singular-bind-matrix",
         at(at("skins", s) + ".inverseBindMatrices", j) + ": flattens space, but " +
             node_at(file.scene, skin.joints[j]) + " has weights",
         "the joint was scaled to zero when the mesh was bound; its part of the mesh is flat or gone",
         "bind again with all joints at a scale above zero"});
    return;
  }
}

void check_matrix_count(const Examined& file, std::size_t s, int accessor, Findings& findings) {
  const Json& stored = file.document.json["accessors"][accessor];
  const auto count = stored["count"].get<std::size_t>(), joints = file.scene.skins[s].joints.size();
  if (count > joints)
    findings.push_back(
        {"spare-bind-matrices",
         at("skins", s) + ": " + std::to_string(count) + " inverse bind matrices for " +
             std::to_string(joints) + " joints",
         "joints were removed but not their matrices; if others than the last, limbs are swapped",
         "export the skin again"});
}

bool is_mirrored(const Node& node) { return rest_local(node).topLeftCorner<3, 3>().determinant() < 0; }

bool is_uneven(const Node& node) {
  const Eigen::Vector3d scale = rest_trs(node).scale.cwiseAbs();
  return scale.maxCoeff() > 1.01 * scale.minCoeff() && scale.minCoeff() > 0;
}

bool is_flat(const Node& node) { return flattens(rest_local(node)); }

/// Nodes that carry the surface and of which `has` is true: the first and their number.
struct Carriers {
  int first = -1, count = 0;
};

Carriers carriers(const Examined& file, bool (*has)(const Node&), const std::vector<char>& flags) {
  Carriers found;
  for (std::size_t n = 0; n < file.scene.nodes.size(); ++n) {
    if (!flags[n] || !has(file.scene.nodes[n])) continue;
    if (found.count++ == 0) found.first = static_cast<int>(n);
  }
  return found;
}

/// Nodes with a child that carries the surface: what they do to it, the child's turning can change.
std::vector<char> above_carriers(const Examined& file) {
  std::vector<char> flags(file.carries.size(), 0);
  for (std::size_t n = 0; n < flags.size(); ++n)
    if (file.carries[n] && file.scene.nodes[n].parent >= 0) flags[file.scene.nodes[n].parent] = 1;
  return flags;
}

std::string and_others(int count) { return count > 1 ? " and " + std::to_string(count - 1) + " more" : ""; }

}  // namespace

void check_surface_exists(const Examined& file, Findings& findings) {
  if (file.scene.triangles.cols() > 0) return;
  const std::size_t meshes = member(file.document.json, "meshes").size();
  findings.push_back({"no-surface",
                      "the scene draws no triangles; the file has " + std::to_string(meshes) + " meshes",
                      meshes > 0 ? "no node of the scene has a mesh of triangles"
                                 : "the file holds a skeleton or clips only",
                      "export the mesh together with its armature"});
}

void check_weights_have_skin(const Examined& file, Findings& findings) {
  const int node = node_without_skin(file);
  if (node >= 0)
    findings.push_back(
        {"weights-without-skin",
         node_at(file.scene, node) + ": its mesh has joints and weights, but the node has no skin",
         "the skin was lost on export or merge; the character does not move",
         "set the node's skin, or export mesh and armature together"});
}

void check_something_moves(const Examined& file, Findings& findings) {
  const auto skinned = [](const Part& part) { return part.skin >= 0; };
  const Scene& scene = file.scene;
  if (scene.triangles.cols() == 0 || node_without_skin(file) >= 0 ||
      std::any_of(scene.parts.begin(), scene.parts.end(), skinned) ||
      std::any_of(scene.clips.begin(), scene.clips.end(),
                  [&](const Clip& clip) { return moves_surface(file, clip); }))
    return;
  findings.push_back(
      {"no-skin",
       "no mesh has a skin, and none of " + std::to_string(scene.clips.size()) + " clips moves one",
       "the mesh was exported without its armature; the character does not move",
       "bind the mesh to the armature and export both"});
}

void check_bind_matrices(const Examined& file, Findings& findings) {
  const Json& skins = member(file.document.json, "skins");
  for (std::size_t s = 0; s < file.scene.skins.size(); ++s) {
    if (!shapes_something(file, s)) continue;
    const int accessor = integer_of(skins[s], "inverseBindMatrices");
    if (accessor < 0) {
      check_missing_matrices(file, s, findings);
      continue;
    }
    check_singular_matrices(file, s, findings);
    check_matrix_count(file, s, accessor, findings);
  }
}

void check_mesh_nodes(const Examined& file, Findings& findings) {
  std::set<int> told;
  for (const Part& part : file.scene.parts) {
    if (part.skin < 0 || !told.insert(part.node).second) continue;
    if (rest_local(file.scene.nodes[part.node]).isIdentity(1e-6)) continue;
    findings.push_back(
        {"mesh-node-transform",
         node_at(file.scene, part.node) + ": a skinned mesh with a transform of its own",
         "glTF ignores it, some tools apply it: there the mesh is moved, turned or scaled twice",
         "apply the object's transform before export, or move the mesh node to the scene's root", true});
  }
}

void check_scales(const Examined& file, Findings& findings) {
  const Carriers mirrored = carriers(file, is_mirrored, file.carries);
  if (mirrored.count > 0)
    findings.push_back(
        {"negative-scale",
         node_at(file.scene, mirrored.first) + and_others(mirrored.count) + ": a negative scale at rest",
         "a limb was mirrored by scaling; programs that drop the sign flip or twist it",
         "apply the scale to mesh and joints before export"});
  const Carriers flat = carriers(file, is_flat, file.carries);
  if (flat.count > 0)
    findings.push_back({"zero-scale",
                        node_at(file.scene, flat.first) + and_others(flat.count) + ": a scale of 0 at rest",
                        "a part was hidden by scaling it away; whatever its joints do, it stays flat",
                        "give it a scale above zero at rest, and hide it in the clips"});
  const Carriers uneven = carriers(file, is_uneven, above_carriers(file));
  if (uneven.count > 0)
    findings.push_back(
        {"uneven-scale",
         node_at(file.scene, uneven.first) + and_others(uneven.count) + ": scaled unevenly at rest",
         "joints that turn below it shear the mesh: limbs look squashed or twisted",
         "apply the scale to mesh and joints before export"});
}

void check_influences(const Examined& file, Findings& findings) {
  Eigen::Index most = 0, above = 0;
  for (const Part& part : file.scene.parts) {
    if (part.skin < 0 || part.vertices == 0) continue;
    const auto counts = (part.weights.array() > 0).colwise().count();
    most = std::max<Eigen::Index>(most, counts.maxCoeff());
    above += (counts.array() > 4).count();
  }
  if (above > 0)
    findings.push_back({"many-influences",
                        std::to_string(above) + " of " + std::to_string(file.scene.vertices()) +
                            " vertices follow more than 4 joints (at most " + std::to_string(most) + ")",
                        "most engines use four: there the mesh deforms a little differently, or stays behind",
                        "limit influences to 4 and normalise, unless your engine takes more"});
}

}  // namespace pelt
