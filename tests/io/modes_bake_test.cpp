// Modes of the joints from file to file (tests/solver/modes_test.cpp has the solves).
#include <Eigen/LU>
#include <catch2/catch.hpp>

#include "io/bake.h"
#include "io/convergence.h"
#include "io/gltf_reader.h"
#include "io/io_error.h"
#include "io/pose.h"
#include "io/smoothness.h"
#include "tests/gltf_builder.h"
#include "tests/io/chain_rig.h"
#include "tests/temp_folder.h"

using namespace pelt;
using test::GltfBuilder;
using test::TempFolder;

namespace {

constexpr int kRoot = 0, kLimb = 1, kHand = 2;  // nodes

/// A body of 4 vertices, a limb of 12 above it and a hand of 4 at its end, all flat and symmetric about y,
/// each held by one joint. The hand hangs on the limb or beside it on the root.
GltfBuilder figure(bool hand_on_limb) {
  GltfBuilder b;
  b.add_node("root");
  b.add_node("limb", kRoot, {{"translation", {0, 1, 0}}});
  b.add_node("hand", hand_on_limb ? kLimb : kRoot, {{"translation", {0, hand_on_limb ? 6 : 7, 0}}});
  Eigen::Matrix3Xd points(3, 20);
  Eigen::MatrixXd joints = Eigen::MatrixXd::Zero(4, 20), weights = joints;
  std::vector<int> triangles;
  for (int row = 0; row < 10; ++row) {
    points.col(2 * row) << -0.5, row - 1, 0;
    points.col(2 * row + 1) << 0.5, row - 1, 0;
    joints(0, 2 * row) = joints(0, 2 * row + 1) = row < 2 ? 0 : row < 8 ? 1 : 2;
    const int v = 2 * row;
    if (row % 2 == 0)
      for (const int corner : {v, v + 1, v + 2, v + 1, v + 3, v + 2}) triangles.push_back(corner);
  }
  weights.row(0).setOnes();
  Eigen::Matrix4d limb_from_bind = Eigen::Matrix4d::Identity(), hand_from_bind = limb_from_bind;
  limb_from_bind(1, 3) = -1, hand_from_bind(1, 3) = -7;
  const int skin =
      b.add_skin({kRoot, kLimb, kHand}, {Eigen::Matrix4d::Identity(), limb_from_bind, hand_from_bind});
  b.add_node(
      "body", -1,
      {{"mesh", b.add_mesh(skinned_attributes(b, points, joints, weights), triangles)}, {"skin", skin}});
  return b;
}

/// Bakes an artist onto a rig, both made in memory.
struct Bench {
  TempFolder folder;
  BakeOptions options;

  Bench(const GltfBuilder& artist, const GltfBuilder& rig, std::vector<JointMode> joints) {
    options.artist = folder / "artist.glb", options.rig = folder / "rig.glb";
    options.output = folder / "out.glb";
    options.joints = std::move(joints);
    test::write_bytes(options.artist, artist.glb());
    test::write_bytes(options.rig, rig.glb());
  }
  Document written() const { return read_document(options.output); }
};

Eigen::MatrixXd columns(std::initializer_list<Eigen::Vector3d> list) {
  Eigen::MatrixXd m(3, list.size());
  int k = 0;
  for (const Eigen::Vector3d& v : list) m.col(k++) = v;
  return m;
}

/// The chain's rig as a file of its own, with the clips if any.
GltfBuilder chain_file(const test::ChainOptions& options, const std::vector<std::string>& clips,
                       std::mt19937& random, const std::function<void(Pose&)>& change = {}) {
  const GltfBuilder chain = test::chain(options, random);
  const test::Written w = test::write(chain, [&](const SceneRig& rig, double size) {
    std::vector<SolvedClip> list;
    for (const std::string& name : clips) list.push_back(test::random_clip(name, rig.rig, size, random));
    for (SolvedClip& clip : list)
      for (Pose& pose : clip.poses)
        if (change) change(pose);
    return list;
  });
  GltfBuilder b;
  b.json = w.after.json, b.bin = w.after.bin;
  return b;
}

/// No joint but a root has another track than a rotation.
void check_only_turns(const Document& written, const SceneRig& joints) {
  const std::set<std::string> turns{"rotation"}, moves{"rotation", "translation"};
  for (int j = 0; j < joints.rig.joints(); ++j)
    CHECK(test::paths_of(written.json["animations"][0], joints.node_of_joint[j]) ==
          (joints.rig.parent[j] < 0 ? moves : turns));
}

/// Distance of a joint from the joint above.
double bone_length(const SceneRig& joints, const ScenePose& pose, int j) {
  const auto origin = [&](int joint) -> Eigen::Vector3d {
    return pose.model_from_node[joints.node_of_joint[joint]].topRightCorner<3, 1>();
  };
  return (origin(j) - origin(joints.rig.parent[j])).norm();
}

}  // namespace

