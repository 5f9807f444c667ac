// scripts/fbx2glb on files that Blender itself makes from the quadruped: what comes back must be the same
// surface in motion. Where there is no Blender only its absence is tested.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <limits>

#include "data/quadruped_files.h"
#include "io/gltf_reader.h"
#include "io/pose.h"
#include "io/rig_of_scene.h"
#include "tests/fixtures.h"
#include "tests/temp_folder.h"

using namespace pelt;
using namespace pelt::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kConverter = PELT_SOURCE_DIR "/scripts/fbx2glb";

/// Loads the quadruped and saves it as FBX with all actions, and as a Blender file in which Gallop is in no
/// track and starts at frame 1.
constexpr const char* kMakeFiles = R"(
import numpy, sys
numpy.bool, numpy.int, numpy.float, numpy.object = bool, int, float, object
import bpy
folder = sys.argv[-1]
for thing in list(bpy.data.objects):
    bpy.data.objects.remove(thing)
bpy.ops.import_scene.gltf(filepath=folder + "/artist.glb")
for action in bpy.data.actions:
    action.name = action.name.split("_")[0]
bpy.ops.export_scene.fbx(filepath=folder + "/artist.fbx", add_leaf_bones=False, bake_anim_use_nla_strips=False,
                         bake_anim_use_all_actions=True, bake_anim_simplify_factor=0)
armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
gallop = bpy.data.actions["Gallop"]
gallop.use_fake_user = True
armature.animation_data.action = None
for track in list(armature.animation_data.nla_tracks):
    if track.strips[0].action == gallop:
        armature.animation_data.nla_tracks.remove(track)
for curve in gallop.fcurves:
    for key in curve.keyframe_points:
        for point in (key.co, key.handle_left, key.handle_right):
            point[0] += 1
bpy.ops.wm.save_as_mainfile(filepath=folder + "/artist.blend", compress=True)

from io_scene_fbx import export_fbx_bin as exporter
animations_of = exporter.fbx_animations_do
def without_head(*args, **options):
    take = list(animations_of(*args, **options) or [])
    if take:
        take[1] = {key: curves for key, curves in take[1].items() if "Head" not in str(key)}
    return take
exporter.fbx_animations_do = without_head
for action in bpy.data.actions:
    for curve in [curve for curve in action.fcurves if '"Head"' in curve.data_path]:
        action.fcurves.remove(curve)
armature.pose.bones["Head"].rotation_quaternion = (0.96, 0.28, 0, 0)
bpy.ops.export_scene.fbx(filepath=folder + "/turned.fbx", add_leaf_bones=False, bake_anim_use_nla_strips=False,
                         bake_anim_use_all_actions=True, bake_anim_simplify_factor=0)
)";

struct Run {
  int exit = -1;
  std::string err;
};

/// Runs a shell command; the paths in it have no blanks.
Run run(const std::string& command) {
  const TempFolder folder;
  const std::string err = (folder / "err").string();
  const int status = std::system((command + " >/dev/null 2>" + err).c_str());
  const auto bytes = read_bytes(err);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, {bytes.begin(), bytes.end()}};
}

Run convert(const fs::path& from, const fs::path& to) {
  return run(std::string(kConverter) + " " + from.string() + " " + to.string());
}

bool skipped(int checks) {
  static const bool there = run("command -v blender").exit == 0;
  if (!there) std::cout << "skipped: " << checks << " checks (no blender)\n";
  return !there;
}

void put(const fs::path& path, const std::string& text) { write_bytes(path, {text.begin(), text.end()}); }

/// A folder with the artist's quadruped as .glb, .fbx and .blend, made once.
const TempFolder& made() {
  static const TempFolder folder;
  if (!fs::exists(folder / "turned.fbx")) {
    write_bytes(folder / "artist.glb", make_quadruped_files()[0].bytes);
    put(folder / "make.py", kMakeFiles);
    const Run blender = run("blender --background --factory-startup -noaudio --python-exit-code 1 --python " +
                            (folder / "make.py").string() + " -- " + folder.path().string());
    INFO(blender.err);
    REQUIRE(blender.exit == 0);
  }
  return folder;
}

