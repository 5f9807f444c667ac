// Baking vertex animations: what an artist's rig does, sampled into points, must be found again.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>

#include "data/quadruped_files.h"
#include "io/bake.h"
#include "io/gltf_reader.h"
#include "io/io_error.h"
#include "io/key_times.h"
#include "io/pose.h"
#include "tests/fixtures.h"
#include "tests/gltf_builder.h"
#include "tests/io/point_files.h"
#include "tests/io/reading.h"

using namespace pelt;

namespace {

/// The quadruped, and its Walk at 24 frames a second as an OBJ mesh with MDD, PC2 and OBJ files.
struct Sampled {
  test::TempFolder folder;
  Scene artist;

  Sampled() {
    for (const QuadrupedFile& file : make_quadruped_files())
      test::write_bytes(folder / file.name, file.bytes);
    artist = read_scene(read_document(folder / "quadruped-artist.glb"));
    const Clip& walk = artist.clips.at(0);
    const Surface rest = rest_surface(artist);
    test::write_bytes(folder / "rest.obj", test::obj_of(rest.positions, rest.triangles));
    test::Frames frames;
    std::vector<double> times;
    for (const float time : regular_times(walk, 24)) {
      times.push_back(time);
      frames.push_back(surface_at(artist, pose_at(artist, walk, time)));
      test::write_bytes(folder / ("Walk" + std::to_string(frames.size()) + ".obj"),
                        test::obj_of(frames.back(), rest.triangles));
    }
    test::write_bytes(folder / "Walk.mdd", test::mdd_of(frames, times));
    for (Eigen::Matrix3Xd& frame : frames) frame = test::z_up(frame);
    test::write_bytes(folder / "Walk.pc2", test::pc2_of(frames, 1, 1));
  }
};

const Sampled& sampled() {
  static const Sampled files;
  return files;
}

/// The clip "Walk" baked onto the quadruped's rig, from its points where a file of them is named.
BakeResult bake_walk(const std::string& points, const std::string& rig) {
  const test::TempFolder out;
  BakeOptions options;
  options.artist = sampled().folder / (points.empty() ? "quadruped-artist.glb" : "rest.obj");
  options.rig = sampled().folder / ("quadruped-" + rig + ".glb");
  options.output = out / "out.glb";
  options.clips = {"Walk"};
  if (points.empty()) options.transfer.fps = 24;
  if (!points.empty()) options.points.files = {sampled().folder / points};
  return bake(options);
}

}  // namespace

TEST_CASE("A rig's own motion sampled into points is found again to the precision of floats") {
  REQUIRE(sampled().artist.clips.at(0).name == "Walk");
  for (const std::string points : {"Walk.mdd", "Walk.pc2", "Walk1.obj"}) {
    INFO(points);
    const BakeResult result = bake_walk(points, "artist");
    const ClipTransfer& clip = result.clips.at(0);
    CHECK(clip.times == regular_times(sampled().artist.clips[0], 24));
    CHECK(clip.keys_added == 0);
    CHECK(clip.keys.mean < 2e-5);
    CHECK(clip.keys.worst < 3e-4);
    CHECK_FALSE(result.control);
    CHECK(result.no_control == "the artist's surface is moved by no joints");
    REQUIRE(result.points.size() == 1);
    CHECK(result.points[0].z_up == (points == "Walk.pc2"));
  }
}

TEST_CASE("Points fare on another rig as the clip they were sampled from") {
  const BakeResult from_clip = bake_walk("", "straight-legs"),
                   from_points = bake_walk("Walk.mdd", "straight-legs");
  CHECK(from_clip.control.value().passed);
  CHECK(*from_points.clips.at(0).keys.quality == Approx(*from_clip.clips.at(0).keys.quality).margin(1e-3));
  CHECK(from_points.diag == Approx(from_clip.diag).epsilon(1e-12));
}

TEST_CASE("Point clips take the place of the artist's own, whose joints they do not follow") {
  const test::TempFolder out;
  BakeOptions options;
  options.artist = options.rig = sampled().folder / "quadruped-artist.glb";
  options.output = out / "out.glb";
  options.points.files = {sampled().folder / "Walk.mdd"};
  options.transfer.write.replace = true;
  const BakeResult result = bake(options);
  REQUIRE(result.clips.size() == 1);
  CHECK(result.clips[0].keys.mean < 2e-5);
  CHECK_FALSE(result.control);
  CHECK(result.no_control == "the clips are point caches, which the artist's joints do not move");
}

