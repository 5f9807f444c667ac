#include "io/key_times.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "io/clip_choice.h"
#include "io/io_error.h"

using namespace pelt;

namespace {

Track track(Interpolation interpolation, std::vector<float> times, std::vector<double> values) {
  Track t;
  t.interpolation = interpolation;
  t.times = std::move(times);
  t.values = Eigen::Map<Eigen::RowVectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  return t;
}

Clip clip(std::vector<Track> tracks) {
  Clip c;
  for (const Track& t : tracks) c.end = std::max(c.end, t.times.back());
  c.tracks = std::move(tracks);
  return c;
}

}  // namespace

TEST_CASE("KhronosGroup/glTF-Blender-IO #387: Key times are the union of all tracks and start at 0") {
  const Clip c = clip({track(Interpolation::linear, {0.5f, 1.0f}, {0, 1}),
                       track(Interpolation::cubic, {0.25f, 1.0f, 1.5f}, {0, 0, 0})});
  CHECK(key_times(c) == std::vector<float>{0, 0.25f, 0.5f, 1, 1.5f});
}

TEST_CASE("A STEP jump becomes two keys and a STEP key that changes nothing stays one") {
  const Clip c = clip({track(Interpolation::step, {0, 1, 2}, {5, 5, 7})});
  CHECK(key_times(c) == std::vector<float>{0, 1, std::nextafter(2.0f, 0.0f), 2});
}

TEST_CASE("zeux/meshoptimizer PR #37, assimp/assimp #2836: Regular times are seconds and run to the end") {
  CHECK(regular_times(clip({track(Interpolation::linear, {0, 1}, {0, 1})}), 4) ==
        std::vector<float>{0, 0.25f, 0.5f, 0.75f, 1});
  CHECK(regular_times(clip({track(Interpolation::linear, {0, 0.6f}, {0, 1})}), 4) ==
        std::vector<float>{0, 0.25f, 0.5f, 0.6f});
  CHECK(regular_times(clip({track(Interpolation::linear, {0}, {0})}), 24) == std::vector<float>{0});
  // 26 / 24 s in float is a rounding away from its neighbour on the grid: it must not be sampled twice
  const float end = 26.0f / 24.0f;
  const std::vector<float> times = regular_times(clip({track(Interpolation::linear, {0, end}, {0, 1})}), 24);
  CHECK(times.size() == 27);
  CHECK(times.back() == end);
}

TEST_CASE("Frame rates that make no sense are refused") {
  const Clip c = clip({track(Interpolation::linear, {0, 100}, {0, 1})});
  for (const double fps : {0.0, -1.0, std::nan(""), 1e9}) CHECK_THROWS_AS(regular_times(c, fps), UsageError);
}

TEST_CASE("Between times lie at the quarters and not inside jumps") {
  std::vector<int> interval;
  CHECK(between_times({0, 1, std::nextafter(1.0f, 2.0f), 3}, &interval).size() == 6);
  CHECK(interval == std::vector<int>{0, 0, 0, 2, 2, 2});
  CHECK(between_times({0, std::nextafter(20.0f, 0.0f), 20, 24}).size() == 6);
  CHECK(between_times({0, 4}) == std::vector<double>{1, 2, 3});
  CHECK(between_times({0}).empty());
}

TEST_CASE("Clips are chosen by name or index or the part after the bar") {
  Scene scene;
  scene.file = "x.glb";
  int n = 0;
  for (const char* name : {"Rig|Walk", "Rig|Run", "Walk", "B|Run", ""}) {
    Clip c;
    c.name = name;
    c.has_name = *name != 0;
    c.index = n++;
    scene.clips.push_back(c);
  }
  CHECK(choose_clips(scene, {}) == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(choose_clips(scene, {"Walk"}) == std::vector<int>{2});  // an exact name before a suffix
  CHECK(choose_clips(scene, {"Rig|Run", "#4", "Walk", "#2"}) == std::vector<int>{1, 2, 4});
  CHECK_THROWS_WITH(choose_clips(scene, {"Run"}), Catch::Contains("Rig|Run") && Catch::Contains("B|Run"));
  CHECK_THROWS_WITH(choose_clips(scene, {"Trot"}),
                    Catch::Contains("no clip 'Trot'") && Catch::Contains("#4"));
  CHECK_THROWS_AS(choose_clips(scene, {"#9"}), NoSuchClip);

  scene.clips[0].name = "Walk";  // two of one name: the index alone tells them apart
  CHECK_THROWS_WITH(choose_clips(scene, {"Walk"}), Catch::Contains("Walk (#0), Walk (#2)"));
  CHECK(choose_clips(scene, {"#0"}) == std::vector<int>{0});
}
