#include "solver/sweep.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <catch2/catch.hpp>

#include "solver/affine.h"
#include "solver/chain_model.h"
#include "solver/newton.h"
#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

struct Problem {
  Rig rig;
  System system;
  FrameMoments frame;
  Eigen::Matrix3Xd target;  // solve units
};

/// Targets that no rigid motions reach: a posed surface with noise. `two_roots`: joint 2 has no parent, but
/// shares vertices with joint 0.
Problem make_problem(Random& random, double noise, double stiffness = 0, bool two_roots = false) {
  Problem p;
  p.rig = test::make_rig({.joints = 7, .vertices = 220, .influences = 3, .split = 0.1}, random);
  if (two_roots) p.rig.parent[2] = -1;
  const RigMoments m = rig_moments(p.rig, test::equal_shares(p.rig));
  p.system = with_price(make_system(p.rig, m), stiffness);
  p.target = skin(p.rig, test::random_pose(p.rig, 0.4, 0.3, random));
  for (int i = 0; i < p.rig.vertices(); ++i) p.target.col(i) += random.vector(noise);
  p.frame = frame_moments(p.system, target_moments(m, std::span(&p.target, 1)), 0);
  p.target = ((p.target.colwise() - m.unit.centre) / m.unit.length).colwise() - p.frame.shift;
  return p;
}

Pose identity(const Problem& p) { return Pose(p.system.unknowns, Motion::Identity()); }

