#include "io/bake.h"

#include <Eigen/LU>
#include <catch2/catch.hpp>

#include "data/quadruped_files.h"
#include "io/clip_choice.h"
#include "io/gltf_reader.h"
#include "io/io_error.h"
#include "io/pose.h"
#include "tests/gltf_builder.h"
#include "tests/temp_folder.h"

using namespace pelt;
using test::TempFolder;

namespace {

/// The quadruped's files in a folder.
struct Quadrupeds {
  TempFolder folder;
  Quadrupeds() {
    for (const QuadrupedFile& file : make_quadruped_files())
      test::write_bytes(folder / file.name, file.bytes);
  }
  std::filesystem::path operator()(const std::string& name) const {
    return folder / ("quadruped-" + name + ".glb");
  }
};

const Quadrupeds& quadrupeds() {
  static const Quadrupeds files;
  return files;
}

BakeOptions onto(const std::string& rig, const TempFolder& folder) {
  BakeOptions options;
  options.artist = quadrupeds()("artist");
  options.rig = quadrupeds()(rig);
  options.output = folder / "out.glb";
  return options;
}

double quality(const BakeResult& result, const std::string& clip) {
  for (const ClipTransfer& c : result.clips)
    if (c.name == clip) return c.keys.quality.value();
  FAIL("no clip " << clip);
  return 0;
}

}  // namespace

TEST_CASE("Every rig of the quadruped is baked and straight clean legs beat bent scattered ones") {
  TempFolder folder;
  const BakeResult straight = bake(onto("straight-legs", folder)),
                   scattered = bake(onto("scattered", folder)), blurred = bake(onto("blurred", folder));
  for (const std::string clip : {"Walk", "Gallop"}) {
    CHECK(quality(straight, clip) > quality(scattered, clip) + 1);
    CHECK(quality(blurred, clip) < 100);
    CHECK(quality(blurred, clip) > 50);
  }
  for (const BakeResult* result : {&straight, &scattered, &blurred}) {
    CHECK(result->control->passed);
    for (const ClipTransfer& clip : result->clips) {
      CHECK(clip.keys.rms >= clip.floor.rms);
      for (const FrameResult& frame : clip.frames) CHECK(frame.converged);
    }
  }
}

TEST_CASE(
    "KhronosGroup/glTF-Blender-IO #2633, #1185, #386, mrdoob/three.js #28133: Rigs with the artist's own "
    "weights carry everything whatever their files look like") {
  TempFolder folder;
  for (const std::string rig : {"posed-rest", "resplit"}) {
    const BakeResult result = bake(onto(rig, folder));
    for (const ClipTransfer& clip : result.clips) {
      INFO(rig << " " << clip.name);
      CHECK(clip.keys.mean < 1e-4);
      CHECK(*clip.keys.quality > 99.99);
    }
    CHECK(result.matching.rig_in_bind == (rig == "posed-rest"));
  }
}

TEST_CASE("The matching pose can be chosen") {
  TempFolder folder;
  BakeOptions options = onto("posed-rest", folder);
  options.match = MatchPose::bind;
  const BakeResult bind = bake(options);
  CHECK(bind.matching.artist_in_bind);
  CHECK(bind.matching.rig_in_bind);
  CHECK(quality(bind, "Walk") > 99.99);
  options.match = MatchPose::rest;  // the legs and the neck do not lie on the artist's
  CHECK_THROWS_AS(bake(options), NoCorrespondence);
}

TEST_CASE("A clip of the artist's that loops loops when it is baked") {
  TempFolder folder;
  const BakeOptions options = onto("scattered", folder);
  bake(options);
  for (const Clip& clip : read_scene(read_document(options.output)).clips)
    for (const Track& track : clip.tracks) {
      const Eigen::VectorXd first = track.values.col(0), last = track.values.col(track.values.cols() - 1);
      const double off = (first - last).norm(),
                   turned = track.path == TrackPath::rotation ? (first + last).norm() : off;
      CHECK(std::min(off, turned) == 0);  // a quaternion and its negative are one rotation
    }
}