TEST_CASE("An artist who only turns joints loses nothing where joints only turn") {
  GltfBuilder artist = figure(true);
  Eigen::MatrixXd turns(4, 3), back(4, 3);
  for (int k = 0; k < 3; ++k) {
    turns.col(k) << 0.48 * std::sin(0.4 * k), 0, 0.64 * std::sin(0.4 * k), 0;
    turns(3, k) = std::sqrt(1 - turns.col(k).squaredNorm());
    back.col(k) << 0, std::sin(0.3 * k), 0, std::cos(0.3 * k);
  }
  const int clip = artist.add_animation("Wave");
  artist.add_channel(clip, kLimb, "rotation", {0, 0.3, 1}, turns);
  artist.add_channel(clip, kHand, "rotation", {0, 0.3, 1}, back);
  artist.add_channel(clip, kRoot, "translation", {0, 0.3, 1}, columns({{0, 0, 0}, {1, 2, 3}, {0, 0, 1}}));
  Bench bench(artist, figure(true), {JointMode::rotate});
  const BakeResult result = bake(bench.options);
  CHECK(*result.clips[0].keys.quality > 100 - 1e-4);
  CHECK(result.clips[0].keys.worst < 3e-4);
  CHECK(result.clips[0].travel.max < 1e-5);
  CHECK(result.clips[0].price == 0);
}

TEST_CASE("A limb that leaves its body costs what its bone forbids") {
  // the limb and its hand, 4/5 of the vertices, move away by d along their axis: turning cannot follow, so
  // the whole figure goes 4/5 d along, the body is off by that and the rest by d/5
  const double d = 0.5, away = 0.8, diag = std::hypot(1, 9);
  GltfBuilder artist = figure(true);
  artist.add_channel(artist.add_animation("Grow"), kLimb, "translation", {0, 1},
                     columns({{0, 1 + d, 0}, {0, 1 + d, 0}}));
  Bench bench(artist, figure(true), {JointMode::rotate, JointMode::free});
  bench.options.transfer.weighting = Weighting::uniform;
  const BakeResult result = bake(bench.options);
  const Figures& figures = result.clips[0].keys;
  CHECK(*figures.quality == Approx(100 * (1 - 2 * (1 - away))).epsilon(1e-6));
  CHECK(figures.rms == Approx(100 * d * std::sqrt(away * (1 - away)) / diag).epsilon(1e-6));
  CHECK(figures.worst == Approx(100 * away * d / diag).epsilon(1e-6));
  REQUIRE(result.compared.size() == 1);
  CHECK(*result.compared[0].clips[0].keys.quality > 100 - 1e-4);
  // the limb's origin leaves its parent by d, the hand's does not
  CHECK(result.compared[0].clips[0].travel.mean == Approx(100 * d / 2 / diag).epsilon(1e-5));
}

TEST_CASE("A limb that doubles is found and its hand does not grow with it") {
  GltfBuilder artist = figure(false);
  artist.add_channel(artist.add_animation("Swell"), kLimb, "scale", {0, 1}, columns({{1, 1, 1}, {2, 2, 2}}));
  Bench bench(artist, figure(true), {JointMode::scale, JointMode::free});
  const BakeResult result = bake(bench.options);
  CHECK(result.clips[0].keys.worst < 1e-5);
  CHECK(*result.compared[0].clips[0].keys.quality < 90);
  const Scene scene = read_scene(bench.written());
  const ScenePose end = pose_at(scene, scene.clips.at(0), 1);
  const auto size = [&](int node) { return end.model_from_node[node].topLeftCorner<3, 3>().col(0).norm(); };
  CHECK(size(kLimb) == Approx(2).epsilon(1e-6));
  CHECK(size(kHand) == Approx(1).epsilon(1e-6));
  CHECK(test::paths_of(bench.written().json["animations"][0], kHand).count("scale"));
  // (1 + u)(1 - u / 2) is not 1: in between the hand would swell, so keys are added
  CHECK(result.clips[0].keys_added > 0);
  CHECK(result.clips[0].between.rms < 0.05);
}

