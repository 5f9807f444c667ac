#include "io/thinning.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "chain_rig.h"
#include "data/quadruped_files.h"
#include "io/bake.h"
#include "io/gltf_reader.h"
#include "io/pose.h"
#include "tests/json_diff.h"
#include "tests/temp_folder.h"

using namespace pelt;
using nlohmann::ordered_json;
using test::TempFolder;

namespace {

constexpr double pi = 3.14159265358979323846;
const double kStripDiagonal = std::sqrt(2.0);

/// 2 seconds at 64 keys a second: the root goes along x at unit speed, the tip swings by half a radian.
SolvedClip swing(const Rig& rig, bool tip_swings = true) {
  SolvedClip clip{"Swing", true, {}, {}};
  for (int k = 0; k <= 128; ++k) {
    const double t = k / 64.0, angle = tip_swings ? 0.5 * std::sin(2 * pi * t) : 0;
    Pose pose = rest_pose(rig);
    pose[1].leftCols<3>() = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).matrix();
    pose[1].col(3) = Eigen::Vector3d(0, 1, 0) - pose[1].leftCols<3>() * Eigen::Vector3d(0, 1, 0);
    for (Motion& motion : pose) motion(0, 3) += t;
    clip.times.push_back(static_cast<float>(t));
    clip.poses.push_back(pose);
  }
  return clip;
}

/// The numbers of an accessor, as they lie in the file.
std::vector<float> raw(const Document& document, int accessor) {
  const ordered_json& a = document.json["accessors"][accessor];
  const ordered_json& view = document.json["bufferViews"][a["bufferView"].get<int>()];
  const std::map<std::string, int> rows{{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}};
  std::vector<float> values(a["count"].get<std::size_t>() * rows.at(a["type"]));
  std::memcpy(values.data(),
              document.bin.data() + view.value("byteOffset", 0) + a.value("byteOffset", std::size_t{0}),
              values.size() * sizeof(float));
  return values;
}

struct RawTrack {
  int input = -1;
  std::vector<float> times, values;
};

/// Tracks of an animation by node and path.
std::map<std::pair<int, std::string>, RawTrack> raw_tracks(const Document& document, int animation) {
  const ordered_json& a = document.json["animations"][animation];
  std::map<std::pair<int, std::string>, RawTrack> tracks;
  for (const ordered_json& channel : a["channels"]) {
    const ordered_json& sampler = a["samplers"][channel["sampler"].get<int>()];
    tracks[{channel["target"]["node"], channel["target"]["path"]}] = {
        sampler["input"], raw(document, sampler["input"]), raw(document, sampler["output"])};
  }
  return tracks;
}

/// Value of a row at a time between two keys, `of` each key's value.
double between(const RawTrack& track, double time, const std::function<double(int)>& of) {
  int k = 0;
  while (k + 2 < static_cast<int>(track.times.size()) && track.times[k + 1] <= time) ++k;
  const double f = (time - track.times[k]) / (track.times[k + 1] - track.times[k]);
  return (1 - f) * of(k) + f * of(k + 1);
}

/// The strip's corner that stands a unit from the tip, from the file's own numbers.
Eigen::Vector2d corner(const Document& document, int animation, double time) {
  const auto tracks = raw_tracks(document, animation);
  const RawTrack& way = tracks.at({0, "translation"});
  const RawTrack& turn = tracks.at({1, "rotation"});
  const double x = between(way, time, [&](int k) { return way.values[3 * k]; });
  const double angle = between(
      turn, time, [&](int k) { return 2 * std::atan2(turn.values[4 * k + 2], turn.values[4 * k + 3]); });
  return {x + std::cos(angle), 1 + std::sin(angle)};
}

/// A strip's clip before and after thinning.
struct Thinned {
  Document full, few;
  KeptKeys kept;
};

Thinned thin_strip(const test::GltfBuilder& builder, const SolvedClip& wanted, double tolerance) {
  Thinned result;
  const Document document = builder.document();
  const Scene scene = read_scene(document);
  const SceneRig rig = rig_of_scene(scene);
  SolvedClip clip = wanted;
  WriteOutcome outcome;
  result.full = test::reread(with_clips(document, scene, rig, {clip}, {}, outcome));
  const Scene written = read_scene(result.full);
  clip.kept = thin({written, written.clips[outcome.indices[0]]}, clip.times, {tolerance, kStripDiagonal, 1});
  result.kept = clip.kept;
  result.few = test::reread(with_clips(document, scene, rig, {clip}, {}, outcome));
  CHECK(test::forbidden_edits(document, result.few).empty());
  return result;
}

SceneRig strip_rig() { return rig_of_scene(read_scene(test::two_joint_strip().document())); }

