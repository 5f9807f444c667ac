// Files put together at random from all that glTF offers a skinned surface, played by pelt and by a player
// that shares no code with it.
#include <catch2/catch.hpp>
#include <random>

#include "io/pose.h"
#include "reading.h"
#include "slow_player.h"

namespace pelt {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;
using Eigen::MatrixXd;

struct Dice {
  std::mt19937 engine{12345};
  int below(int count) { return static_cast<int>(engine() % static_cast<unsigned>(count)); }
  bool chance(int in) { return below(in) == 0; }
  double real() { return static_cast<double>(engine()) / 2147483648.0 - 1; }
  MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
    return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return real(); });
  }
  std::vector<double> list(int count) {
    std::vector<double> numbers(count);
    for (double& x : numbers) x = real();
    return numbers;
  }
};

/// Values from -1 to 1 in any component type that holds them.
Storage signed_storage(Dice& dice, Eigen::Index rows) {
  Storage storage;
  const int kind = dice.below(3);
  if (kind > 0) {
    storage.component = kind == 1 ? Component::i8 : Component::i16;
    storage.normalized = true;
  }
  const int size = kind == 1 ? 1 : kind == 2 ? 2 : 4;
  if (dice.chance(2)) storage.stride = (size * static_cast<int>(rows) + 3) / 4 * 4 + 4 * dice.below(3);
  return storage;
}

int add_vectors(GltfBuilder& b, Dice& dice, int count) {
  MatrixXd values = dice.matrix(3, count);
  Storage storage = signed_storage(dice, 3);
  if (dice.chance(4)) {  // whole numbers, not normalised
    storage.normalized = false;
    values = (10 * values).array().round();
  }
  if (dice.chance(4)) {
    storage.sparse_without_view = true;
    storage.stride = 0;
    for (int k = 0; k < count; k += 2) values.col(k).setZero();
    values.col(1).setOnes();
  }
  return b.add_accessor(values, storage);
}

Json random_transform(Dice& dice) {
  if (dice.chance(5)) {  // sheared, mirrored, anything affine
    std::vector<double> m = dice.list(16);
    m[3] = m[7] = m[11] = 0, m[15] = 1;
    return {{"matrix", m}};
  }
  Json node = Json::object();
  if (!dice.chance(4)) node["translation"] = dice.list(3);
  if (!dice.chance(4)) {
    const Eigen::Vector4d q = dice.matrix(4, 1).col(0).normalized();
    node["rotation"] = {q[0], q[1], q[2], q[3]};
  }
  if (dice.chance(3)) node["scale"] = {1 + dice.real(), 2 * dice.real(), dice.chance(4) ? 0 : 1.5};
  return node;
}

Json influences(GltfBuilder& b, Dice& dice, int vertices, int joints, Json attributes) {
  const int sets = 1 + dice.below(3);
  for (int set = 0; set < sets; ++set) {
    MatrixXd slots(4, vertices), weights = dice.matrix(4, vertices).cwiseAbs() / sets;
    for (double& slot : slots.reshaped()) slot = dice.below(joints);
    for (int v = 0; v < vertices; ++v)
      if (dice.chance(2)) weights(dice.below(4), v) = 0;
    const Component kinds[] = {Component::f32, Component::u8, Component::u16};
    const Component kind = kinds[dice.below(3)];
    const std::string n = std::to_string(set);
    attributes["WEIGHTS_" + n] =
        b.add_accessor(weights, {.component = kind, .normalized = kind != Component::f32});
    attributes["JOINTS_" + n] =
        b.add_accessor(slots, {.component = kinds[1 + dice.below(2)], .stride = dice.chance(2) ? 12 : 0});
  }
  return attributes;
}

/// A mesh of one or two primitives with or without influences and morph targets.
int random_mesh(GltfBuilder& b, Dice& dice, int joints) {
  const int targets = dice.below(3), primitives = 1 + dice.below(2);
  int mesh = -1;
  for (int p = 0; p < primitives; ++p) {
    const int vertices = 3 + dice.below(6);
    Json attributes = {{"POSITION", add_vectors(b, dice, vertices)}};
    if (joints > 0) attributes = influences(b, dice, vertices, joints, attributes);
    const int own = b.add_mesh(attributes);
    b.primitive(own)["mode"] = 5 + dice.below(2);  // a strip or a fan draws all its vertices
    for (int t = 0; t < targets; ++t) {
      const int displacement = add_vectors(b, dice, vertices);
      b.primitive(own)["targets"].push_back({{"POSITION", displacement}});
    }
    if (p == 0) {
      mesh = own;
      continue;
    }
    b.json["meshes"][mesh]["primitives"].push_back(Json(b.primitive(own)));
    b.json["meshes"].erase(own);
  }
  if (targets > 0 && dice.chance(2)) b.json["meshes"][mesh]["weights"] = dice.list(targets);
  return mesh;
}