TEST_CASE("Scales of nested joints are written so that the file has the solved surface") {
  for (const char* armature : {"{}", R"({"scale": [100, 100, 100], "rotation": [0.5, 0.5, 0.5, 0.5]})",
                               R"({"scale": [-0.01, 0.01, 0.01]})"}) {
    INFO(armature);
    std::mt19937 random{12345};
    std::uniform_real_distribution<double> factor(0.6, 1.7);
    SolvedClip clip;
    const GltfBuilder chain = test::chain(
        {.armature = nlohmann::ordered_json::parse(armature), .between = {{"scale", {2, 2, 2}}}}, random);
    const test::Written w = test::write(chain, [&](const SceneRig& rig, double size) {
      clip = test::random_clip("Move", rig.rig, size, random);
      for (Pose& pose : clip.poses)
        for (int j = 0; j < rig.rig.joints(); ++j) {
          const Eigen::Vector3d o = rig.rig.model_from_joint[j].topRightCorner<3, 1>();
          const Eigen::Vector3d image = pose[j] * o.homogeneous();
          pose[j].leftCols<3>() *= factor(random);
          pose[j].col(3) = image - pose[j].leftCols<3>() * o;
        }
      return std::vector<SolvedClip>{clip};
    });
    CHECK(test::written_error(w.scene, w.rig, clip, 0) < 1e-7);
    CHECK(w.outcome.warnings.empty());
  }
}

TEST_CASE("Bones keep their lengths in the file where joints only turn") {
  const std::string even[] = {"{}", R"({"scale": [0.01, 0.01, 0.01], "translation": [3, -2, 1]})"},
                    uneven = R"({"scale": [1, 3, 1]})";
  for (const std::string& armature : {even[0], even[1], uneven})
    for (const bool matrices : {false, true}) {
      INFO(armature << (matrices ? " as matrices" : ""));
      const test::ChainOptions plan{.armature = nlohmann::ordered_json::parse(armature),
                                    .between = {{"translation", {0.1, 0.2, 0.3}}},
                                    .matrices = matrices};
      std::mt19937 random{12345}, same{12345};
      const GltfBuilder artist = chain_file(plan, {"Move"}, random), rig = chain_file(plan, {}, same);
      Bench bench(artist, rig, {JointMode::rotate});
      const BakeResult result = bake(bench.options);
      const Scene scene = read_scene(bench.written());
      const SceneRig joints = rig_of_scene(scene);
      check_only_turns(bench.written(), joints);
      CHECK(result.warnings.empty() == (armature != uneven));  // shear is told
      if (armature == uneven) continue;                        // lengths depend on directions there
      const ScenePose rest = rest_pose(scene);
      for (const double time : {0.1, 0.7, 1.7})
        for (int j = 1; j < joints.rig.joints(); ++j)
          CHECK(bone_length(joints, pose_at(scene, scene.clips[0], time), j) ==
                Approx(bone_length(joints, rest, j)).epsilon(1e-12));
    }
}

TEST_CASE("A bone that another clip of the file stretches is held at rest where joints only turn") {
  GltfBuilder artist = figure(true), rig = figure(true);
  Eigen::MatrixXd turn(4, 2);
  turn << 0, 0, 0, 0, 0, 0.6, 1, 0.8;
  artist.add_channel(artist.add_animation("Wave"), kLimb, "rotation", {0, 1}, turn);
  rig.add_channel(rig.add_animation("Other"), kHand, "translation", {0, 1}, columns({{0, 6, 0}, {0, 9, 0}}));
  Bench bench(artist, rig, {JointMode::rotate});
  bake(bench.options);
  const Scene scene = read_scene(bench.written());
  REQUIRE(scene.clips.size() == 2);
  int held = 0;
  for (const Track& track : scene.clips[1].tracks) {
    if (track.path != TrackPath::translation || track.node == kRoot) continue;
    CHECK(track.node == kHand);
    for (Eigen::Index k = 0; k < track.values.cols(); ++k)
      CHECK(track.values.col(k) == Eigen::Vector3d(0, 6, 0));
    ++held;
  }
  CHECK(held == 1);
}