test::GltfBuilder bare_strip() {
  test::GltfBuilder b = test::two_joint_strip();
  b.json.erase("animations");
  return b;
}

BakeOptions quadruped_bake(const TempFolder& folder) {
  for (const QuadrupedFile& file : make_quadruped_files()) test::write_bytes(folder / file.name, file.bytes);
  BakeOptions options;
  options.artist = folder / "quadruped-artist.glb";
  options.rig = folder / "quadruped-straight-legs.glb";
  options.output = folder / "out.glb";
  options.clips = {"Walk"};
  options.transfer.fps = 60;
  return options;
}

}  // namespace

TEST_CASE("A linear track keeps two keys and a sine as many as the surface needs") {
  for (const double tolerance : {0.1, 0.3, 1.0}) {
    INFO(tolerance);
    const Thinned strip = thin_strip(bare_strip(), swing(strip_rig().rig), tolerance);
    const auto tracks = raw_tracks(strip.few, 0);
    REQUIRE(tracks.size() == 2);
    CHECK(tracks.at({0, "translation"}).times == std::vector<float>{0, 2});
    CHECK(tracks.at({1, "rotation"}).times.front() == 0);
    CHECK(tracks.at({1, "rotation"}).times.back() == 2);
    double worst = 0;
    for (int quarter = 0; quarter <= 4 * 128; ++quarter) {
      const double time = quarter / 256.0;
      worst = std::max(worst, (corner(strip.full, 0, time) - corner(strip.few, 0, time)).norm());
    }
    CHECK(100 * worst / kStripDiagonal <= tolerance * (1 + 1e-6));
    CHECK(100 * worst / kStripDiagonal > tolerance / 4);  // as few keys as that allows, in whole steps
    // a chord over h seconds misses the angle by at most 0.5 (2 pi h)^2 / 8; runs of whole keys
    const double run =
        std::floor(64 * std::sqrt(8 * (tolerance / 2 / 100 * kStripDiagonal) / 0.5) / (2 * pi));
    if (run >= 1) CHECK(static_cast<double>(tracks.at({1, "rotation"}).times.size()) <= 2 + 128 / run);
  }
}

TEST_CASE("What another clip moves is held by two keys and tracks of equal times share them") {
  const Thinned strip = thin_strip(test::two_joint_strip(), swing(strip_rig().rig, false), 0.01);
  const auto tracks = raw_tracks(strip.few, 1);
  REQUIRE(tracks.size() == 2);
  for (const auto& [target, track] : tracks) {
    CHECK(track.times == std::vector<float>{0, 2});
    CHECK(track.input == tracks.begin()->second.input);
  }
  CHECK(strip.few.json["accessors"].size() == strip.full.json["accessors"].size());
  CHECK(strip.few.bin.size() + (127 * (1 + 3 + 4)) * sizeof(float) == strip.full.bin.size());
}

TEST_CASE("Keys stay where times of their own would cost more") {
  SolvedClip still = swing(strip_rig().rig);
  still.times.resize(6);
  still.poses.resize(6);  // a tenth of a second, nearly straight: six rotations are 96 bytes
  const Thinned strip = thin_strip(bare_strip(), still, 10);
  CHECK(strip.kept.empty());
  CHECK(serialise(strip.few) == serialise(strip.full));
}

TEST_CASE("A turn by more than half a circle goes the same way with few keys") {
  SolvedClip turn = swing(strip_rig().rig);
  for (int k = 0; k <= 128; ++k) {  // 200 degrees in all
    Motion& tip = turn.poses[k][1];
    tip.leftCols<3>() = Eigen::AngleAxisd(200 * pi / 180 * k / 128, Eigen::Vector3d::UnitZ()).matrix();
    tip.col(3) = Eigen::Vector3d(0, 1, 0) - tip.leftCols<3>() * Eigen::Vector3d(0, 1, 0);
    turn.poses[k][0] = rest_pose(strip_rig().rig)[0];
  }
  const Thinned strip = thin_strip(bare_strip(), turn, 1000);  // any place would do
  const RawTrack track = raw_tracks(strip.few, 0).at({1, "rotation"});
  CHECK(track.times.size() == 3);
  const Scene scene = read_scene(strip.few);
  for (const double time : {0.25, 0.5, 1.0, 1.5}) {
    const double angle = 100 * pi / 180 * time;
    const Eigen::Vector3d tip = surface_at(scene, pose_at(scene, scene.clips[0], time)).col(2);
    CHECK((tip - Eigen::Vector3d(std::cos(angle), 1 + std::sin(angle), 0)).norm() < 1e-5);
  }
}

