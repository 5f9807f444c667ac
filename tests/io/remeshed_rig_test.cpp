// The same weights on other meshes of one surface: scores must compare.
#include <Eigen/Geometry>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <utility>

#include "data/gait.h"
#include "data/quadruped_files.h"
#include "data/resplit.h"
#include "io/bake.h"
#include "tests/gltf_builder.h"
#include "tests/soup.h"
#include "tests/temp_folder.h"

using namespace pelt;

namespace {

QuadrupedRig file_of(const RiggedSkin& rig) {
  QuadrupedRig file;
  file.rig = rig;
  file.normals = normals_of(rig.skin);
  return file;
}

Eigen::Vector3d area_vector(const Surface& skin, int a, int b, int c) {
  const Eigen::Vector3d corner = skin.positions.col(a);
  return (skin.positions.col(b) - corner).cross(skin.positions.col(c) - corner);
}

/// Pairs of triangles cut along the other diagonal, as many as go without turning one over; how many.
int flip_diagonals(Surface& skin) {
  std::map<std::pair<int, int>, int> triangle_of;  // by directed edge
  for (int t = 0; t < skin.triangles.cols(); ++t)
    for (int k = 0; k < 3; ++k) triangle_of[{skin.triangles(k, t), skin.triangles((k + 1) % 3, t)}] = t;
  std::set<int> done;
  int flips = 0;
  for (const auto& [edge, t] : triangle_of) {
    const auto back = triangle_of.find({edge.second, edge.first});
    if (back == triangle_of.end() || done.count(t) || done.count(back->second)) continue;
    const auto& [a, b] = edge;
    const int c = skin.triangles.col(t).sum() - a - b, d = skin.triangles.col(back->second).sum() - a - b;
    const Eigen::Vector3d outside = area_vector(skin, a, b, c) + area_vector(skin, b, a, d);
    if (area_vector(skin, a, d, c).dot(outside) <= 0 || area_vector(skin, d, b, c).dot(outside) <= 0)
      continue;
    skin.triangles.col(t) << a, d, c;
    skin.triangles.col(back->second) << d, b, c;
    done.insert({t, back->second});
    ++flips;
  }
  return flips;
}

struct Artist {
  test::TempFolder folder;
  RiggedSkin rig = artist_rig();

  Artist() { test::write_bytes(folder / "artist.glb", make_quadruped_files()[0].bytes); }
  BakeResult baked(const QuadrupedRig& file) const {
    test::write_bytes(folder / "rig.glb", glb_of(file));
    BakeOptions options;
    options.artist = folder / "artist.glb", options.rig = folder / "rig.glb",
    options.output = folder / "out.glb";
    return bake(options);
  }
};

void check_same_quality(const BakeResult& a, const BakeResult& b, double points) {
  REQUIRE(a.clips.size() == b.clips.size());
  for (std::size_t c = 0; c < a.clips.size(); ++c)
    CHECK(*a.clips[c].keys.quality == Approx(*b.clips[c].keys.quality).margin(points));
}

}  // namespace

TEST_CASE("The same weights score the same on every mesh of the surface") {
  const Artist artist;
  const RiggedSkin straight = straight_rig(artist.rig.skin);
  const BakeResult plain = artist.baked(file_of(straight));
  REQUIRE(*plain.clips[0].keys.quality < 95);
  {
    INFO("soup");
    check_same_quality(artist.baked(file_of(test::soup(straight))), plain, 0.01);
  }
  {
    INFO("split");
    check_same_quality(artist.baked(resplit(straight, 12345)), plain, 0.01);
  }
  {
    INFO("subdivided");
    const BakeResult cut = artist.baked(file_of(subdivided(straight)));
    check_same_quality(cut, plain, 0.3);
    for (std::size_t c = 0; c < cut.clips.size(); ++c)
      CHECK(*cut.clips[c].quality_integrated == Approx(*plain.clips[c].quality_integrated).margin(0.1));
  }
  {
    INFO("flipped");
    RiggedSkin flipped = straight;
    REQUIRE(flip_diagonals(flipped.skin) > 0.8 * static_cast<double>(flipped.skin.triangles.cols()) / 2);
    check_same_quality(artist.baked(file_of(flipped)), plain, 0.3);
  }
}

TEST_CASE("A rig that rests in another pose scores as it does at bind") {
  const Artist artist;
  RiggedSkin blurry = artist.rig;
  blurry.weights = blurred(blurry.weights, blurry.skin, 60);
  QuadrupedRig posed = file_of(blurry);
  posed.rest = standing_pose(blurry.skeleton);
  const BakeResult at_bind = artist.baked(file_of(blurry)), at_rest = artist.baked(posed);
  CHECK(at_rest.matching.rig_in_bind);
  check_same_quality(at_rest, at_bind, 0.01);
}
