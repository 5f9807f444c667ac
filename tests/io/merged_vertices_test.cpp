#include "io/merged_vertices.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "io/pose.h"
#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

constexpr int kJoints = 5;

/// `places` random vertices of up to four influences under five joints, each stored `copies` times in one
/// order after the other, and joints in random poses.
Scene split_scene(Random& random, int places, int copies, int influences = 4) {
  Scene scene;
  Skin skin;
  for (int n = 0; n < kJoints; ++n) {
    Node& node = scene.nodes.emplace_back();
    node.trs.rotation = Eigen::Quaterniond(Eigen::Vector4d(random.vector().homogeneous())).normalized();
    node.trs.translation = random.vector();
    scene.parents_first.push_back(n);
    skin.joints.push_back(n);
    skin.joint_from_bind.push_back(Eigen::Affine3d(Eigen::Translation3d(random.vector())).matrix());
  }
  scene.skins = {skin};
  Part part;
  part.node = 0, part.skin = 0, part.vertices = places * copies, part.influences = influences;
  part.positions.resize(3, part.vertices);
  part.joints = Eigen::MatrixXi::Zero(influences, part.vertices);
  part.weights = Eigen::MatrixXd::Zero(influences, part.vertices);
  for (int v = 0; v < places; ++v) {
    const int count = random.below(influences + 1);  // none lies at the origin
    const Eigen::Vector3d place = random.vector();
    for (int k = 0; k < copies; ++k) part.positions.col(v + k * places) = place;
    for (int slot = 0; slot < count; ++slot)
      for (int k = 0, joint = random.below(kJoints); k < copies; ++k) {
        part.joints(slot, v + k * places) = joint;
        part.weights(slot, v + k * places) = 1.0 / count;
      }
  }
  scene.parts = {part};
  return scene;
}

Eigen::Matrix3Xd random_points(Random& random, int count) {
  Eigen::Matrix3Xd points(3, count);
  for (auto point : points.colwise()) point = random.vector();
  return points;
}

Eigen::Matrix3Xd surface(const Scene& scene, bool is_merged) {
  const std::vector<MergedPart> merged = merge_vertices(scene);
  return surface_at(scene, rest_pose(scene), is_merged ? &merged : nullptr);
}

}  // namespace

TEST_CASE("Split vertices are merged and lie where they did, to the bit") {
  Random random;
  for (const int influences : {1, 2, 3, 4, 8}) {
    const Scene scene = split_scene(random, 200, 3, influences);
    const std::vector<MergedPart> merged = merge_vertices(scene);
    CHECK(merged[0].positions.cols() == 200);
    CHECK(surface(scene, true) == surface(scene, false));
  }
}

TEST_CASE("Vertices at one place under other weights or joints stay apart") {
  Random random;
  Scene scene = split_scene(random, 50, 4);
  Part& part = scene.parts[0];
  part.weights.col(7) = Eigen::Vector4d(0.5, 0.5, 0, 0);
  part.weights.col(57) = Eigen::Vector4d(0.25, 0.75, 0, 0);
  part.joints.col(8)[0] = (part.joints.col(58)[0] + 1) % kJoints;
  part.weights.col(8) = part.weights.col(58) = Eigen::Vector4d(1, 0, 0, 0);
  const std::vector<MergedPart> merged = merge_vertices(scene);
  CHECK(merged[0].merged[7] != merged[0].merged[57]);
  CHECK(merged[0].merged[8] != merged[0].merged[58]);
  CHECK(surface(scene, true) == surface(scene, false));
}

TEST_CASE("Runs hold each influence that counts, and merged vertices the place of all theirs") {
  Random random;
  const Scene scene = split_scene(random, 100, 2);
  const Part& part = scene.parts[0];
  const MergedPart merged = merge_vertices(scene)[0];
  int vertices = 0;
  for (const MergedPart::Run& run : merged.runs) {
    CHECK(run.first == vertices);
    CHECK(run.weights.size() == static_cast<std::size_t>(run.influences * run.vertices));
    CHECK(std::find(run.weights.begin(), run.weights.end(), 0.0) == run.weights.end());
    vertices += run.vertices;
  }
  CHECK(vertices == 100);
  for (int v = 0; v < part.vertices; ++v)
    CHECK(merged.positions.col(merged.merged[v]) == part.positions.col(v));
}

TEST_CASE("A part is left alone where merging does not pay, and where it morphs") {
  Random random;
  CHECK(merge_vertices(split_scene(random, 100, 1))[0].runs.empty());
  Scene rigid = split_scene(random, 100, 3);
  rigid.parts[0].skin = -1;
  CHECK(merge_vertices(rigid)[0].runs.empty());
  Scene morphing = split_scene(random, 30, 3);
  Part& part = morphing.parts[0];
  part.morphs = {random_points(random, part.vertices)};
  part.morph_weights = Eigen::VectorXd::Constant(1, 0.5);
  CHECK(surface(morphing, true) == surface(morphing, false));
  part.morph_weights.setZero();
  CHECK(surface(morphing, true) == surface(morphing, false));
}