TEST_CASE("Keys and bytes are counted over tracks and shared times once") {
  const Thinned strip = thin_strip(bare_strip(), swing(strip_rig().rig), 0.1);
  const Clip clip = read_scene(strip.full).clips[0];
  const Thinning count = count_keys(clip, strip.kept);
  const std::size_t turns = strip.kept.at({1, TrackPath::rotation}).size();
  CHECK(count.keys_before == 2 * 129);
  CHECK(count.keys_after == 2 + turns);
  CHECK(count.bytes_before == 129 * (1 + 3 + 4) * sizeof(float));
  CHECK(count.bytes_after == (2 * (1 + 3) + turns * (1 + 4)) * sizeof(float));
  CHECK(strip.full.bin.size() - strip.few.bin.size() == count.bytes_before - count.bytes_after);
}

TEST_CASE("A thinned bake stays within its tolerance and every figure is that of its file") {
  TempFolder folder;
  BakeOptions options = quadruped_bake(folder);
  const BakeResult all = bake(options);
  const Scene full = read_scene(read_document(options.output));
  options.output = folder / "few.glb";
  options.transfer.key_tolerance = 0.1;
  const BakeResult thinned = bake(options);
  const Document document = read_document(options.output);
  const Scene few = read_scene(document);
  const ClipTransfer& clip = thinned.clips[0];
  REQUIRE(clip.thinning);
  CHECK_FALSE(all.clips[0].thinning);
  CHECK(test::forbidden_edits(read_document(options.rig), document).empty());
  double worst = 0;
  for (std::size_t k = 0; k + 1 < clip.times.size(); ++k)
    for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const double time = clip.times[k] + part * (double{clip.times[k + 1]} - clip.times[k]);
      worst = std::max(worst, (surface_at(full, pose_at(full, full.clips[0], time)) -
                               surface_at(few, pose_at(few, few.clips[0], time)))
                                  .colwise()
                                  .norm()
                                  .maxCoeff());
    }
  CHECK(100 * worst / thinned.diag <= 0.1);
  CHECK(clip.thinning->deviation == Approx(100 * worst / thinned.diag));
  std::size_t keys = 0;
  for (const Track& track : few.clips[0].tracks) {
    keys += track.times.size();
    CHECK(track.times.front() == 0);
    CHECK(track.times.back() == full.clips[0].end);
    CHECK(std::abs(track.values.col(0).dot(track.values.rightCols<1>().col(0))) ==
          Approx(track.values.col(0).squaredNorm()));  // Walk loops
  }
  CHECK(keys == clip.thinning->keys_after);
  CHECK(clip.thinning->keys_before == clip.times.size() * full.clips[0].tracks.size());
  CHECK(3 * keys < 2 * clip.thinning->keys_before);
  CHECK(thinned.bytes_before == std::filesystem::file_size(folder / "out.glb"));
  CHECK(thinned.bytes_after == std::filesystem::file_size(options.output));
  CHECK(thinned.bytes_after < thinned.bytes_before);
  const Scene artist = read_scene(read_document(options.artist));
  const Motive motive{&artist, &thinned.matching.correspondence};
  Measure again(measure_settings(motive, open_rig_file(options.rig), thinned.diag, Weighting::area),
                static_cast<int>(clip.times.size()));
  for (std::size_t k = 0; k < clip.times.size(); ++k)
    again.add(static_cast<int>(k), targets_at(motive, artist.clips[0], clip.times[k]),
              surface_at(few, pose_at(few, few.clips[0], clip.times[k])));
  CHECK(again.figures().rms == clip.keys.rms);
  CHECK(again.figures().quality == clip.keys.quality);
}

TEST_CASE("A thinned bake is the same bytes for any number of threads and the control keeps its keys") {
  TempFolder folder;
  BakeOptions options = quadruped_bake(folder);
  options.transfer.fps.reset();
  options.transfer.key_tolerance = 0.5;
  options.transfer.solve.threads = 1;
  const BakeResult result = bake(options);
  const auto one = test::read_bytes(options.output);
  CHECK_FALSE(result.control->clips[0].thinning);
  options.transfer.solve.threads = 4;
  bake(options);
  CHECK(test::read_bytes(options.output) == one);
}

TEST_CASE("Without a tolerance a clip has one set of times for all its tracks") {
  TempFolder folder;
  BakeOptions options = quadruped_bake(folder);
  bake(options);
  std::set<int> inputs;
  const auto tracks = raw_tracks(read_document(options.output), 0);
  for (const auto& [target, track] : tracks) inputs.insert(track.input);
  CHECK(tracks.size() > 10);
  CHECK(inputs.size() == 1);
}
