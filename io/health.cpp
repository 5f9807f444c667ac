#include "health.h"

#include "gltf_json.h"
#include "health_checks.h"
#include "scene_facts.h"

namespace pelt {
namespace {

using Check = void (*)(const Examined&, Findings&);

const Check checks[] = {check_surface_exists,  check_weights_have_skin,
                        check_something_moves, check_bind_matrices,
                        check_mesh_nodes,      check_scales,
                        check_influences,      check_unit,
                        check_skeleton_size,   check_torn_at_rest,
                        check_clip_targets,    check_left_behind,
                        check_clip_names,      check_turns,
                        check_torn_in_clips};

std::vector<char> carrying_nodes(const Scene& scene, const std::vector<std::vector<char>>& weighted) {
  std::vector<char> carries(scene.nodes.size(), 0);
  const auto mark = [&](int node) {
    for (; node >= 0 && !carries[node]; node = scene.nodes[node].parent) carries[node] = 1;
  };
  for (std::size_t s = 0; s < scene.skins.size(); ++s)
    for (std::size_t j = 0; j < weighted[s].size(); ++j)
      if (weighted[s][j]) mark(scene.skins[s].joints[j]);
  for (const Part& part : scene.parts)
    if (part.skin < 0) mark(part.node);
  return carries;
}

Examined examine(const Document& document, const Scene& scene) {
  Examined file{document, scene, rest_pose(scene), rest_surface(scene), 0, {}, {}};
  file.diag = bounding_diagonal(file.surface);
  for (std::size_t s = 0; s < scene.skins.size(); ++s)
    file.weighted.push_back(weighted_joints(scene, static_cast<int>(s)));
  file.carries = carrying_nodes(scene, file.weighted);
  return file;
}

}  // namespace

std::string node_at(const Scene& scene, int node) {
  const std::string& name = scene.nodes[node].name;
  return at("nodes", node) + (name.empty() ? "" : " '" + name + "'");
}

std::vector<Finding> find_faults(const Document& document, const Scene& scene) {
  Findings findings;
  for (const std::string& warning : scene.warnings) findings.push_back(explained(warning));
  const Examined file = examine(document, scene);
  for (const Check check : checks) check(file, findings);
  return findings;
}

}  // namespace pelt