void add_random_channel(GltfBuilder& b, Dice& dice, int animation, int node, const std::string& path,
                        int rows) {
  const int keys = 1 + dice.below(4);
  std::vector<double> times;
  for (int k = 0; k < keys; ++k) times.push_back((k ? times.back() : 0) + 0.25 * (dice.below(4) + (k > 0)));
  const char* kinds[] = {"STEP", "LINEAR", "CUBICSPLINE"};
  const std::string kind = kinds[dice.below(3)];
  MatrixXd values = dice.matrix(rows, kind == "CUBICSPLINE" ? 3 * keys : keys);
  if (path == "rotation" && kind != "CUBICSPLINE") values.colwise().normalize();
  const int channel = b.add_channel(animation, node, path, times, values, kind);
  if (path == "translation" || path == "scale" || dice.chance(2)) return;
  const MatrixXd stored = path == "weights" ? MatrixXd(values.reshaped(1, values.size())) : values;
  const int output = b.add_accessor(stored, signed_storage(dice, stored.rows()));
  Json& clip = b.json["animations"][animation];
  clip["samplers"][clip["channels"][channel]["sampler"].get<int>()]["output"] = output;
}

void add_random_clip(GltfBuilder& b, Dice& dice) {
  const int animation = b.add_animation("");
  for (int n = 0; n < static_cast<int>(b.json["nodes"].size()); ++n) {
    const Json node = b.json["nodes"][n];
    if (!node.contains("matrix"))
      for (const char* path : {"translation", "rotation", "scale"})
        if (dice.chance(3))
          add_random_channel(b, dice, animation, n, path, std::string(path) == "rotation" ? 4 : 3);
    if (!node.contains("mesh")) continue;
    const std::size_t targets = b.primitive(node["mesh"]).value("targets", Json::array()).size();
    if (targets > 0 && dice.chance(2))
      add_random_channel(b, dice, animation, n, "weights", static_cast<int>(targets));
  }
}

GltfBuilder random_file(Dice& dice) {
  GltfBuilder b;
  const int bones = 3 + dice.below(6);
  for (int n = 0; n < bones; ++n)
    b.add_node("", n == 0 || dice.chance(5) ? -1 : dice.below(n), random_transform(dice));
  std::vector<int> sizes;
  for (int s = 0; s < 2; ++s) {  // some nodes are joints of both skins, some of none
    std::vector<int> joints;
    for (int n = bones; n-- > 0;)
      if (!dice.chance(3)) joints.push_back(n);
    if (joints.empty()) joints = {0};
    std::vector<Eigen::Matrix4d> joint_from_bind;
    for (std::size_t j = 0; j < joints.size() && !dice.chance(20); ++j) {
      Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
      m.topRows<3>() = dice.matrix(3, 4);
      joint_from_bind.push_back(m);
    }
    if (joint_from_bind.size() < joints.size()) joint_from_bind.clear();
    b.add_skin(joints, joint_from_bind);
    sizes.push_back(static_cast<int>(joints.size()));
  }
  const int fewest = std::min(sizes[0], sizes[1]);
  const int skinned = random_mesh(b, dice, fewest), rigid = random_mesh(b, dice, 0);
  const auto below = [&](Json properties) {
    properties.update(random_transform(dice));
    b.add_node("", dice.chance(2) ? -1 : dice.below(bones), properties);
  };
  below({{"mesh", skinned}, {"skin", 0}});
  below({{"mesh", skinned}, {"skin", 1}});
  below({{"mesh", skinned}});  // the same mesh as a rigid one
  below({{"mesh", rigid}});
  for (int clip = 0; clip < 2; ++clip) add_random_clip(b, dice);
  return b;
}

/// Where the two players disagree most, as a share of the surface's size.
double disagreement(const Eigen::Matrix3Xd& ours, const Eigen::Matrix3Xd& theirs) {
  if (ours.cols() != theirs.cols()) return INFINITY;
  return (ours - theirs).cwiseAbs().maxCoeff() / theirs.cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("files of every kind are played as a player by the letter of the specification plays them") {
  Dice dice;
  for (int trial = 0; trial < 150; ++trial) {
    INFO("trial " << trial);
    const GltfBuilder b = random_file(dice);
    const Scene scene = read(b);
    CHECK(disagreement(rest_surface(scene).positions, play_slowly(b, -1, 0)) < 1e-12);
    for (const Clip& clip : scene.clips)
      for (const double time : {0.0, 0.25, 0.6, 1.1, 2.0, 5.0}) {
        INFO("clip " << clip.index << " at " << time);
        CHECK(disagreement(surface_at(scene, pose_at(scene, clip, time)), play_slowly(b, clip.index, time)) <
              1e-12);
      }
  }
}

}  // namespace pelt
