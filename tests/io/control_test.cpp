// The control must be able to fail: each of these mistakes, switched on here, turns it red, and the same road
// without it stays green.

#include "io/control.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "data/quadruped_files.h"
#include "io/pose.h"
#include "solver/measure.h"
#include "solver/newton.h"
#include "solver/rigid_fit.h"
#include "solver/sweep.h"
#include "tests/gltf_builder.h"
#include "tests/io/chain_rig.h"

using namespace pelt;

namespace {

/// A file of the project's own quadruped, opened as a rig.
RigFile open_quadruped(const std::string& name) {
  for (const QuadrupedFile& file : make_quadruped_files())
    if (file.name == name) return make_rig_file(parse_document(file.bytes, name));
  FAIL("no file " << name);
  return {};
}

const RigFile& artist() {
  static const RigFile file = open_quadruped("quadruped-artist.glb");
  return file;
}

struct InMemory {
  RigMoments moments;
  System system;
  MeasureSettings measure;
  std::vector<Eigen::Matrix3Xd> targets;
  std::vector<FrameMoments> frames;
};

/// The artist's own rig and clip, a frame in three of it, with a rig that may have been spoilt.
InMemory prepare(const RigFile& file, const Rig& rig) {
  InMemory m;
  const Motive motive{&file.scene, nullptr};
  m.measure = measure_settings(motive, file, bounding_diagonal(file.rest), Weighting::uniform);
  m.moments = rig_moments(rig, m.measure.weight / m.measure.weight.sum());
  m.system = make_system(rig, m.moments);
  const Clip& clip = file.scene.clips.front();
  for (int f = 0; f < 4; ++f) m.targets.push_back(targets_at(motive, clip, double{clip.end} * f / 4));
  return m;
}

void take_targets(InMemory& m) {
  const TargetMoments moments = target_moments(m.moments, m.targets);
  for (int f = 0; f < moments.frames; ++f) m.frames.push_back(frame_moments(m.system, moments, f));
}

using SolveFrame = void (*)(const System&, const FrameMoments&, Pose&);

/// Solves every frame from the one before and measures against the true targets; does that pass the bars in
/// memory (DESIGN section 8)?
bool passes(const Rig& rig, InMemory& m, const std::vector<Eigen::Matrix3Xd>& truth, SolveFrame solve) {
  Measure measure(m.measure, static_cast<int>(truth.size()));
  Pose pose(m.system.unknowns, Motion::Identity());
  for (std::size_t f = 0; f < truth.size(); ++f) {
    solve(m.system, m.frames[f], pose);
    measure.add(static_cast<int>(f), truth[f], skin(rig, expand(m.system, pose, m.frames[f].shift)));
  }
  const Figures figures = measure.figures();
  INFO("mean " << figures.mean << " % worst " << figures.worst << " %");
  UNSCOPED_INFO("mean " << figures.mean << " % worst " << figures.worst << " %");
  return figures.mean <= 3e-6 && figures.worst <= 5e-5;
}

void solve_well(const System& system, const FrameMoments& frame, Pose& pose) {
  sweep_until_still(system, frame, {1e-4, 30}, pose);
  NewtonSolver(system).polish(frame, {}, pose);
}

/// Ten steps of power iteration on Horn's matrix, made positive by its norm, instead of Jacobi rotations.
Motion fit_by_power_iteration(const System& s, const FrameMoments& frame, const Pose& pose, int j) {
  const Eigen::Matrix4d& a = s.total[s.diagonal[j]];
  const Eigen::Matrix<double, 4, 3> r = block_residual(s, frame, pose, j);
  const Eigen::Matrix3d cross = r.topRows<3>() - a.topRightCorner<3, 1>() * r.row(3) / a(3, 3);
  Eigen::Matrix4d n = horn_matrix(cross);
  n.diagonal().array() += n.norm();
  Eigen::Vector4d q(1, 0, 0, 0);
  for (int step = 0; step < 10; ++step) q = (n * q).normalized();
  Motion motion;
  motion.leftCols<3>() = Eigen::Quaterniond(q(0), q(1), q(2), q(3)).toRotationMatrix();
  motion.col(3) = (r.row(3).transpose() - motion.leftCols<3>() * a.topRightCorner<3, 1>()) / a(3, 3);
  return motion;
}

void solve_by_power_iteration(const System& system, const FrameMoments& frame, Pose& pose) {
  for (int n = 0; n < 500; ++n)
    for (int j = 0; j < system.unknowns; ++j) pose[j] = fit_by_power_iteration(system, frame, pose, j);
}

/// Stops when a sweep takes less than a tenth off the energy: slow sweeps freeze.
void solve_to_relative_progress(const System& system, const FrameMoments& frame, Pose& pose) {
  double last = energy(system, frame, pose);
  for (int n = 0; n < 20000; ++n) {
    sweep(system, frame, pose);
    const double now = energy(system, frame, pose);
    if (last - now < 0.1 * last) return;
    last = now;
  }
}

}  // namespace

