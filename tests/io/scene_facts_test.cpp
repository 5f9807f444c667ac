#include "io/scene_facts.h"

#include <catch2/catch.hpp>

#include "data/quadruped_files.h"
#include "io/gltf_reader.h"
#include "io/pose.h"
#include "io/stance_guess.h"

namespace pelt {
namespace {

Clip clip_of(const std::vector<std::vector<float>>& tracks) {
  Clip clip;
  for (const std::vector<float>& times : tracks) {
    clip.tracks.emplace_back();
    clip.tracks.back().times = times;
  }
  return clip;
}

Surface quadruped_at_rest() {
  for (const QuadrupedFile& file : make_quadruped_files())
    if (file.name == "quadruped-artist.glb")
      return rest_surface(read_scene(parse_document(file.bytes, file.name)));
  return {};
}

/// The surface under a rotation.
Surface turned(Surface surface, const Eigen::Matrix3d& turn) {
  surface.positions = turn * surface.positions;
  return surface;
}

}  // namespace

TEST_CASE("The key rate is that of the grid on which all keys lie") {
  CHECK(key_rate(clip_of({{0, 0.25f, 0.5f}, {0, 1}})) == 4);
  CHECK(key_rate(clip_of({{0.5f, 0.75f, 1.5f}})) == 4);
  CHECK(key_rate(clip_of({{0}, {1}})) == 0);
  CHECK(key_rate(clip_of({})) == 0);
  CHECK_FALSE(key_rate(clip_of({{0, 0.25f}, {0, 0.4f}})));
}

TEST_CASE("How the quadruped stands is guessed whichever way it was exported") {
  const Surface surface = quadruped_at_rest();
  const StanceGuess upright = guess_stance(surface);
  CHECK(upright.up == "+Y");
  Eigen::Matrix3d back = Eigen::Vector3d(-1, 1, -1).asDiagonal();
  Eigen::Matrix3d z_up;  // y to z, z to -y
  z_up << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  Eigen::Matrix3d sideways;  // z to x, x to -z
  sideways << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  CHECK(upright.facing == "+Z");
  CHECK(guess_stance(turned(surface, back)).facing == "-Z");
  CHECK(guess_stance(turned(surface, sideways)).facing == "+X");
  CHECK(guess_stance(turned(surface, z_up)).up == "+Z");
  CHECK(guess_stance(turned(surface, z_up)).facing == "-Y");
}

TEST_CASE("The unit is guessed from the longest side") {
  const auto unit_of = [](double size) {
    Surface square{Eigen::Matrix3Xd(3, 3), Eigen::Matrix3Xi(3, 1)};
    square.positions << 0, size, size, 0, 0, size / 2, 0, 0, 0;
    square.triangles << 0, 1, 2;
    return guess_stance(square).unit;
  };
  CHECK(unit_of(1) == "unit box");
  CHECK(unit_of(2) == "unit box");
  CHECK(unit_of(1.7) == "metres");
  CHECK(unit_of(170) == "centimetres");
  CHECK(unit_of(1e5) == "unclear");
  CHECK(unit_of(1e-3) == "unclear");
}

}  // namespace pelt
