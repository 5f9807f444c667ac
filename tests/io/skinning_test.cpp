// Known answers of linear blend skinning, by hand calculation. Where a common mistake gives another number,
// the mistake is made here too, so that the figures are seen to tell the two apart.

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <cmath>

#include "io/gltf_reader.h"
#include "io/io_error.h"
#include "io/pose.h"
#include "io/rig_of_scene.h"
#include "io/transfer.h"
#include "solver/error.h"
#include "tests/gltf_builder.h"

using namespace pelt;
using namespace pelt::test;
using Eigen::Matrix3Xd;
using Eigen::Matrix4d;
using Eigen::Vector3d;

namespace {

constexpr double kPi = 3.14159265358979323846;

Matrix4d shift(double x, double y, double z) {
  return Eigen::Affine3d(Eigen::Translation3d(x, y, z)).matrix();
}

Matrix4d turn(double radians, const Vector3d& axis = Vector3d::UnitZ()) {
  return Eigen::Affine3d(Eigen::AngleAxisd(radians, axis.normalized())).matrix();
}

Vector3d apply(const Matrix4d& m, const Vector3d& p) { return (m * p.homogeneous()).head<3>(); }

/// Scenes by hand: matrices of nodes as they are, in double.
struct Plan {
  std::vector<int> parents;
  std::vector<Matrix4d> parent_from_node;
  int mesh_node = 0;
  std::vector<int> joints;
  std::vector<Matrix4d> joint_from_bind;
  Matrix3Xd points;
  Eigen::MatrixXd weights;  // joints x points
};

Scene make_scene(const Plan& plan) {
  Scene scene;
  for (std::size_t n = 0; n < plan.parents.size(); ++n) {
    Node node;
    node.parent = plan.parents[n];
    node.matrix = plan.parent_from_node[n];
    scene.nodes.push_back(node);
    scene.parents_first.push_back(static_cast<int>(n));
  }
  Skin skin;
  skin.joints = plan.joints;
  skin.joint_from_bind = plan.joint_from_bind;
  scene.skins = {skin};
  Part part;
  part.node = plan.mesh_node;
  part.skin = 0;
  part.vertices = static_cast<int>(plan.points.cols());
  part.positions = plan.points;
  part.influences = static_cast<int>(plan.weights.rows());
  part.joints =
      Eigen::VectorXi::LinSpaced(part.influences, 0, part.influences - 1).replicate(1, part.vertices);
  part.weights = plan.weights;
  scene.parts = {part};
  return scene;
}

/// Node 0 is the mesh, node 1 the joint, both under the world or a parent.
Plan one_joint(const Matrix4d& model_from_mesh, const Matrix4d& model_from_joint) {
  Plan plan;
  plan.parents = {-1, -1};
  plan.parent_from_node = {model_from_mesh, model_from_joint};
  plan.joints = {1};
  plan.joint_from_bind = {shift(-12, 0, 0) * shift(10, 0, 0)};  // mesh at x = 10, joint at x = 12 when bound
  plan.points = Vector3d(3, 0, 0);
  plan.weights = Eigen::MatrixXd::Ones(1, 1);
  return plan;
}

Vector3d world(const Plan& plan) {
  const Scene scene = make_scene(plan);
  return surface_at(scene, rest_pose(scene)).col(0);
}

/// The vertex as the mesh's own node sees it.
Vector3d local(const Plan& plan) {
  const Scene scene = make_scene(plan);
  const ScenePose pose = rest_pose(scene);
  return apply(pose.model_from_node[plan.mesh_node].inverse(), surface_at(scene, pose).col(0));
}

}  // namespace

TEST_CASE("One joint: everything moved by ten leaves the vertex where it was in the mesh") {
  const Plan plan = one_joint(shift(20, 0, 0), shift(22, 0, 0));
  CHECK((world(plan) - Vector3d(23, 0, 0)).norm() < 1e-14);
  CHECK((local(plan) - Vector3d(3, 0, 0)).norm() < 1e-14);
  // a mesh node's transform on top, with its inverse left out, puts the vertex at 43
  CHECK((apply(shift(20, 0, 0), world(plan)) - Vector3d(43, 0, 0)).norm() < 1e-14);
}