/// For each point, the nearest of others; brute force.
std::vector<int> nearest(const Eigen::Matrix3Xd& points, const Eigen::Matrix3Xd& others) {
  std::vector<int> found(points.cols());
  for (Eigen::Index i = 0; i < points.cols(); ++i)
    (others.colwise() - points.col(i)).colwise().squaredNorm().minCoeff(&found[i]);
  return found;
}

const Clip& clip_named(const Scene& scene, const std::string& name) {
  for (const Clip& clip : scene.clips)
    if (clip.name == name) return clip;
  throw std::out_of_range(name);
}

/// The largest distance of two clips' surfaces at several times, on and between frames. `b_of_a`: whose
/// vertex each is compared with.
double largest_gap(const Scene& a, const Clip& clip_a, const Scene& b, const Clip& clip_b,
                   const std::vector<int>& b_of_a) {
  double largest = 0;
  for (const double share : {0.0, 0.11, 0.25, 0.5, 0.77, 1.0}) {
    const double time = share * clip_a.end;
    const Eigen::Matrix3Xd ours = surface_at(a, pose_at(a, clip_a, time));
    const Eigen::Matrix3Xd theirs = surface_at(b, pose_at(b, clip_b, time));
    for (std::size_t i = 0; i < b_of_a.size(); ++i)
      largest = std::max(largest, (ours.col(i) - theirs.col(b_of_a[i])).norm());
  }
  return largest;
}

/// Names, lengths, joints and the moving surface of a converted quadruped.
void check_quadruped(const fs::path& converted, const std::string& prefix) {
  const Scene original = read_scene(read_document(made() / "artist.glb"));
  const Scene scene = read_scene(read_document(converted));
  CHECK(scene.warnings == std::vector<std::string>{});
  REQUIRE(scene.skins.size() == 1);
  CHECK(scene.skins[0].joints.size() == original.skins[0].joints.size());
  CHECK(scene.triangles.cols() == original.triangles.cols());
  CHECK(scene.clips.size() == original.clips.size());
  const Surface rest = rest_surface(original), again = rest_surface(scene);
  const double tolerance = 1e-5 * bounding_diagonal(rest);
  const std::vector<int> original_of = nearest(again.positions, rest.positions);
  const std::vector<int> again_of = nearest(rest.positions, again.positions);
  for (Eigen::Index i = 0; i < rest.positions.cols(); ++i)
    CHECK((rest.positions.col(i) - again.positions.col(again_of[i])).norm() < tolerance);
  for (const Clip& clip : original.clips) {
    const Clip& found = clip_named(scene, prefix + clip.name);
    CHECK(found.end == Approx(clip.end).margin(1e-5));
    CHECK(largest_gap(scene, found, original, clip, original_of) < tolerance);
  }
}

}  // namespace

TEST_CASE("Without Blender the converter says so", "[fbx2glb]") {
  const TempFolder folder;
  const Run converter =
      run("PATH=/nowhere /bin/bash " + std::string(kConverter) + " a.fbx " + (folder / "b.glb").string());
  CHECK(converter.exit == 127);
  CHECK(converter.err == "fbx2glb: there is no Blender here; scripts/setup --blender installs it\n");
}

TEST_CASE("The converter refuses what it cannot do in one line and leaves nothing behind", "[fbx2glb]") {
  if (skipped(9)) return;
  const TempFolder folder;
  put(folder / "text.fbx", "; FBX 7.4.0 project file");
  put(folder / "none.fbx", "once upon a time");
  put(folder / "cut.fbx", std::string("Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", 27));
  const auto names = folder.names();
  const auto refused = [&](const std::string& from, const std::string& to, int code,
                           const std::string& word) {
    const Run converter = convert(folder / from, folder / to);
    INFO(converter.err);
    CHECK(converter.exit == code);
    CHECK_THAT(converter.err, Catch::StartsWith("fbx2glb: ") && Catch::Contains(word));
    CHECK(std::count(converter.err.begin(), converter.err.end(), '\n') == 1);
    CHECK(folder.names() == names);
  };
  refused("missing.fbx", "out.glb", 2, "missing.fbx");
  refused("text.fbx", "out.glb", 2, "text FBX");
  refused("none.fbx", "out.glb", 2, "neither");
  refused("cut.fbx", "out.glb", 2, "cut.fbx");
  refused("none.fbx", "out.gltf", 1, ".glb");
  refused("none.fbx", "none.fbx", 1, "none.fbx");
  refused("none.fbx", "nowhere/out.glb", 4, "nowhere/out.glb");
}