TEST_CASE("The control passes on the quadruped in memory and through the written file") {
  InMemory m = prepare(artist(), artist().rig.rig);
  take_targets(m);
  CHECK(passes(artist().rig.rig, m, m.targets, solve_well));
  const Control control = run_control(artist(), {0, 1}, bounding_diagonal(artist().rest), {});
  CHECK(control.passed);
  for (const ControlVerdict& verdict : control.verdicts) {
    CHECK(verdict.within_bars);
    CHECK_FALSE(verdict.artist_deforms);
  }
}

TEST_CASE("The control fails when targets are built from a reused vector") {
  InMemory m = prepare(artist(), artist().rig.rig);
  const std::vector<Eigen::Matrix3Xd> truth = m.targets;
  for (auto& target : m.targets)
    for (Eigen::Index i = 1; i < target.cols(); i += 7) target.col(i) = target.col(i - 1);
  take_targets(m);
  CHECK_FALSE(passes(artist().rig.rig, m, truth, solve_well));
}

TEST_CASE("The control fails with ten steps of power iteration for Jacobi rotations") {
  InMemory m = prepare(artist(), artist().rig.rig);
  take_targets(m);
  CHECK_FALSE(passes(artist().rig.rig, m, m.targets, solve_by_power_iteration));
}

TEST_CASE("The control fails with an exit on relative progress") {
  // blurred weights overlap widely, so sweeps converge slowly; the artist's clips fit this rig's nodes
  RigFile blurred = open_quadruped("quadruped-blurred.glb");
  blurred.scene.clips = artist().scene.clips;
  InMemory m = prepare(blurred, blurred.rig.rig);
  take_targets(m);
  CHECK(passes(blurred.rig.rig, m, m.targets, solve_well));
  CHECK_FALSE(passes(blurred.rig.rig, m, m.targets, solve_to_relative_progress));
}

TEST_CASE("The control fails with one common rest position where rest is not bind") {
  // the posed rig plays the artist's clip: nodes by name are the same, so the clip's tracks fit them
  RigFile posed = open_quadruped("quadruped-posed-rest.glb");
  posed.scene.clips = artist().scene.clips;
  InMemory right = prepare(posed, posed.rig.rig);
  take_targets(right);
  CHECK(passes(posed.rig.rig, right, right.targets, solve_well));
  Rig merged = posed.rig.rig;
  for (int i = 0; i < merged.vertices(); ++i) {
    Eigen::Vector3d rest = Eigen::Vector3d::Zero();
    for (int k = merged.first_influence[i]; k < merged.first_influence[i + 1]; ++k)
      rest += merged.weight[k] * merged.rest_point.col(k);
    for (int k = merged.first_influence[i]; k < merged.first_influence[i + 1]; ++k)
      merged.rest_point.col(k) = rest;
  }
  InMemory wrong = prepare(posed, merged);
  take_targets(wrong);
  CHECK_FALSE(passes(merged, wrong, wrong.targets, solve_well));
}

TEST_CASE("The control passes under mirrored roots and scales of 100 and 0.01 above the skeleton") {
  const std::vector<std::pair<const char*, nlohmann::ordered_json>> armatures = {
      {"plain", nlohmann::ordered_json::object()},
      {"large", {{"scale", {100, 100, 100}}, {"rotation", {0.5, 0.5, 0.5, 0.5}}}},
      {"small", {{"scale", {0.01, 0.01, 0.01}}, {"translation", {3, -2, 1}}}},
      {"mirrored", {{"scale", {-1, 1, 1}}}},
      {"mirrored in a point and small", {{"scale", {-0.01, -0.01, -0.01}}}}};
  for (const auto& [name, armature] : armatures)
    for (const bool matrices : {false, true}) {
      INFO(name << (matrices ? " as matrices" : ""));
      std::mt19937 random{12345};
      const test::Written animated =
          test::write(test::chain({.armature = armature, .matrices = matrices}, random),
                      [&](const SceneRig& rig, double size) {
                        return std::vector<SolvedClip>{test::random_clip("Move", rig.rig, size, random)};
                      });
      const RigFile file = make_rig_file(animated.after);
      const Control control = run_control(file, {0}, bounding_diagonal(file.rest), {});
      CHECK(control.verdicts.at(0).within_bars);
      CHECK(control.passed);
    }
}

