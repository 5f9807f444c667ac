// Skins as in glTF 2.0, section 3.7.3. `skin.skeleton` takes no part in the mathematics and is often wrong:
// it is not read.
#include "gltf_skins.h"

#include <algorithm>

#include "gltf_nodes.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

void check_joints(const GltfSource& source, const std::string& place, const std::vector<int>& joints) {
  if (joints.empty()) fail(source, place, "no joints");
  std::vector<int> sorted = joints;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) fail(source, place, at("nodes", *twice) + " is named twice");
}

std::vector<Eigen::Matrix4d> read_matrices(const GltfSource& source, int accessor, std::size_t joints,
                                           const std::string& place) {
  if (accessor < 0) return std::vector<Eigen::Matrix4d>(joints, Eigen::Matrix4d::Identity());
  const Eigen::MatrixXd columns = source.accessors.read(accessor, {place, "MAT4", true});
  if (static_cast<std::size_t>(columns.cols()) < joints)
    fail(source, place,
         std::to_string(columns.cols()) + " matrices for " + std::to_string(joints) + " joints");
  std::vector<Eigen::Matrix4d> matrices;
  for (std::size_t j = 0; j < joints; ++j) {
    const Eigen::Matrix4d stored = columns.col(static_cast<Eigen::Index>(j)).reshaped(4, 4);
    matrices.push_back(affine(stored, source, at(place, j)));
  }
  return matrices;
}

}  // namespace

void read_skins(const GltfSource& source, Scene& scene) {
  const Json& skins = member(source.json, "skins");
  for (std::size_t s = 0; s < skins.size(); ++s) {
    const std::string place = at("skins", s);
    Skin skin;
    skin.name = string_of(skins[s], "name");
    skin.joints = skins[s]["joints"].get<std::vector<int>>();
    source.accessors.charge(skin.joints.size(), 0, place + ".joints");
    check_joints(source, place + ".joints", skin.joints);
    skin.joint_from_bind = read_matrices(source, integer_of(skins[s], "inverseBindMatrices"),
                                         skin.joints.size(), place + ".inverseBindMatrices");
    const auto outside = std::count_if(skin.joints.begin(), skin.joints.end(),
                                       [&](int joint) { return !scene.nodes[joint].in_scene; });
    if (outside > 0)
      scene.warnings.push_back(place + ": " + std::to_string(outside) + " of its " +
                               std::to_string(skin.joints.size()) + " joints are outside the scene");
    scene.skins.push_back(std::move(skin));
  }
}

}  // namespace pelt