TEST_CASE("One joint turned by 90 degrees turns the vertex about the joint") {
  const Plan plan = one_joint(shift(20, 0, 0), shift(22, 0, 0) * turn(kPi / 2));
  CHECK((local(plan) - Vector3d(2, 1, 0)).norm() < 1e-14);
  const Matrix4d wrong_order = shift(-20, 0, 0) * plan.joint_from_bind[0] * plan.parent_from_node[1];
  CHECK((apply(wrong_order, Vector3d(3, 0, 0)) - Vector3d(0, 3, 0)).norm() < 1e-14);
}

TEST_CASE("A thousand pivots and angles agree with plain sine and cosine") {
  for (int n = 0; n < 1000; ++n) {
    const double pivot = 0.37 * n - 150, angle = 0.011 * n - 5;
    const Vector3d expected(pivot + std::cos(angle), std::sin(angle), 0);  // one unit from the pivot
    CHECK((world(one_joint(shift(7, 0, 0), shift(pivot, 0, 0) * turn(angle))) - expected).norm() < 1e-12);
  }
}

TEST_CASE("A common parent cancels whatever it does") {
  int combinations = 0;
  for (const double offset : {0.0, -3.0, 1000.0})
    for (const double angle : {0.0, 0.7, kPi})
      for (const double scale : {1.0, 0.01, 100.0, -2.0})
        for (const double stretch : {1.0, 0.2, 5.0})
          for (const double shear : {0.0, 0.9}) {
            Matrix4d parent = shift(offset, 2 * offset, -offset) * turn(angle, {1, 2, 3});
            parent.topLeftCorner<3, 3>() *= Vector3d(scale, scale * stretch, std::abs(scale)).asDiagonal();
            Matrix4d lean = Matrix4d::Identity();
            lean(0, 1) = shear;
            parent *= lean;
            Plan plan = one_joint(shift(20, 0, 0), shift(22, 0, 0) * turn(kPi / 2));
            plan.parents = {2, 2, -1};
            plan.parent_from_node.push_back(parent);
            Scene scene = make_scene(plan);
            scene.parents_first = {2, 0, 1};
            const ScenePose pose = rest_pose(scene);
            const Vector3d seen = apply(pose.model_from_node[0].inverse(), surface_at(scene, pose).col(0));
            CHECK((seen - Vector3d(2, 1, 0)).norm() < 1e-9);
            ++combinations;
          }
  CHECK(combinations > 180);
}

TEST_CASE("Matrices that are no affine transforms of finite size are refused") {
  const auto read = [](const Matrix4d& joint_from_bind) {
    GltfBuilder b = two_joint_strip();
    b.json["skins"][0]["inverseBindMatrices"] = nullptr;
    b.json["skins"][0].erase("inverseBindMatrices");
    Eigen::MatrixXd matrices(16, 2);
    matrices.col(0) = Eigen::Map<const Eigen::VectorXd>(joint_from_bind.data(), 16);
    matrices.col(1) = Eigen::Map<const Eigen::VectorXd>(Matrix4d(Matrix4d::Identity()).eval().data(), 16);
    b.json["skins"][0]["inverseBindMatrices"] = b.add_accessor(matrices);
    return read_scene(b.document());
  };
  CHECK_NOTHROW(read(Matrix4d::Identity()));
  Matrix4d projective = Matrix4d::Identity(), not_finite = Matrix4d::Identity();
  projective(3, 0) = 0.5;
  not_finite(0, 0) = std::nan("");
  CHECK_THROWS_AS(read(projective), ReadError);
  CHECK_THROWS_AS(read(not_finite), ReadError);
}

TEST_CASE("A singular inverse bind matrix is refused where its joint holds vertices") {
  const auto refused = [](int singular) {
    GltfBuilder b = two_joint_strip();
    Eigen::MatrixXd matrices(16, 2);
    for (int j = 0; j < 2; ++j) {
      Matrix4d m = Matrix4d::Identity();
      if (j == singular) m(1, 1) = 0;
      matrices.col(j) = Eigen::Map<const Eigen::VectorXd>(m.data(), 16);
    }
    b.json["skins"][0]["inverseBindMatrices"] = b.add_accessor(matrices);
    return b.document();
  };
  CHECK_NOTHROW(make_rig_file(refused(-1)));
  CHECK_THROWS_WITH(make_rig_file(refused(1)), Catch::Contains("skins[0].inverseBindMatrices: matrix 1"));
}

TEST_CASE("Transforms that overflow together are refused as a rig") {
  GltfBuilder b = two_joint_strip();
  b.json["nodes"][0]["scale"] = {1e200, 1e200, 1e200};
  b.json["nodes"][1]["scale"] = {1e200, 1e200, 1e200};
  CHECK_THROWS_AS(make_rig_file(b.document()), ReadError);
}