TEST_CASE("Figures come from the file that was written") {
  TempFolder folder;
  const BakeOptions options = onto("straight-legs", folder);
  const BakeResult result = bake(options);
  const Scene artist = read_scene(read_document(options.artist)),
              written = read_scene(read_document(options.output));
  REQUIRE(written.clips.size() == 2);
  for (std::size_t c = 0; c < 2; ++c) {
    CHECK(written.clips[c].name == artist.clips[c].name);
    CHECK(written.clips[c].end == artist.clips[c].end);
    const ClipTransfer& clip = result.clips[c];
    const MeasureSettings settings = measure_settings(
        {&artist, &result.matching.correspondence}, open_rig_file(options.rig), result.diag, Weighting::area);
    Measure again(settings, static_cast<int>(clip.sampled.size()));
    for (std::size_t f = 0; f < clip.sampled.size(); ++f) {
      const double time = clip.times[clip.sampled[f]];
      again.add(static_cast<int>(f),
                targets_at({&artist, &result.matching.correspondence}, artist.clips[c], time),
                surface_at(written, pose_at(written, written.clips[c], time)));
    }
    CHECK(again.figures().rms == clip.keys.rms);
    CHECK(again.figures().quality == clip.keys.quality);
  }
}

TEST_CASE("A bake is the same bytes for any number of threads") {
  TempFolder folder;
  BakeOptions options = onto("blurred", folder);
  options.transfer.solve.threads = 1;
  bake(options);
  const auto one = test::read_bytes(options.output);
  options.output = folder / "more.glb";
  options.transfer.solve.threads = 4;
  bake(options);
  CHECK(test::read_bytes(options.output) == one);
}

TEST_CASE("Regular sampling keeps to its grid") {
  TempFolder folder;
  BakeOptions options = onto("straight-legs", folder);
  options.transfer.fps = 10;
  options.clips = {"Walk"};
  const BakeResult result = bake(options);
  REQUIRE(result.clips.size() == 1);
  CHECK(result.clips[0].times.size() == 11);
  CHECK(result.clips[0].keys_added == 0);
}

TEST_CASE(
    "Keys are added where players would stray between the artist's and figures stay those of the artist's "
    "keys") {
  TempFolder folder;
  // a clip of three keys: a quarter turn of the whole leg between two of them bends the players' path
  Document sparse = read_document(quadrupeds()("artist"));
  BakeOptions options = onto("straight-legs", folder);
  options.artist = folder / "sparse.glb";
  Scene scene = read_scene(sparse);
  SceneRig rig = rig_of_scene(scene);
  SolvedClip swing{"Swing", true, {0, 0.5f, 1}, {}};
  for (const float t : swing.times) {
    const ScenePose pose = pose_at(scene, scene.clips[1], 0.25 * t);
    Pose motions;
    for (int j = 0; j < rig.rig.joints(); ++j)
      motions.push_back(
          (pose.model_from_node[rig.node_of_joint[j]] * rig.rig.model_from_joint[j].inverse()).topRows<3>());
    swing.poses.push_back(motions);
  }
  WriteOutcome outcome;
  save(with_clips(sparse, scene, rig, {swing}, {.drop_existing_clips = true}, outcome), options.artist);
  const auto at_tolerance = [&](double tolerance) {
    options.output = folder / ("out" + std::to_string(tolerance) + ".glb");
    options.transfer.between_tolerance = tolerance;
    return bake(options).clips[0];
  };
  const ClipTransfer coarse = at_tolerance(1e9), fine = at_tolerance(1e-3);
  CHECK(coarse.times == swing.times);
  CHECK(fine.keys_added > 0);
  CHECK(fine.times.size() == 3 + static_cast<std::size_t>(fine.keys_added));
  CHECK(fine.sampled.size() == 3);
  CHECK(fine.keys.frames.size() == 3);
  CHECK(fine.between.frames.size() == 6);
  CHECK(fine.between.rms < coarse.between.rms);
  CHECK(*fine.keys.quality == Approx(*coarse.keys.quality).margin(0.05));
}

TEST_CASE("A second bake adds and replaces clips as asked") {
  TempFolder folder;
  BakeOptions options = onto("straight-legs", folder);
  bake(options);
  options.rig = options.output;
  options.output = folder / "again.glb";
  options.clips = {"Walk"};
  const BakeResult added = bake(options);
  CHECK(added.clips[0].written_name != "Walk");
  CHECK_FALSE(added.warnings.empty());
  CHECK(read_scene(read_document(options.output)).clips.size() == 3);
  options.transfer.write.replace = true;
  options.output = folder / "replaced.glb";
  const BakeResult replaced = bake(options);
  CHECK(replaced.clips[0].written_name == "Walk");
  CHECK(replaced.clips[0].keys.rms ==
        added.clips[0].keys.rms);  // the one that was measured is the one that was written
  CHECK(read_scene(read_document(options.output)).clips.size() == 2);
}