/// The slow twin of best_motion: a weighted Procrustes fit over the vertices of one joint. With residual
/// targets v - sum of the others, each divided by the joint's own weight, and weights a w^2, the fit is the
/// block's optimum.
Motion procrustes(const Problem& p, const Pose& pose, int joint) {
  const SolveUnit& unit = p.system.unit;
  std::vector<Eigen::Vector3d> from, to;
  std::vector<double> mass;
  for (int i = 0; i < p.rig.vertices(); ++i) {
    Eigen::Vector3d rest = Eigen::Vector3d::Zero(), residual = p.target.col(i);
    double weight = 0;
    for (int k = p.rig.first_influence[i]; k < p.rig.first_influence[i + 1]; ++k) {
      const Eigen::Vector3d q = (p.rig.rest_point.col(k) - unit.centre) / unit.length;
      const Motion& motion = pose[p.rig.joint[k]];
      if (p.rig.joint[k] == joint)
        rest = q, weight = p.rig.weight[k];
      else
        residual -= p.rig.weight[k] * (motion.leftCols<3>() * q + motion.col(3));
    }
    if (weight == 0) continue;
    from.push_back(rest), to.push_back(residual / weight);
    mass.push_back(weight * weight / p.rig.vertices());
  }
  Eigen::Vector3d a = Eigen::Vector3d::Zero(), b = a;
  double total = 0;
  for (std::size_t n = 0; n < from.size(); ++n)
    a += mass[n] * from[n], b += mass[n] * to[n], total += mass[n];
  a /= total, b /= total;
  Eigen::Matrix3d cross = Eigen::Matrix3d::Zero();
  for (std::size_t n = 0; n < from.size(); ++n) cross += mass[n] * (to[n] - b) * (from[n] - a).transpose();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(cross, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Vector3d sign(1, 1, (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1);
  Motion motion;
  motion.leftCols<3>() = svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
  motion.col(3) = b - motion.leftCols<3>() * a;
  return motion;
}

}  // namespace

TEST_CASE("The Horn block equals a weighted Procrustes fit over vertices") {
  Random random;
  for (int n = 0; n < 10; ++n) {
    const Problem p = make_problem(random, 0.2);
    Pose pose;
    for (int j = 0; j < p.system.unknowns; ++j) pose.push_back(random.motion(0.5, 0.2));
    for (int j = 0; j < p.system.unknowns; ++j)
      CHECK((best_motion(p.system, p.frame, pose, j) - procrustes(p, pose, j)).norm() < 1e-8);
  }
}

TEST_CASE("Each block lowers the energy and a sweep never raises it") {
  Random random;
  const Problem p = make_problem(random, 0.3);
  Pose pose = identity(p);
  double last = energy(p.system, p.frame, pose);
  for (int n = 0; n < 30; ++n) {
    sweep(p.system, p.frame, pose);
    const double now = energy(p.system, p.frame, pose);
    CHECK(now <= last * (1 + 1e-13));
    last = now;
  }
}

TEST_CASE("Movement bounds how far any vertex of the support moves") {
  Random random;
  const Problem p = make_problem(random, 0.1);
  const SolveUnit& unit = p.system.unit;
  for (int j = 0; j < p.system.unknowns; ++j) {
    const Motion from = random.motion(1, 1), to = random.motion(1, 1);
    double farthest = 0;
    for (int k = 0; k < p.rig.influences(); ++k) {
      if (p.rig.joint[k] != j) continue;
      const Eigen::Vector3d q = (p.rig.rest_point.col(k) - unit.centre) / unit.length;
      farthest =
          std::max(farthest, p.rig.weight[k] * ((to - from).leftCols<3>() * q + (to - from).col(3)).norm());
    }
    CHECK(movement(p.system, j, from, to) >= farthest);
  }
}

TEST_CASE("Surface distance is the root mean square over vertices") {
  Random random;
  const Problem p = make_problem(random, 0.1);
  Pose a, b;
  for (int j = 0; j < p.system.unknowns; ++j)
    a.push_back(random.motion(1, 1)), b.push_back(random.motion(1, 1));
  const Eigen::Matrix3Xd change =
      skin(p.rig, expand(p.system, b, p.frame.shift)) - skin(p.rig, expand(p.system, a, p.frame.shift));
  const double expected = std::sqrt(change.colwise().squaredNorm().mean()) / p.system.unit.length;
  CHECK(surface_distance(p.system, a, b) == Approx(expected).epsilon(1e-9));
}

namespace {

/// A pose that the freedom allows.
Pose allowed_pose(const Problem& p, Freedom freedom, Random& random) {
  Pose pose;
  for (int j = 0; j < p.system.unknowns; ++j) {
    pose.push_back(random.motion(0.5, 0.2));
    if (freedom == Freedom::scale) pose[j].leftCols<3>() *= random.uniform(0.8, 1.3);
  }
  return freedom == Freedom::rotate ? on_chain(p.system, pose) : pose;
}

/// Central differences of the energy along the coordinates of a freedom.
void compare_with_differences(const Problem& p, Freedom freedom, const Pose& pose) {
  const auto model = make_local_model(p.system, freedom);
  model->expand(p.frame, pose, Curvature::exact);
  const Eigen::VectorXd gradient = model->gradient();
  const Eigen::MatrixXd hessian = model->hessian();
  const auto size = gradient.size();
  const auto at = [&](const Step& t) { return energy(p.system, p.frame, model->retract(pose, t)); };
  CHECK(model->energy() == Approx(at(Step::Zero(size))).epsilon(1e-12));
  constexpr double h = 1e-4;
  double gradient_off = 0, hessian_off = 0;
  for (Eigen::Index r = 0; r < size; ++r) {
    const Step a = h * Step::Unit(size, r);
    gradient_off = std::max(gradient_off, std::abs((at(a) - at(-a)) / (2 * h) - gradient(r)));
    for (Eigen::Index c = 0; c <= r; ++c) {
      const Step b = h * Step::Unit(size, c);
      const double second = (at(a + b) - at(a - b) - at(b - a) + at(-a - b)) / (4 * h * h);
      hessian_off = std::max(hessian_off, std::abs(second - hessian(r, c)));
    }
  }
  CHECK(gradient_off < 1e-8 * std::max(1.0, gradient.norm()));
  CHECK(hessian_off < 1e-7 * hessian.norm());
}

}  // namespace

TEST_CASE("Gradient and Hessian agree with differences of the energy") {
  Random random;
  for (const double stiffness : {0.0, 0.5})
    for (const Freedom freedom : {Freedom::free, Freedom::rotate, Freedom::scale}) {
      CAPTURE(stiffness, static_cast<int>(freedom));
      for (const bool two_roots : {false, true}) {
        const Problem p = make_problem(random, 0.3, stiffness, two_roots);
        compare_with_differences(p, freedom, allowed_pose(p, freedom, random));
      }
    }
}

TEST_CASE("Newton's method ends where long sweeping ends in far fewer steps") {
  Random random;
  const Problem p = make_problem(random, 0.05);
  Pose swept = identity(p), polished = identity(p);
  sweep_until_still(p.system, p.frame, {1e-13, 20000}, swept);
  sweep_until_still(p.system, p.frame, {1e-4, 30}, polished);
  const NewtonOutcome outcome = NewtonSolver(p.system).polish(p.frame, {}, polished);
  CHECK(outcome.converged);
  CHECK(outcome.steps < 15);
  CHECK(outcome.gradient < 1e-13);
  CHECK(movement(p.system, swept, polished) < 1e-9);
}

TEST_CASE("Newton's method finds a minimum from a start where the curvature is indefinite") {
  Random random;
  const Problem p = make_problem(random, 0.05);
  Pose pose;
  for (int j = 0; j < p.system.unknowns; ++j) pose.push_back(random.motion(3, 0.5));
  const double before = energy(p.system, p.frame, pose);
  const NewtonOutcome outcome = NewtonSolver(p.system).polish(p.frame, {}, pose);
  CHECK(outcome.converged);
  CHECK(outcome.energy < before);
  CHECK(outcome.gradient < 1e-12);
}

TEST_CASE("A known minimum is taken over where the road leads to it") {
  Random random;
  const Problem p = make_problem(random, 0.05);
  NewtonSolver solver(p.system);
  Pose known = identity(p), again = identity(p);
  sweep_until_still(p.system, p.frame, {1e-4, 30}, known);
  again = known;
  solver.polish(p.frame, {}, known);
  NewtonSettings settings;
  settings.known = &known;
  CHECK(solver.polish(p.frame, settings, again).at_known);
  CHECK(again == known);
}

TEST_CASE("No rigid answer is below the affine floor") {
  Random random;
  for (int n = 0; n < 5; ++n) {
    const Problem p = make_problem(random, 0.3);
    const Pose affine = AffineSolver(p.system).solve(p.frame);
    Pose rigid = nearest_rigid(p.system, affine);
    NewtonSolver(p.system).polish(p.frame, {}, rigid);
    CHECK(energy(p.system, p.frame, affine) < energy(p.system, p.frame, rigid));
  }
}

TEST_CASE("Affine motions are recovered by the linear start") {
  Random random;
  Problem p = make_problem(random, 0);
  Pose affine;
  for (int j = 0; j < p.system.unknowns; ++j) {
    Motion motion = random.motion(1, 1);
    for (int c = 0; c < 3; ++c) motion.col(c) += random.vector(0.3);
    affine.push_back(motion);
  }
  const Eigen::Matrix3Xd target = skin(p.rig, affine);
  const RigMoments m = rig_moments(p.rig, test::equal_shares(p.rig));
  p.frame = frame_moments(p.system, target_moments(m, std::span(&target, 1)), 0);
  const Pose found = expand(p.system, AffineSolver(p.system).solve(p.frame), p.frame.shift);
  CHECK(test::largest_distance(skin(p.rig, found), target) < 1e-8);
}

TEST_CASE("The nearest rigid motion of a rigid motion is itself") {
  Random random;
  const Problem p = make_problem(random, 0);
  Pose pose;
  for (int j = 0; j < p.system.unknowns; ++j) pose.push_back(random.motion(2, 1));
  CHECK(movement(p.system, nearest_rigid(p.system, pose), pose) < 1e-12);
}