TEST_CASE("A singular inverse bind matrix leaves the rest surface alone and allows no bind pose") {
  Plan plan = one_joint(Matrix4d::Identity(), Matrix4d::Identity());
  plan.joint_from_bind[0].setZero();
  plan.joint_from_bind[0](3, 3) = 1;
  const Scene scene = make_scene(plan);
  CHECK(surface_at(scene, rest_pose(scene)).col(0).norm() == 0);
  Surface bind;
  CHECK_FALSE(bind_surface(scene, bind));
}

TEST_CASE("Two joints share a vertex and the usual mistakes are half a unit and more away") {
  const Matrix4d joint = shift(0, 1, 0) * turn(kPi / 2), bind_inverse = shift(0, -1, 0);
  const Vector3d p(1, 1, 0);
  Plan plan;
  plan.parents = {-1, -1};
  plan.parent_from_node = {Matrix4d::Identity(), joint};
  plan.joints = {0, 1};
  plan.joint_from_bind = {Matrix4d::Identity(), bind_inverse};
  plan.points = p;
  plan.weights = Eigen::Vector2d(0.5, 0.5);
  const Vector3d right(0.5, 1.5, 0);
  CHECK((world(plan) - right).norm() < 1e-15);
  const Vector3d without = 0.5 * p + 0.5 * apply(joint, p);
  CHECK((without - Vector3d(0, 1.5, 0)).norm() < 1e-15);
  CHECK((without - right).norm() == Approx(0.5));
  const Vector3d order = 0.5 * p + 0.5 * apply(bind_inverse * joint, p);
  CHECK((order - Vector3d(0, 1, 0)).norm() < 1e-15);
  CHECK((order - right).norm() == Approx(std::sqrt(0.5)));
}

namespace {

/// 9 rings of 24 around y, weights linear in height; the upper joint turns about y.
Plan twisted_cylinder(double angle) {
  Plan plan;
  plan.parents = {-1, 0};
  plan.parent_from_node = {Matrix4d::Identity(), shift(0, 1, 0) * turn(angle, Vector3d::UnitY())};
  plan.joints = {0, 1};
  plan.joint_from_bind = {Matrix4d::Identity(), shift(0, -1, 0)};
  plan.points.resize(3, 216);
  plan.weights.resize(2, 216);
  for (int ring = 0; ring < 9; ++ring)
    for (int k = 0; k < 24; ++k) {
      const double w = ring / 8.0, around = k * kPi / 12;
      plan.points.col(24 * ring + k) << std::cos(around), 2 * w, std::sin(around);
      plan.weights.col(24 * ring + k) << 1 - w, w;
    }
  return plan;
}

double radius(const Vector3d& p) { return std::hypot(p.x(), p.z()); }

Matrix3Xd surface_of(const Plan& plan) {
  const Scene scene = make_scene(plan);
  return surface_at(scene, rest_pose(scene));
}

}  // namespace

TEST_CASE("A twisted cylinder loses radius as the formula of linear blending says") {
  const Plan bind = twisted_cylinder(0);
  CHECK((surface_of(bind) - bind.points).colwise().norm().maxCoeff() < 1e-12);
  for (const double degrees : {0.0, 30.0, 90.0, 120.0, 180.0}) {
    const double angle = degrees * kPi / 180;
    const Matrix3Xd surface = surface_of(twisted_cylinder(angle));
    for (int i = 0; i < 216; ++i) {
      const double w = (i / 24) / 8.0, s = std::sin(angle / 2);
      CHECK(std::abs(radius(surface.col(i)) - std::sqrt(std::max(0.0, 1 - 4 * w * (1 - w) * s * s))) < 1e-7);
    }
  }
  const auto middle = [](double degrees) {
    return radius(surface_of(twisted_cylinder(degrees * kPi / 180)).col(24 * 4));
  };
  CHECK(middle(0) == Approx(1).epsilon(1e-15));
  CHECK(middle(90) == Approx(std::sqrt(0.5)).epsilon(1e-14));
  CHECK(middle(180) < 1e-15);
  CHECK(radius(surface_of(twisted_cylinder(kPi * 2 / 3)).col(24 * 2)) ==
        Approx(std::sqrt(7.0) / 4).epsilon(1e-14));
}