TEST_CASE("A list of modes writes the first and has the figures that each has alone") {
  std::mt19937 random{12345}, same{12345};
  const GltfBuilder artist = chain_file({}, {"A", "B"}, random, [](Pose& pose) {
    for (Motion& m : pose) m.leftCols<3>() *= 1.1;
  });
  const GltfBuilder rig = chain_file({}, {}, same);
  Bench bench(artist, rig, {JointMode::free, JointMode::rotate, JointMode::stretch, JointMode::scale});
  const BakeResult list = bake(bench.options);
  const auto bytes = test::read_bytes(bench.options.output);
  REQUIRE(list.compared.size() == 3);
  for (int n = 0; n < 4; ++n) {
    const JointMode mode = kJointModes[n];
    bench.options.joints = {mode};
    const BakeResult alone = bake(bench.options);
    if (n == 0) CHECK(test::read_bytes(bench.options.output) == bytes);
    const auto& clips = n == 0 ? list.clips : list.compared[n - 1].clips;
    if (n > 0) CHECK(list.compared[n - 1].joints == mode);
    REQUIRE(clips.size() == 2);
    for (int c = 0; c < 2; ++c) {
      CHECK(clips[c].keys.rms == alone.clips[c].keys.rms);
      CHECK(clips[c].price == alone.clips[c].price);
    }
  }
  const auto rms = [&](int n) { return list.compared[n].clips[0].keys.rms; };
  CHECK(rms(0) > rms(1));                       // rotate, stretch
  CHECK(rms(2) < list.clips[0].keys.rms);       // scale, free
  CHECK(list.compared[0].clips[0].price == 0);  // rotate
  CHECK(list.compared[1].clips[0].price == kDefaultStretch);
}

TEST_CASE("The mean distance is less, and the mean square more, where that is asked for") {
  std::mt19937 random{12345}, same{12345};
  const GltfBuilder artist = chain_file({}, {"A"}, random, [](Pose& pose) {
    for (Motion& m : pose) m.leftCols<3>() *= 1.1;
  });
  // scaling joints would meet it exactly
  Bench bench(artist, chain_file({}, {}, same), {JointMode::rotate, JointMode::free});
  const BakeResult squares = bake(bench.options);
  bench.options.transfer.solve.loss = Loss::distance;
  bench.options.transfer.solve.threads = 1;
  const BakeResult distance = bake(bench.options);
  const auto bytes = test::read_bytes(bench.options.output);
  bench.options.transfer.solve.threads = 2;
  CHECK(bake(bench.options).clips[0].keys.mean == distance.clips[0].keys.mean);
  CHECK(test::read_bytes(bench.options.output) == bytes);
  const auto figures = [](const BakeResult& result, int mode) {
    return (mode == 0 ? result.clips : result.compared[mode - 1].clips)[0].keys;
  };
  for (const int mode : {0, 1}) {
    CHECK(figures(distance, mode).mean < figures(squares, mode).mean);
    CHECK(figures(distance, mode).quality > figures(squares, mode).quality);
    CHECK(figures(distance, mode).rms > figures(squares, mode).rms);
  }
  CHECK(distance.control->passed);
  CHECK(distance.control->mean == squares.control->mean);
}

TEST_CASE("Modes that make no sense are refused before anything is written") {
  Bench bench(figure(true), figure(true), {});
  CHECK_THROWS_AS(bake(bench.options), UsageError);
  bench.options.joints = {JointMode::scale, JointMode::free, JointMode::scale};
  CHECK_THROWS_WITH(bake(bench.options), Catch::Contains("'scale'"));
}

TEST_CASE("A joint whose scale is zero at rest is told by name") {
  GltfBuilder artist = figure(true), rig = figure(true);
  artist.add_channel(artist.add_animation("Hop"), kRoot, "translation", {0, 1},
                     columns({{0, 0, 0}, {0, 2, 0}}));
  CHECK(bake(Bench(artist, rig, {JointMode::free}).options).warnings.empty());
  rig.json["nodes"][kHand]["scale"] = {0, 0, 0};
  const BakeResult result = bake(Bench(artist, rig, {JointMode::free}).options);
  REQUIRE(result.warnings.size() == 1);
  CHECK_THAT(result.warnings[0], Catch::Contains("joint 'hand': a scale of 0 at rest, there or above"));
}