TEST_CASE("The quadruped survives the way through FBX", "[fbx2glb]") {
  if (skipped(1)) return;
  const TempFolder folder;
  const Run converter = convert(made() / "artist.fbx", folder / "out.glb");
  INFO(converter.err);
  REQUIRE(converter.exit == 0);
  CHECK(converter.err.empty());
  CHECK(folder.names() == std::vector<std::string>{"out.glb"});
  check_quadruped(folder / "out.glb", "Armature|");
}

TEST_CASE("A bone that no take moves stays as the FBX file poses it", "[fbx2glb]") {
  if (skipped(1)) return;
  const TempFolder folder;
  REQUIRE(convert(made() / "turned.fbx", folder / "out.glb").exit == 0);
  const Scene scene = read_scene(read_document(folder / "out.glb"));
  int tracks = 0;
  for (const Clip& clip : scene.clips)
    for (const Track& track : clip.tracks) {
      if (scene.nodes[track.node].name != "Head" || track.path != TrackPath::rotation) continue;
      const Eigen::Vector4d bind = scene.nodes[track.node].trs.rotation.coeffs();
      for (const auto& key : track.values.colwise())
        CHECK(std::abs(key.dot(bind)) == Approx(0.96).margin(1e-6));
      ++tracks;
    }
  CHECK(tracks == 2);
}

TEST_CASE("The quadruped survives the way through a Blender file", "[fbx2glb]") {
  if (skipped(1)) return;
  const TempFolder folder;
  put(folder / "out.glb", "an older file");
  const Run converter = convert(made() / "artist.blend", folder / "out.glb");
  INFO(converter.err);
  REQUIRE(converter.exit == 0);
  CHECK(converter.err.empty());
  check_quadruped(folder / "out.glb", "");
}

namespace {

/// What FBX2glTF does: the four largest weights alone.
void keep_four_influences(Scene& scene) {
  for (Part& part : scene.parts)
    for (int v = 0; v < part.vertices; ++v) {
      std::vector<double> sorted(part.weights.col(v).begin(), part.weights.col(v).end());
      std::sort(sorted.rbegin(), sorted.rend());
      if (sorted.size() <= 4) continue;
      for (int slot = 0; slot < part.influences; ++slot)
        if (part.weights(slot, v) <= sorted[4]) part.weights(slot, v) = 0;
      part.weights.col(v) /= part.weights.col(v).sum();
    }
}

/// Raw positions of all parts, which are those of the bind pose.
Eigen::Matrix3Xd bind_points(const Scene& scene) {
  Eigen::Matrix3Xd points(3, scene.vertices());
  for (const Part& part : scene.parts) points.middleCols(part.first_vertex, part.vertices) = part.positions;
  return points;
}

}  // namespace

TEST_CASE("A cow's FBX file gives the surface that FBX2glTF gives", "[fbx2glb]") {
  const char* given = std::getenv("PELT_CORPORA");
  const fs::path corpora = given ? given : PELT_SOURCE_DIR "/../shared/corpora";
  if (!fs::is_directory(corpora)) {
    std::cout << "skipped: 1 corpus checks (no corpora folder)\n";
    return;
  }
  if (skipped(1)) return;
  const TempFolder folder;
  REQUIRE(convert(corpora / "quaternius-farm-2018/fbx/Cow.fbx", folder / "cow.glb").exit == 0);
  Scene ours = read_scene(read_document(folder / "cow.glb"));
  const Scene theirs = read_scene(read_document(corpora / "quaternius-farm-2018/Cow.glb"));
  keep_four_influences(ours);
  Eigen::Matrix3d metres_y_up;
  metres_y_up << 100, 0, 0, 0, 0, 100, 0, -100, 0;
  const std::vector<int> theirs_of = nearest(bind_points(ours), metres_y_up * bind_points(theirs));
  REQUIRE(ours.clips.size() == theirs.clips.size());
  for (const Clip& clip : theirs.clips) {
    INFO(clip.name);
    const Clip& found = clip_named(ours, clip.name);
    CHECK(found.end == Approx(clip.end).margin(1e-5));
    CHECK(largest_gap(ours, found, theirs, clip, theirs_of) < 2e-6 * bounding_diagonal(rest_surface(theirs)));
  }
}
