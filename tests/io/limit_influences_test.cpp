#include "io/limit_influences.h"

#include <catch2/catch.hpp>

using namespace pelt;

namespace {

/// One part with a skin; a column a vertex. Its triangles use all vertices but the last.
Scene scene_of(const Eigen::MatrixXi& joints, const Eigen::MatrixXd& weights) {
  Scene scene;
  Part part;
  part.skin = 0;
  part.vertices = static_cast<int>(joints.cols());
  part.influences = static_cast<int>(joints.rows());
  part.joints = joints;
  part.weights = weights;
  scene.parts.push_back(part);
  scene.triangles.resize(3, part.vertices - 1);
  for (int v = 0; v + 1 < part.vertices; ++v) scene.triangles.col(v).setConstant(v);
  return scene;
}

double weight_of(const Part& part, int vertex, int joint) {
  double sum = 0;
  for (int slot = 0; slot < part.influences; ++slot)
    if (part.joints(slot, vertex) == joint) sum += part.weights(slot, vertex);
  return sum;
}

int influences(const Part& part, int vertex) {
  return static_cast<int>((part.weights.col(vertex).array() > 0).count());
}

}  // namespace

TEST_CASE("The largest weights stay and are scaled to sum to one") {
  Eigen::MatrixXi joints(6, 3);
  Eigen::MatrixXd weights(6, 3);
  joints << 7, 1, 1, 3, 2, 2, 5, 0, 3, 1, 0, 4, 2, 0, 5, 4, 0, 6;
  weights << 0.05, 0.25, 0.3, 0.40, 0.75, 0.3, 0.10, 0, 0.1, 0.20, 0, 0.1, 0.15, 0, 0.1, 0.10, 0, 0.1;
  Scene scene = scene_of(joints, weights);
  const InfluenceCut cut = limit_influences(scene, 3);
  const Part& part = scene.parts[0];
  CHECK(influences(part, 0) == 3);
  CHECK(weight_of(part, 0, 3) == Approx(0.4 / 0.75));
  CHECK(weight_of(part, 0, 1) == Approx(0.2 / 0.75));
  CHECK(weight_of(part, 0, 2) == Approx(0.15 / 0.75));
  CHECK(part.weights.col(1) == weights.col(1));
  CHECK(part.weights.col(2) == weights.col(2));  // no triangle uses it
  CHECK(cut.limit == 3);
  CHECK(cut.most == 6);
  CHECK(cut.vertices == 2);
  CHECK(cut.cut == 1);
  CHECK(cut.mean_lost == Approx(0.25));
  CHECK(cut.largest_lost == Approx(0.25));
}

TEST_CASE("Mean and largest loss count the vertices that are cut") {
  Eigen::MatrixXi joints(3, 4);
  Eigen::MatrixXd weights(3, 4);
  joints << 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2;
  weights << 0.5, 0.6, 1, 1, 0.3, 0.36, 0, 0, 0.2, 0.04, 0, 0;
  Scene scene = scene_of(joints, weights);
  const InfluenceCut cut = limit_influences(scene, 2);
  CHECK(cut.vertices == 3);
  CHECK(cut.cut == 2);
  CHECK(cut.mean_lost == Approx(0.12));
  CHECK(cut.largest_lost == Approx(0.2));
  Scene one = scene_of(joints, weights);
  CHECK(limit_influences(one, 1).largest_lost == Approx(0.5));
  CHECK(weight_of(one.parts[0], 0, 0) == 1);
}

TEST_CASE("Of equal weights the lower slots stay") {
  Eigen::MatrixXi joints(5, 2);
  Eigen::MatrixXd weights(5, 2);
  joints << 9, 0, 4, 0, 6, 0, 2, 0, 8, 0;
  weights << 0.2, 1, 0.2, 0, 0.2, 0, 0.2, 0, 0.2, 0;
  Scene scene = scene_of(joints, weights);
  limit_influences(scene, 2);
  CHECK(weight_of(scene.parts[0], 0, 9) == Approx(0.5));
  CHECK(weight_of(scene.parts[0], 0, 4) == Approx(0.5));
}

TEST_CASE("A joint that comes twice at a vertex is one influence") {
  Eigen::MatrixXi joints(5, 3);
  Eigen::MatrixXd weights(5, 3);
  joints << 1, 1, 0, 2, 2, 0, 3, 1, 0, 1, 2, 0, 4, 1, 0;
  weights << 0.2, 0.2, 1, 0.3, 0.2, 0, 0.15, 0.2, 0, 0.25, 0.2, 0, 0.1, 0.2, 0;
  Scene scene = scene_of(joints, weights);
  const InfluenceCut cut = limit_influences(scene, 2);
  const Part& part = scene.parts[0];
  CHECK(cut.most == 4);
  CHECK(cut.cut == 1);  // five slots of the second vertex hold two joints
  CHECK(part.weights.col(1) == weights.col(1));
  CHECK(weight_of(part, 0, 1) == Approx(0.45 / 0.75));
  CHECK(weight_of(part, 0, 2) == Approx(0.30 / 0.75));
  CHECK(cut.largest_lost == Approx(0.25));
}

TEST_CASE("Where no vertex has more influences than the limit nothing changes") {
  Eigen::MatrixXi joints(2, 2);
  Eigen::MatrixXd weights(2, 2);
  joints << 0, 1, 1, 0;
  weights << 0.3, 1, 0.7, 0;
  Scene scene = scene_of(joints, weights);
  for (const int limit : {2, 3, 1000000}) {
    const InfluenceCut cut = limit_influences(scene, limit);
    CHECK(cut.cut == 0);
    CHECK(cut.most == 2);
    CHECK(cut.mean_lost == 0);
  }
  CHECK(scene.parts[0].joints == joints);
  CHECK(scene.parts[0].weights == weights);
}