TEST_CASE("Non-uniform scale above a skeleton is told and passes by the artist's own motions made rigid") {
  std::mt19937 random{12345};
  const test::Written animated = test::write(
      test::chain({.armature = {{"scale", {1, 3, 1}}}}, random), [&](const SceneRig& rig, double size) {
        return std::vector<SolvedClip>{test::random_clip("Move", rig.rig, size, random)};
      });
  const RigFile file = make_rig_file(animated.after);
  const ControlVerdict verdict = run_control(file, {0}, bounding_diagonal(file.rest), {}).verdicts.at(0);
  CHECK(verdict.artist_deforms);
  CHECK(verdict.passed);
  CHECK(verdict.rigid_rms > 0);
}

TEST_CASE("An artist who morphs is told and passes by what his joints alone can do") {
  test::GltfBuilder b = test::two_joint_strip();
  Eigen::MatrixXd bulge(3, 4);
  bulge << 0, 0, 0.2, 0.3, 0, 0, 0, 0.1, 0.5, 0, 0, 0;
  b.primitive(0)["targets"] = {{{"POSITION", b.add_accessor(bulge)}}};
  b.add_channel(0, 2, "weights", {0, 1}, Eigen::RowVector2d(0, 1));
  const RigFile file = make_rig_file(b.document());
  const ControlVerdict verdict = run_control(file, {0}, bounding_diagonal(file.rest), {}).verdicts.at(0);
  CHECK(verdict.artist_deforms);
  CHECK_FALSE(verdict.within_bars);
  CHECK(verdict.passed);
}

TEST_CASE("An artist who morphs a little and moves a joint far is not held to a price") {
  test::GltfBuilder b = test::two_joint_strip();
  Eigen::Matrix3Xd points(3, 8), bulge = Eigen::Matrix3Xd::Zero(3, 8), away(3, 2);
  points << 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0;
  bulge.row(2) << 0, 0, 2e-3, 2e-3, 0, 0, 2e-3, 2e-3;  // no affine motion of the tip bends it so
  away << 0, 3, 1, 1, 0, 0;
  Eigen::MatrixXd joints = Eigen::MatrixXd::Zero(4, 8), weights = joints;
  joints.row(0).tail(6).setOnes(), weights.row(0).setOnes();
  const int mesh = b.add_mesh(test::skinned_attributes(b, points, joints, weights),
                              {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4, 4, 5, 6, 5, 7, 6});
  b.json["nodes"][2]["mesh"] = mesh;
  b.primitive(mesh)["targets"] = {{{"POSITION", b.add_accessor(bulge)}}};
  b.add_channel(0, 2, "weights", {0, 1}, Eigen::RowVector2d(0, 1));
  b.add_channel(0, 1, "translation", {0, 1}, away);
  const RigFile file = make_rig_file(b.document());
  const Control control = run_control(file, {0}, bounding_diagonal(file.rest), {});
  CHECK(control.clips.at(0).floor.rms > 100 * kExactFloor);  // where a price would not fade
  CHECK(control.passed);
}

TEST_CASE("An artist who scales joints is told and passes by the error of his own motions made rigid") {
  RigFile scaling = artist();
  Clip& clip = scaling.scene.clips.front();
  int joint = 0;
  for (int j = 0; j < scaling.rig.rig.joints(); ++j)
    if (std::count(scaling.rig.rig.joint.begin(), scaling.rig.rig.joint.end(), j) > 200) joint = j;
  Track squash;
  squash.node = scaling.rig.node_of_joint[joint];
  squash.path = TrackPath::scale;
  squash.times = {0.0f, clip.end};
  squash.values.resize(3, 2);
  squash.values << 1, 1.3, 1, 0.8, 1, 1.1;
  std::erase_if(clip.tracks,
                [&](const Track& t) { return t.node == squash.node && t.path == TrackPath::scale; });
  clip.tracks.push_back(squash);
  const Control control = run_control(scaling, {0}, bounding_diagonal(scaling.rest), {});
  REQUIRE(control.verdicts.size() == 1);
  CHECK(control.verdicts[0].artist_deforms);
  CHECK_FALSE(control.verdicts[0].within_bars);
  CHECK(control.verdicts[0].rigid_rms > 0.01);
  CHECK(control.verdicts[0].passed);
  CHECK(control.clips[0].keys.rms <= control.verdicts[0].rigid_rms * 1.0001);
}
