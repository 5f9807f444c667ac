#include "rig_file.h"

#include <cmath>

#include "glb.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

constexpr int unsigned_byte = 5121, unsigned_short = 5123, float_type = 5126;
constexpr int vertex_target = 34962, index_target = 34963;
constexpr int armature_node = 0, first_joint_node = 1;
constexpr double keys_a_second = 24;

Json numbers(const Eigen::VectorXf& values) { return std::vector<float>(values.begin(), values.end()); }

Eigen::Vector4f stored(const Eigen::Quaterniond& rotation) { return rotation.coeffs().cast<float>(); }

const char* limb_name(BodyPart limb) {
  switch (limb) {
    case BodyPart::trunk:
      return "trunk";
    case BodyPart::head:
      return "head";
    case BodyPart::tail:
      return "tail";
    case BodyPart::fore_left:
      return "left fore leg";
    case BodyPart::fore_right:
      return "right fore leg";
    case BodyPart::hind_left:
      return "left hind leg";
    case BodyPart::hind_right:
      return "right hind leg";
  }
  return "";
}

/// Local transforms with the lengths that the joints have below the armature's scale.
std::vector<Eigen::Isometry3d> scaled_locals(const QuadrupedRig& file, const JointMotions& motions) {
  auto locals = local_transforms(file.rig.skeleton, motions);
  for (auto& local : locals) local.translation() /= file.armature_scale;
  return locals;
}

void add_nodes(const QuadrupedRig& file, Glb& glb) {
  const Skeleton& skeleton = file.rig.skeleton;
  const JointMotions still(skeleton.size(), Eigen::Isometry3d::Identity());
  const auto locals = scaled_locals(file, file.rest.empty() ? still : file.rest);
  auto& nodes = glb.json["nodes"];
  const auto scale = static_cast<float>(file.armature_scale);
  nodes.push_back({{"name", "Armature"}, {"children", Json::array()}});
  if (scale != 1) nodes[armature_node]["scale"] = {scale, scale, scale};
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    nodes.push_back({{"name", skeleton[j].name},
                     {"translation", numbers(locals[j].translation().cast<float>())},
                     {"rotation", numbers(stored(Eigen::Quaterniond(locals[j].linear())))},
                     {"extras", {{"limb", limb_name(skeleton[j].limb)}}}});
    const int above = skeleton[j].parent < 0 ? armature_node : first_joint_node + skeleton[j].parent;
    nodes[above]["children"].push_back(nodes.size() - 1);
  }
  nodes.push_back({{"name", "Quadruped"}, {"mesh", 0}, {"skin", 0}});
  const auto mesh_node = nodes.size() - 1;
  std::vector<std::size_t> roots{armature_node};
  if (file.mesh_below_joints)
    nodes[armature_node]["children"].push_back(mesh_node);
  else
    roots.push_back(mesh_node);
  glb.json["scene"] = 0;
  glb.json["scenes"].push_back({{"name", "Scene"}, {"nodes", roots}});
}

int slot_of_joint(const QuadrupedRig& file, int joint) {
  return file.joints_backwards ? static_cast<int>(file.rig.skeleton.size()) - 1 - joint : joint;
}

void add_skin(const QuadrupedRig& file, Glb& glb) {
  const int joints = static_cast<int>(file.rig.skeleton.size());
  Eigen::MatrixXf joint_from_bind(16, joints);
  std::vector<int> nodes(joints);
  for (int j = 0; j < joints; ++j) {
    Eigen::Affine3d model_from_joint = bind_transform(file.rig.skeleton[j]);
    model_from_joint.linear() *= file.armature_scale;
    const Eigen::Matrix4d inverse = model_from_joint.inverse().matrix();
    joint_from_bind.col(slot_of_joint(file, j)) = inverse.cast<float>().reshaped();
    nodes[slot_of_joint(file, j)] = first_joint_node + j;
  }
  const int accessor = add_accessor(glb, joint_from_bind, {"MAT4", float_type});
  glb.json["skins"].push_back({{"name", "Armature"}, {"inverseBindMatrices", accessor}, {"joints", nodes}});
}