TEST_CASE("A rig with its data in an external file is baked into a .gltf beside a file of its own") {
  TempFolder folder;
  BakeOptions options = onto("straight-legs", folder);
  save(read_document(options.rig), folder / "rig.gltf");
  REQUIRE(folder.names() == std::vector<std::string>{"rig.gltf", "rig.pelt.bin"});
  const double expected = quality(bake(options), "Walk");
  options.rig = folder / "rig.gltf";
  options.output = folder / "baked.gltf";
  CHECK(quality(bake(options), "Walk") == Approx(expected).epsilon(1e-12));
  const Scene written = read_scene(read_document(options.output));
  CHECK(written.clips.size() == 2);
}

TEST_CASE(
    "iimachines/Maya2glTF #93, Wildenhaus/Index #20: a joint without weights is kept and follows its "
    "parent") {
  TempFolder folder;
  test::GltfBuilder b = test::two_joint_strip();
  const int ear = b.add_node("ear", 1, {{"translation", {0, 1, 0}}, {"rotation", {0.6, 0, 0, 0.8}}});
  b.json["skins"][0].erase("inverseBindMatrices");
  b.json["skins"][0]["joints"].push_back(ear);
  b.json["nodes"][1]["translation"] = {0, 0, 0};
  test::write_bytes(folder / "in.glb", b.glb());
  ControlOptions options;
  options.artist = folder / "in.glb", options.output = folder / "out.glb";
  CHECK(control(options).control.passed);
  const Scene written = read_scene(read_document(options.output));
  CHECK(written.skins[0].joints == std::vector<int>{0, 1, ear});
  const ScenePose rest = rest_pose(written), end = pose_at(written, written.clips.at(0), 1);
  CHECK((end.model_from_node[1] - rest.model_from_node[1]).norm() > 1);
  const auto ear_in_tip = [&](const ScenePose& pose) {
    return Eigen::Matrix4d(pose.model_from_node[1].inverse() * pose.model_from_node[ear]);
  };
  CHECK((ear_in_tip(end) - ear_in_tip(rest)).norm() < 1e-6);
}

TEST_CASE("Two clips of one name are both baked and the second is told") {
  TempFolder folder;
  test::GltfBuilder b = test::two_joint_strip();
  b.json["animations"].push_back(nlohmann::ordered_json(b.json["animations"][0]));
  b.json["animations"].push_back(nlohmann::ordered_json(b.json["animations"][0]));
  b.json["animations"][2].erase("name");
  test::write_bytes(folder / "artist.glb", b.glb());
  b.json.erase("animations");
  test::write_bytes(folder / "rig.glb", b.glb());
  BakeOptions options;
  options.artist = folder / "artist.glb", options.rig = folder / "rig.glb",
  options.output = folder / "out.glb";
  const BakeResult result = bake(options);
  const Scene written = read_scene(read_document(options.output));
  REQUIRE(written.clips.size() == 3);
  CHECK(written.clips[0].name == "Bend");
  CHECK(written.clips[1].name == "Bend (pelt)");
  CHECK_FALSE(written.clips[2].has_name);
  REQUIRE(result.warnings.size() == 1);
  CHECK_THAT(result.warnings[0], Catch::Contains("'Bend (pelt)'"));
  options.clips = {"Bend"};
  CHECK_THROWS_AS(bake(options), NoSuchClip);
  options.clips = {"#1", "#2"};
  CHECK(bake(options).clips.size() == 2);
}

TEST_CASE("The artist's buffer is not written over by the rig's new one") {
  TempFolder folder;
  BakeOptions options = onto("straight-legs", folder);
  save(read_document(options.artist), folder / "out.gltf");
  save(read_document(options.rig), folder / "rig.gltf");
  std::filesystem::rename(folder / "out.gltf", folder / "artist.gltf");  // its data are in out.pelt.bin
  options.artist = folder / "artist.gltf", options.rig = folder / "rig.gltf";
  options.output = folder / "out.gltf";
  const auto data = test::read_bytes(folder / "out.pelt.bin");
  bake(options);
  CHECK(test::read_bytes(folder / "out.pelt.bin") == data);
  CHECK(read_scene(read_document(options.output)).clips.size() == 2);
}

