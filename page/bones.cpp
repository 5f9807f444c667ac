#include "bones.h"

#include <array>
#include <map>

namespace pelt {
namespace {

/// Numbers bones, each once.
class Numbering {
 public:
  explicit Numbering(PageBones& bones) : bones_(bones) {}

  int number(int node, const Eigen::Matrix4d& node_from_vertex) {
    Key key{node, {}};
    Eigen::Map<Eigen::Matrix4d>(key.second.data()) = node_from_vertex;
    const int next = static_cast<int>(bones_.list.size());
    const auto [place, is_new] = numbers_.try_emplace(key, next);
    if (is_new) {
      bones_.list.push_back({node, node_from_vertex});
      if (bones_.of_node[node] < 0) bones_.of_node[node] = next;
    }
    return place->second;
  }

 private:
  using Key = std::pair<int, std::array<double, 16>>;
  PageBones& bones_;
  std::map<Key, int> numbers_;
};

}  // namespace

PageBones page_bones(const Scene& scene, const std::vector<int>& nodes) {
  PageBones bones;
  bones.of_node.assign(scene.nodes.size(), -1);
  Numbering numbering(bones);
  for (const Skin& skin : scene.skins) {
    std::vector<int>& of_joint = bones.of_skin.emplace_back();
    for (std::size_t j = 0; j < skin.joints.size(); ++j)
      of_joint.push_back(numbering.number(skin.joints[j], skin.joint_from_bind[j]));
  }
  for (const Part& part : scene.parts)
    bones.of_part.push_back(part.skin >= 0 ? -1 : numbering.number(part.node, Eigen::Matrix4d::Identity()));
  for (const int node : nodes)
    if (bones.of_node[node] < 0) numbering.number(node, Eigen::Matrix4d::Identity());
  return bones;
}

void append_matrices(const PageBones& bones, const ScenePose& pose, const Eigen::Matrix4d& to,
                     std::vector<float>& out) {
  for (const PageBone& bone : bones.list) {
    const Eigen::Matrix<double, 3, 4> rows =
        (to * pose.model_from_node[bone.node] * bone.node_from_vertex).topRows<3>();
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) out.push_back(static_cast<float>(rows(r, c)));
  }
}

}  // namespace pelt