TEST_CASE("The control runs free whatever the bake's mode and prices") {
  GltfBuilder artist = figure(true);
  artist.add_channel(artist.add_animation("Grow"), kLimb, "translation", {0, 1},
                     columns({{0, 1, 0}, {1, 3, 0}}));
  Bench bench(artist, figure(true), {JointMode::rotate});
  bench.options.transfer.solve.freedom = Freedom::rotate;
  bench.options.transfer.solve.stretch = 1e6;
  bench.options.transfer.write.rigid_bones = true;
  const BakeResult result = bake(bench.options);
  CHECK(result.control->passed);
  CHECK(result.control->worst < 3e-4);
  CHECK(*result.clips[0].keys.quality < 99);
}

TEST_CASE("A clip is as far from its minimum as its worst frame") {
  ClipTransfer clip;
  clip.frames.resize(4);
  for (FrameResult& frame : clip.frames) frame.converged = true;
  clip.frames[1].gradient = 1e-9, clip.frames[3].gradient = 1e-12;
  CHECK(convergence(clip).open == 0);
  clip.frames[1].converged = clip.frames[2].converged = false;
  CHECK(convergence(clip).open == 2);
  CHECK(convergence(clip).gradient == 1e-9);
  clip.written_name = "Walk";
  CHECK(open_frames({clip}) ==
        std::vector<std::string>{"clip 'Walk': the solver did not converge in 2 of 4 frames, "
                                 "largest remaining gradient 1e-09"});
  clip.frames[2].converged = true, clip.frames[1].flat = true;
  CHECK(convergence(clip).open == 0);
  CHECK(convergence(clip).flat == 1);
  CHECK(open_frames({clip}).empty());
}

TEST_CASE("Acceleration is exact for parabolas on uneven frames") {
  const double times[] = {0.4, 0.5, 1.1};
  Eigen::Matrix3Xd points[3];
  for (int n = 0; n < 3; ++n) {
    const double t = times[n];
    points[n].resize(3, 3);
    points[n].col(0) << 3 * t * t + 7 * t, -4 * t * t, 5;
    points[n].col(1) << 100 * t * t * t, 0, 0;
    points[n].col(2) << 1e9, 0, t;
  }
  const auto of = [&](const std::vector<int>& counted) {
    return largest_acceleration({times[0], points[0]}, {times[1], points[1]}, {times[2], points[2]}, counted);
  };
  CHECK(of({0, 2}) == Approx(10).epsilon(1e-9));                     // |(6, -8)|
  CHECK(of({1}) == Approx(200 * (0.4 + 0.5 + 1.1)).epsilon(1e-12));  // 2 (t0 + t1 + t2)
  CHECK(of({}) == 0);
}

TEST_CASE("Joints accelerate as the surface that they carry alone") {
  GltfBuilder artist = figure(true);
  artist.add_channel(artist.add_animation("Hop"), kRoot, "translation", {0, 0.25, 1},
                     columns({{0, 0, 0}, {0, 2, 0}, {0, 0, 0}}));
  Bench bench(artist, figure(true), {JointMode::free});
  const ClipTransfer clip = bake(bench.options).clips[0];
  const double expected = 100 * 2 * (2 / 0.25 + 2 / 0.75) / std::hypot(1, 9);
  CHECK(clip.acceleration.surface == Approx(expected).epsilon(1e-6));
  CHECK(clip.acceleration.joints == Approx(expected).epsilon(1e-5));
  CHECK(*clip.acceleration.ratio() == Approx(1).epsilon(1e-5));
  CHECK_FALSE(Acceleration{.joints = 1}.ratio());
}

TEST_CASE("A joint that turns about the midst of what it carries accelerates") {
  GltfBuilder artist = figure(true);
  Eigen::MatrixXd turns(4, 3);  // the hand about its own axis, half a metre from which its points stand
  turns << 0, 0, 0, 0, std::sqrt(0.5), 1, 0, 0, 0, 1, std::sqrt(0.5), 0;
  artist.add_channel(artist.add_animation("Turn"), kHand, "rotation", {0, 0.5, 1}, turns);
  Bench bench(artist, figure(true), {JointMode::free});
  const ClipTransfer clip = bake(bench.options).clips[0];
  const double expected = 100 * 4 / std::hypot(1, 9);  // (-1/2, 0) - 2 (0, -1/2) + (1/2, 0) in half a second
  CHECK(clip.acceleration.surface == Approx(expected).epsilon(1e-6));
  CHECK(clip.acceleration.joints == Approx(expected).epsilon(1e-5));
}
