#include "exact_file.h"

#include <Eigen/Geometry>
#include <fstream>

#include "data/glb.h"
#include "solver/error.h"

namespace pelt::bench {
namespace {

constexpr int kArray = 34962, kIndices = 34963, kShort = 5123, kInt = 5125, kFloat = 5126;

/// parent_from_joint of each joint in a pose; at rest without one.
std::vector<Eigen::Isometry3d> locals(const RigDump& dump, const Pose* pose) {
  std::vector<Eigen::Isometry3d> model(dump.joints()), local(dump.joints());
  for (int j = 0; j < dump.joints(); ++j) {
    model[j].matrix() = dump.model_from_joint[j];
    if (pose) {
      Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
      motion.affine() = (*pose)[j];
      model[j] = motion * model[j];
    }
    local[j] = dump.parent[j] < 0 ? model[j] : model[dump.parent[j]].inverse() * model[j];
  }
  return local;
}

void add_nodes(const RigDump& dump, Glb& glb) {
  const auto rest = locals(dump, nullptr);
  Eigen::MatrixXf inverse(16, dump.joints());
  for (int j = 0; j < dump.joints(); ++j) {
    const Eigen::Vector3d t = rest[j].translation();
    glb.json["nodes"].push_back(
        {{"name", "joint" + std::to_string(j)}, {"translation", {t.x(), t.y(), t.z()}}});
    if (dump.parent[j] >= 0) glb.json["nodes"][dump.parent[j]]["children"].push_back(j);
    if (dump.parent[j] < 0) glb.json["scenes"][0]["nodes"].push_back(j);
    glb.json["skins"][0]["joints"].push_back(j);
    const Eigen::Matrix4f m = Eigen::Isometry3d(dump.model_from_joint[j]).inverse().matrix().cast<float>();
    inverse.col(j) = m.reshaped();
  }
  glb.json["skins"][0]["inverseBindMatrices"] = add_accessor(glb, inverse, {"MAT4", kFloat});
  glb.json["scenes"][0]["nodes"].push_back(dump.joints());
  glb.json["nodes"].push_back({{"name", "body"}, {"mesh", 0}, {"skin", 0}});
}

void add_mesh(const RigDump& dump, Glb& glb) {
  nlohmann::ordered_json attributes;
  attributes["POSITION"] = add_accessor(glb, dump.rest.cast<float>(), {"VEC3", kFloat, kArray, true});
  attributes["JOINTS_0"] = add_accessor(glb, dump.joint.cwiseMax(0).cast<float>(), {"VEC4", kShort, kArray});
  attributes["WEIGHTS_0"] = add_accessor(glb, dump.weight.cast<float>(), {"VEC4", kFloat, kArray});
  const Eigen::RowVectorXf indices = dump.triangles.reshaped().transpose().cast<float>();
  const int triangles = add_accessor(glb, indices, {"SCALAR", kInt, kIndices});
  glb.json["meshes"][0]["primitives"].push_back({{"attributes", attributes}, {"indices", triangles}});
}

void add_clip(const RigDump& dump, Glb& glb) {
  Eigen::RowVectorXf times(dump.frames());
  for (int f = 0; f < dump.frames(); ++f) times(f) = static_cast<float>(f) / 24;
  const int input = add_accessor(glb, times, {"SCALAR", kFloat, 0, true});
  std::vector<std::vector<Eigen::Isometry3d>> frames;
  for (const Pose& pose : dump.truth) frames.push_back(locals(dump, &pose));
  auto& clip = glb.json["animations"][0];
  clip["name"] = "Swing";
  for (int j = 0; j < dump.joints(); ++j) {
    Eigen::MatrixXf rotations(4, dump.frames());
    for (int f = 0; f < dump.frames(); ++f)
      rotations.col(f) = Eigen::Quaterniond(frames[f][j].rotation()).coeffs().cast<float>();
    clip["samplers"].push_back(
        {{"input", input}, {"output", add_accessor(glb, rotations, {"VEC4", kFloat})}});
    clip["channels"].push_back({{"sampler", j}, {"target", {{"node", j}, {"path", "rotation"}}}});
  }
}

}  // namespace

void write_exact_file(const RigDump& dump, bool animated, const std::filesystem::path& path) {
  Glb glb;
  glb.json["asset"]["version"] = "2.0";
  glb.json["scene"] = 0;
  add_nodes(dump, glb);
  add_mesh(dump, glb);
  if (animated) add_clip(dump, glb);
  const std::vector<std::uint8_t> bytes = bytes_of(glb);
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) throw InvalidInput(path.string() + ": cannot be written");
}

}  // namespace pelt::bench