void add_mesh(const QuadrupedRig& file, Glb& glb) {
  const PackedWeights weights = packed(file.rig.weights);
  const auto slot = [&](int joint) { return static_cast<float>(slot_of_joint(file, joint)); };
  const Eigen::Matrix4Xf in_use =
      (weights.weight.array() > 0).matrix().cast<float>();  // empty slots name slot 0
  const Eigen::Matrix4Xf slots = weights.joint.unaryExpr(slot).cwiseProduct(in_use);
  const Eigen::MatrixXf indices = file.rig.skin.triangles.cast<float>().reshaped().transpose();
  Json attributes;
  attributes["POSITION"] =
      add_accessor(glb, file.rig.skin.positions.cast<float>(), {"VEC3", float_type, vertex_target, true});
  attributes["NORMAL"] = add_accessor(glb, file.normals.cast<float>(), {"VEC3", float_type, vertex_target});
  attributes["JOINTS_0"] = add_accessor(glb, slots, {"VEC4", unsigned_byte, vertex_target});
  attributes["WEIGHTS_0"] = add_accessor(glb, weights.weight, {"VEC4", float_type, vertex_target});
  const int index_accessor = add_accessor(glb, indices, {"SCALAR", unsigned_short, index_target});
  Json mesh;
  mesh["name"] = "Quadruped";
  mesh["primitives"].push_back({{"attributes", attributes}, {"indices", index_accessor}, {"material", 0}});
  glb.json["meshes"].push_back(mesh);
  const Json hide{
      {"baseColorFactor", {0.7, 0.56, 0.4, 1.0}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.85}};
  glb.json["materials"].push_back({{"name", "Hide"}, {"pbrMetallicRoughness", hide}});
}

/// Rotations of every joint (4 x keys each) and translations of the root (3 x keys).
struct Keys {
  Eigen::MatrixXf times;
  std::vector<Eigen::MatrixXf> rotations;
  Eigen::MatrixXf root_translations;
};

Keys keys_of(const QuadrupedRig& file, const Gait& gait) {
  const Skeleton& skeleton = file.rig.skeleton;
  const int steps = static_cast<int>(std::lround(gait.seconds * keys_a_second));
  Keys keys{Eigen::MatrixXf(1, steps + 1), {}, Eigen::MatrixXf(3, steps + 1)};
  keys.rotations.assign(skeleton.size(), Eigen::MatrixXf(4, steps + 1));
  for (int k = 0; k <= steps; ++k) {
    const double phase = static_cast<double>(k % steps) / steps;  // the last key is the first to the bit
    const auto locals = scaled_locals(file, gait_pose(skeleton, gait, phase));
    keys.times(0, k) = static_cast<float>(k / keys_a_second);
    keys.root_translations.col(k) = locals[0].translation().cast<float>();
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
      Eigen::Vector4f rotation = stored(Eigen::Quaterniond(locals[j].linear()));
      if (k > 0 && rotation.dot(keys.rotations[j].col(k - 1)) < 0) rotation = -rotation;
      keys.rotations[j].col(k) = rotation;
    }
  }
  return keys;
}

void add_clip(const QuadrupedRig& file, const Gait& gait, Glb& glb) {
  const Keys keys = keys_of(file, gait);
  const int times = add_accessor(glb, keys.times, {"SCALAR", float_type, 0, true});
  Json samplers = Json::array(), channels = Json::array();
  const auto add_channel = [&](int node, const char* path, const Eigen::MatrixXf& values, const char* type) {
    const int output = add_accessor(glb, values, {type, float_type});
    channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers.push_back({{"input", times}, {"output", output}, {"interpolation", "LINEAR"}});
  };
  add_channel(first_joint_node, "translation", keys.root_translations, "VEC3");
  for (std::size_t j = 0; j < keys.rotations.size(); ++j)
    add_channel(first_joint_node + static_cast<int>(j), "rotation", keys.rotations[j], "VEC4");
  const Json footfall = {{"left hind", gait.footfall[hind_left]},
                         {"left fore", gait.footfall[fore_left]},
                         {"right hind", gait.footfall[hind_right]},
                         {"right fore", gait.footfall[fore_right]}};
  glb.json["animations"].push_back({{"name", gait.name},
                                    {"channels", channels},
                                    {"samplers", samplers},
                                    {"extras", {{"footfall", footfall}, {"duty", gait.duty}}}});
}

}  // namespace

std::vector<std::uint8_t> glb_of(const QuadrupedRig& file) {
  Glb glb;
  glb.json["asset"] = {{"version", "2.0"}, {"generator", "pelt-quadruped"}};
  add_nodes(file, glb);
  add_mesh(file, glb);
  add_skin(file, glb);
  for (const auto& gait : file.clips) add_clip(file, gait, glb);
  return bytes_of(glb);
}

}  // namespace pelt