TEST_CASE("The control's file holds the solved clips alone under the artist's names") {
  TempFolder folder;
  ControlOptions options;
  options.artist = quadrupeds()("artist");
  options.output = folder / "control.glb";
  options.clips = {"Gallop"};
  const ControlResult result = control(options);
  CHECK(result.control.passed);
  const Scene written = read_scene(read_document(options.output));
  REQUIRE(written.clips.size() == 1);
  CHECK(written.clips[0].name == "Gallop");
}

TEST_CASE("Bad requests are refused and leave nothing behind") {
  TempFolder folder;
  const auto refuse = [&](auto&& spoil) {
    BakeOptions options = onto("straight-legs", folder);
    spoil(options);
    return options;
  };
  CHECK_THROWS_AS(bake(refuse([](BakeOptions& o) { o.output = o.rig; })), UsageError);
  CHECK_THROWS_AS(
      bake(refuse([](BakeOptions& o) { o.output = o.artist.parent_path() / "." / o.artist.filename(); })),
      UsageError);
  CHECK_THROWS_AS(bake(refuse([](BakeOptions& o) { o.output = "out.fbx"; })), UsageError);
  CHECK_THROWS_AS(bake(refuse([&](BakeOptions& o) { o.output = folder / "no-such-folder" / "out.glb"; })),
                  WriteError);
  CHECK_THROWS_AS(bake(refuse([](BakeOptions& o) { o.artist = o.rig; })), ReadError);  // no clip
  CHECK_THROWS_AS(bake(refuse([](BakeOptions& o) { o.artist = "missing.glb"; })), ReadError);
  CHECK(folder.names().empty());
}

TEST_CASE("Another animal is refused with the figures unless forced") {
  TempFolder folder;
  // the same quadruped, half as tall again
  Document large = read_document(quadrupeds()("straight-legs"));
  for (auto& root : large.json["scenes"][0]["nodes"]) {
    auto& node = large.json["nodes"][root.get<int>()];
    if (!node.contains("mesh")) node["scale"] = {1, 1.5, 1};
  }
  test::write_bytes(folder / "large.glb", serialise(large));
  BakeOptions options = onto("straight-legs", folder);
  options.rig = folder / "large.glb";
  options.match = MatchPose::rest;  // its bind pose is that of the other rig
  CHECK_THROWS_WITH(bake(options), Catch::Contains("two-sided gap") && Catch::Contains("%"));
  CHECK(folder.names() == std::vector<std::string>{"large.glb"});
  options.force = true;
  CHECK_NOTHROW(bake(options));
}

TEST_CASE("A part that only the rig has is told and left out of solve and measure") {
  TempFolder folder;
  // a small triangle a quarter of a metre above the back, held by a joint that no other vertex depends on
  // alone
  Document saddled = read_document(quadrupeds()("straight-legs"));
  test::GltfBuilder saddle;
  saddle.json = saddled.json;
  saddle.bin = saddled.bin;
  Eigen::MatrixXd corners(3, 3);
  corners << 0, 0.01, 0, 1.4, 1.4, 1.4, 0, 0, 0.01;
  const int mesh = saddle.add_mesh({{"POSITION", saddle.add_accessor(corners)}}, {0, 1, 2});
  saddle.add_node("saddle", -1, {{"mesh", mesh}});
  saddle.json["buffers"][0]["byteLength"] = saddle.bin.size();
  saddled.json = saddle.json;
  saddled.bin = saddle.bin;
  test::write_bytes(folder / "saddled.glb", serialise(saddled));
  BakeOptions options = onto("straight-legs", folder);
  const BakeResult plain = bake(options);
  options.rig = folder / "saddled.glb";
  const BakeResult result = bake(options);
  REQUIRE(result.warnings.size() == 1);
  CHECK_THAT(result.warnings[0], Catch::Contains("3 of 3965 vertices have no counterpart"));
  CHECK(quality(result, "Walk") == Approx(quality(plain, "Walk")).epsilon(1e-9));
}

TEST_CASE("Warnings are errors when asked") {
  TempFolder folder;
  Document odd = read_document(quadrupeds()("straight-legs"));
  odd.json["nodes"][0]["rotation"] = {0, 0, 0, 1.5};
  test::write_bytes(folder / "odd.glb", serialise(odd));
  BakeOptions options = onto("straight-legs", folder);
  options.rig = folder / "odd.glb";
  CHECK_FALSE(bake(options).warnings.empty());
  options.strict = true;
  options.output = folder / "strict.glb";
  CHECK_THROWS_AS(bake(options), ReadError);
}
