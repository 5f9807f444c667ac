#include "chain_rig.h"

#include <algorithm>

#include "io/gltf_reader.h"
#include "io/pose.h"

namespace pelt::test {

using Eigen::Matrix3Xd;
using Eigen::Matrix4d;
using Json = nlohmann::ordered_json;

namespace {

std::vector<double> numbers(const Matrix4d& m) { return {m.data(), m.data() + 16}; }

}  // namespace

GltfBuilder chain(const ChainOptions& options, std::mt19937& random) {
  std::normal_distribution<double> normal;
  GltfBuilder b;
  int above = b.add_node("armature", -1, options.armature);
  std::vector<int> joints;
  for (int j = 0; j < options.joints; ++j) {
    if (j == 2) above = b.add_node("between", above, options.between);
    const Eigen::Vector4d q = Eigen::Vector4d(normal(random), normal(random), normal(random), 2).normalized();
    Json node = {{"translation", {0.05 * j, 0.3, 0}}, {"rotation", {q[0], q[1], q[2], q[3]}}};
    if (j + 1 == options.joints && options.tip.is_object()) node.update(options.tip);
    if (options.matrices) {
      Trs trs{{0.05 * j, 0.3, 0}, Eigen::Quaterniond(q), Eigen::Vector3d(1, 1, j == 1 ? -1 : 1)};
      node = {{"extras", {{"mark", j}}}, {"matrix", numbers(matrix_of(trs))}, {"kept", j}};
    }
    above = b.add_node("joint" + std::to_string(j), above, node);
    joints.push_back(above);
  }

  const ScenePose rest = rest_pose(read_scene(b.document()));
  std::vector<Matrix4d> joint_from_bind;
  const int count = 3 * options.joints;
  Matrix3Xd points(3, count);
  Eigen::MatrixXd slots = Eigen::MatrixXd::Zero(4, count), weights = slots;
  std::vector<int> triangles;
  for (int j = 0; j < options.joints; ++j) {
    const Matrix4d& model_from_joint = rest.model_from_node[joints[j]];
    joint_from_bind.push_back(model_from_joint.inverse());
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d corner = 0.2 * Eigen::Vector3d::Unit(k) + Eigen::Vector3d(0, 0.1, 0);
      points.col(3 * j + k) = (model_from_joint * corner.homogeneous()).head<3>();
      slots.col(3 * j + k).head<2>() << j, std::max(j - 1, 0);
      weights.col(3 * j + k).head<2>() << 0.75, 0.25;
      triangles.push_back(3 * j + k);
    }
  }
  const int skin = b.add_skin(joints, joint_from_bind);
  b.add_node(
      "body", -1,
      {{"mesh", b.add_mesh(skinned_attributes(b, points, slots, weights), triangles)}, {"skin", skin}});
  return b;
}

Pose random_pose(const Rig& rig, double size, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Pose pose = rest_pose(rig);
  for (int j = 0; j < rig.joints(); ++j) {
    const Eigen::Vector3d pivot = rig.model_from_joint[j].topRightCorner<3, 1>();
    pose[j].leftCols<3>() = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
                                .normalized()
                                .matrix();
    pose[j].col(3) = pivot - pose[j].leftCols<3>() * pivot +
                     0.1 * size * Eigen::Vector3d(normal(random), normal(random), normal(random));
  }
  return pose;
}

SolvedClip random_clip(const std::string& name, const Rig& rig, double size, std::mt19937& random) {
  SolvedClip clip{name, true, {0, 0.1f, 0.25f, 1.7f}, {}};
  for (size_t k = 0; k < clip.times.size(); ++k) clip.poses.push_back(random_pose(rig, size, random));
  return clip;
}

SolvedClip rest_clip(const std::string& name, const Rig& rig) {
  return {name, true, {0, 1}, {rest_pose(rig), rest_pose(rig)}};
}

Document reread(const Document& document) { return parse_document(serialise(document), document.path); }

double written_error(const Scene& written, const SceneRig& rig, const SolvedClip& clip, int index) {
  const double diagonal = bounding_diagonal(rest_surface(written));
  double worst = 0;
  for (size_t k = 0; k < clip.times.size(); ++k) {
    const Matrix3Xd surface =
        surface_at(written, pose_at(written, written.clips.at(index), double{clip.times[k]}));
    const Matrix3Xd expected = skin(rig.rig, clip.poses[k]);
    for (int v = 0; v < rig.rig.vertices(); ++v)
      if (rig.rig.first_influence[v] < rig.rig.first_influence[v + 1])
        worst = std::max(worst, (surface.col(v) - expected.col(v)).norm());
  }
  return worst / diagonal;
}

Written write(const GltfBuilder& builder,
              const std::function<std::vector<SolvedClip>(const SceneRig&, double)>& clips,
              const WriteSettings& settings) {
  Written w;
  w.before = builder.document();
  const Scene scene = read_scene(w.before);
  w.rig = rig_of_scene(scene);
  const double size = bounding_diagonal(rest_surface(scene));
  w.after = reread(with_clips(w.before, scene, w.rig, clips(w.rig, size), settings, w.outcome));
  w.scene = read_scene(w.after);
  return w;
}

std::set<std::string> paths_of(const Json& animation, int node) {
  std::set<std::string> paths;
  for (const Json& channel : animation["channels"])
    if (channel["target"]["node"] == node) paths.insert(channel["target"]["path"].get<std::string>());
  return paths;
}

std::vector<std::string> animation_names(const Document& document) {
  std::vector<std::string> names;
  for (const Json& animation : document.json["animations"])
    names.push_back(animation.value("name", "(none)"));
  return names;
}

}  // namespace pelt::test