TEST_CASE("A morph that moves an unskinned mesh is found as motion of the rig's joints") {
  const test::TempFolder folder;
  const test::GltfBuilder rig = test::two_joint_strip();
  const Scene scene = test::read(rig);
  const Part& strip = scene.parts.at(0);
  const Eigen::Vector3d shift(0.3, -0.2, 0.5);
  test::GltfBuilder artist;
  const std::vector<int> corners(scene.triangles.data(), scene.triangles.data() + scene.triangles.size());
  const int mesh = artist.add_mesh({{"POSITION", artist.add_accessor(strip.positions)}}, corners);
  artist.primitive(mesh)["targets"] = {
      {{"POSITION", artist.add_accessor(shift.replicate(1, strip.vertices))}}};
  artist.add_node("strip", -1, {{"mesh", mesh}});
  artist.add_channel(artist.add_animation("Shift"), 0, "weights", {0, 1}, Eigen::RowVector2d(0, 1));
  test::write_bytes(folder / "artist.glb", artist.glb());
  test::write_bytes(folder / "rig.glb", rig.glb());
  BakeOptions options;
  options.artist = folder / "artist.glb", options.rig = folder / "rig.glb",
  options.output = folder / "out.glb";
  const BakeResult result = bake(options);
  CHECK_FALSE(result.control);
  CHECK(result.clips.at(0).keys.worst < 1e-5);
  const Scene baked = read_scene(read_document(options.output));
  const Clip& clip = baked.clips.at(1);
  CHECK(clip.name == "Shift");
  for (const double time : {0.0, 0.25, 0.5, 1.0}) {
    const Eigen::Matrix3Xd wanted = rest_surface(baked).positions.colwise() + time * shift;
    CHECK(test::largest_distance(surface_at(baked, pose_at(baked, clip, time)), wanted) < 1e-6);
  }
}

TEST_CASE("A point cache that loses its bytes while it is baked is told, out of parallel loops too") {
  const test::TempFolder folder;
  const RigFile rig = make_rig_file(test::two_joint_strip().document());
  const Part& strip = rig.scene.parts.at(0);
  test::write_bytes(folder / "strip.obj", test::obj_of(strip.positions, rig.scene.triangles));
  test::write_bytes(folder / "a.mdd", test::mdd_of({strip.positions, strip.positions}, {0, 1}));
  const RigFile artist = open_artist(folder / "strip.obj", {.files = {folder / "a.mdd"}});
  TransferSettings settings;
  settings.solve.threads = 2;
  const auto run = [&] { return transfer({&artist.scene, nullptr}, {0}, rig, 1, settings); };
  CHECK(run().clips.size() == 1);
  std::filesystem::resize_file(folder / "a.mdd", 80);
  CHECK_THROWS_AS(run(), ReadError);
}

TEST_CASE("An artist without a skin whose node moves has a control") {
  const test::TempFolder folder;
  test::GltfBuilder artist = test::two_joint_strip();
  artist.json.erase("skins");
  artist.json["nodes"][2].erase("skin");
  artist.json["animations"][0]["channels"][0]["target"]["node"] = 2;
  test::write_bytes(folder / "artist.glb", artist.glb());
  test::write_bytes(folder / "rig.glb", test::two_joint_strip().glb());
  BakeOptions options;
  options.artist = folder / "artist.glb", options.rig = folder / "rig.glb",
  options.output = folder / "out.glb";
  const BakeResult result = bake(options);
  CHECK(result.no_control.empty());
  CHECK(result.control.value().passed);
  CHECK(result.clips.at(0).keys.worst < 1e-4);
}

TEST_CASE("Artists that do not move, or have no surface, are refused") {
  const test::TempFolder folder;
  test::write_bytes(folder / "flat.obj",
                    test::obj_of(Eigen::Matrix3Xd::Zero(3, 3), Eigen::Vector3i(0, 1, 2)));
  test::write_bytes(folder / "flat.mdd", test::mdd_of({Eigen::Matrix3Xd::Zero(3, 3)}, {0}));
  test::write_bytes(folder / "still.glb", test::square_file().glb());
  CHECK_THROWS_AS(open_artist(folder / "flat.obj", {}), UsageError);
  CHECK_THROWS_AS(open_artist(folder / "flat.obj", {.files = {folder / "flat.mdd"}}), ReadError);
  CHECK_THROWS_AS(open_artist(folder / "still.glb", {}), ReadError);
}

TEST_CASE("Morphing artists and OBJ sequences of the corpora are read") {
  const char* set = std::getenv("PELT_CORPORA");
  const std::filesystem::path corpora = set ? set : PELT_SOURCE_DIR "/../shared/corpora";
  if (!std::filesystem::exists(corpora)) {
    std::cout << "skipped: 3 corpus checks (no corpora folder)\n";
    return;
  }
  for (const std::string name : {"AnimatedMorphCube/AnimatedMorphCube.gltf", "MorphStressTest.gltf"})
    CHECK(why_no_control(open_artist(corpora / "khronos-samples" / name, {})) ==
          "the artist's surface is moved by no joints");
  const std::filesystem::path cow = corpora / "hyperspectral-inverse-skinning" / "cow";
  const RigFile artist = open_artist(cow / "cow_rest.obj", {.files = {cow / "cow-1.obj"}});
  CHECK(artist.scene.vertices() == 11666);  // as its authors' weights have
  CHECK(key_times(artist.scene.clips.at(0)).size() == 7);
}
