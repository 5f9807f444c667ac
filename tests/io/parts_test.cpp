// Parts that only one side has.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "data/gait.h"
#include "data/quadruped.h"
#include "data/rig_file.h"
#include "io/bake.h"
#include "tests/gltf_builder.h"
#include "tests/solver/shapes.h"
#include "tests/temp_folder.h"

using namespace pelt;
using Eigen::Vector3d;

namespace {

/// A part of its own that one joint holds.
void add_part(Surface part, const Vector3d& place, const std::string& joint, RiggedSkin& rig) {
  part.positions.colwise() += place;
  const Eigen::Index before = rig.weights.cols();
  rig.skin = shapes::join(rig.skin, part);
  rig.weights.conservativeResize(Eigen::NoChange, rig.skin.positions.cols());
  rig.weights.rightCols(part.positions.cols()).setZero();
  rig.weights.row(joint_named(rig.skeleton, joint)).tail(rig.weights.cols() - before).setOnes();
}

void add_eyes(const std::string& joint, RiggedSkin& rig) {
  for (const double side : {-1, 1}) add_part(shapes::sphere(2, 0.012), {side * 0.07, 1.4, 0.88}, joint, rig);
}

/// Well above the back.
void add_saddle(const std::string& joint, RiggedSkin& rig) {
  add_part(shapes::split_box({0.3, 0.02, 0.3}), {0, 1.35, -0.1}, joint, rig);
}

void add_antlers(const std::string& joint, RiggedSkin& rig) {
  for (const double side : {-1, 1})
    add_part(shapes::split_box({0.04, 0.4, 0.04}), {side * 0.15, 1.85, 0.75}, joint, rig);
}

/// The file with a node above everything that turns it half around up, and makes it ten times as large.
std::vector<std::uint8_t> turned(const std::vector<std::uint8_t>& glb, const test::TempFolder& folder) {
  test::write_bytes(folder / "upright.glb", glb);
  Document document = read_document(folder / "upright.glb");
  nlohmann::ordered_json &nodes = document.json["nodes"], &roots = document.json["scenes"][0]["nodes"];
  nodes.push_back({{"children", roots}, {"rotation", {0, 1, 0, 0}}, {"scale", {10, 10, 10}}});
  roots = {nodes.size() - 1};
  return serialise(document);
}

const RiggedSkin& whole_artist() {
  static const RiggedSkin rig = artist_rig();
  return rig;
}

const RiggedSkin& whole_rig() {
  static const RiggedSkin rig = straight_rig(whole_artist().skin);
  return rig;
}

struct Pair {
  test::TempFolder folder;
  RiggedSkin artist = whole_artist(), rig = whole_rig();

  BakeResult baked(bool turn = false) const {
    QuadrupedRig a, r;
    a.rig = artist, r.rig = rig;
    a.normals = normals_of(artist.skin), r.normals = normals_of(rig.skin);
    a.clips = {walk()};
    test::write_bytes(folder / "artist.glb", glb_of(a));
    test::write_bytes(folder / "rig.glb", turn ? turned(glb_of(r), folder) : glb_of(r));
    BakeOptions options;
    options.artist = folder / "artist.glb", options.rig = folder / "rig.glb";
    return bake(options);
  }
};

/// Neither has a part of its own.
const BakeResult& plain() {
  static const BakeResult result = Pair().baked();
  return result;
}

int count(const BakeResult& result, MatchKind kind) {
  const std::vector<MatchKind>& kinds = result.matching.correspondence.kind;
  return static_cast<int>(std::count(kinds.begin(), kinds.end(), kind));
}

void check_quality(const BakeResult& result, double points) {
  const ClipTransfer &clip = result.clips[0], &without = plain().clips[0];
  CHECK(*clip.keys.quality == Approx(*without.keys.quality).margin(points));
  CHECK(*clip.quality_integrated == Approx(*without.quality_integrated).margin(points));
}

}  // namespace

TEST_CASE("Eyes of their own are taken, whichever side has them") {
  Pair pair;
  add_eyes("Head", pair.artist);
  const BakeResult lacking = pair.baked();
  CHECK(lacking.warnings.empty());
  check_quality(lacking, 1e-3);
  add_eyes("skull", pair.rig);
  const BakeResult both = pair.baked();
  CHECK(both.warnings.empty());
  CHECK(count(both, MatchKind::coincident) == pair.rig.skin.positions.cols());
  check_quality(both, 0.1);  // a thousandth of the surface
  pair.artist = whole_artist();
  const BakeResult added = pair.baked();
  CHECK(added.warnings.empty());
  CHECK(count(added, MatchKind::none) == 0);  // near enough to ride on the head
  check_quality(added, 0.1);
}

TEST_CASE("A saddle that only the rig has is counted and changes nothing else") {
  Pair pair;
  const auto vertices = static_cast<int>(pair.rig.skin.positions.cols());
  add_saddle("back", pair.rig);
  const auto saddle = static_cast<int>(pair.rig.skin.positions.cols()) - vertices;
  for (const bool turn : {false, true}) {
    const BakeResult result = pair.baked(turn);
    REQUIRE(result.warnings.size() == 1);
    CHECK_THAT(result.warnings[0],
               Catch::Contains(std::to_string(saddle) + " of " + std::to_string(vertices + saddle) +
                               " vertices have no counterpart"));
    CHECK(count(result, MatchKind::none) == saddle);
    CHECK(uncovered(result.matching, result.diag).of_rig > 0.01);  // more than a p99 would stand
    CHECK(uncovered(result.matching, result.diag).of_artist == 0);
    check_quality(result, turn ? 0.01 : 1e-9);
  }
}

TEST_CASE("Antlers that the rig lacks are told and change nothing else") {
  Pair pair;
  add_antlers("Head", pair.artist);
  const BakeResult lacking = pair.baked();
  REQUIRE(lacking.warnings.size() == 1);
  CHECK_THAT(lacking.warnings[0], Catch::Contains("it lacks a part that the artist's surface has"));
  CHECK(count(lacking, MatchKind::none) == 0);
  check_quality(lacking, 1e-9);
  const BakeResult turned = pair.baked(true);
  const Eigen::Matrix4d& back = turned.matching.alignment.artist_from_rig;
  CHECK((back - Eigen::Vector4d(-0.1, 0.1, -0.1, 1).asDiagonal().toDenseMatrix()).norm() < 1e-6);
  check_quality(turned, 0.01);
}

TEST_CASE("What both sides lack, or a quarter of one, is no part") {
  // the artist's [0, 4] x [0, 1], of which the rig has what lies between two places
  const Surface artist = shapes::rectangle(4, 1);
  const double diag = std::sqrt(17);
  const auto matched = [&](double from, double to) {
    Matching m;
    m.gap = surface_gap(artist, shapes::rectangle(to - from, 1, from));
    return m;
  };
  const Matching part = matched(0, 3.6), quarter = matched(0, 3), shifted = matched(0.4, 4.4);
  CHECK(missing_part(part, diag).in_rig);
  CHECK_FALSE(missing_part(part, diag).in_artist);
  CHECK(why_refused(part, diag).empty());
  CHECK_FALSE(missing_part(quarter, diag).in_rig);
  CHECK_THAT(why_refused(quarter, diag), Catch::Contains("do not correspond"));
  CHECK_FALSE(missing_part(shifted, diag).in_rig);
  CHECK_FALSE(missing_part(shifted, diag).in_artist);
  CHECK_FALSE(why_refused(shifted, diag).empty());
}
