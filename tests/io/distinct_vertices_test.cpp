#include "io/distinct_vertices.h"

#include <catch2/catch.hpp>
#include <set>

#include "data/gait.h"
#include "data/quadruped_files.h"
#include "data/rig_file.h"
#include "io/distinct_pair.h"
#include "io/matching.h"
#include "io/point_clip.h"
#include "io/pose.h"
#include "io/transfer.h"
#include "tests/fixtures.h"
#include "tests/gltf_builder.h"
#include "tests/soup.h"
#include "tests/temp_folder.h"

using namespace pelt;
using test::Random;

namespace {

constexpr int kJoints = 5;

/// `places` random vertices of up to four influences under five joints, each stored `copies` times in one
/// order after the other, and joints in random poses.
Scene split_scene(Random& random, int places, int copies, int influences = 4) {
  Scene scene;
  Skin skin;
  for (int n = 0; n < kJoints; ++n) {
    Node& node = scene.nodes.emplace_back();
    node.trs.rotation = Eigen::Quaterniond(Eigen::Vector4d(random.vector().homogeneous())).normalized();
    node.trs.translation = random.vector();
    scene.parents_first.push_back(n);
    skin.joints.push_back(n);
    skin.joint_from_bind.push_back(Eigen::Affine3d(Eigen::Translation3d(random.vector())).matrix());
  }
  scene.skins = {skin};
  Part part;
  part.node = 0, part.skin = 0, part.vertices = places * copies, part.influences = influences;
  part.positions.resize(3, part.vertices);
  part.joints = Eigen::MatrixXi::Zero(influences, part.vertices);
  part.weights = Eigen::MatrixXd::Zero(influences, part.vertices);
  for (int v = 0; v < places; ++v) {
    const int count = random.below(influences + 1);  // none lies at the origin
    const Eigen::Vector3d place = random.vector();
    for (int k = 0; k < copies; ++k) part.positions.col(v + k * places) = place;
    for (int slot = 0; slot < count; ++slot)
      for (int k = 0, joint = random.below(kJoints); k < copies; ++k) {
        part.joints(slot, v + k * places) = joint;
        part.weights(slot, v + k * places) = 1.0 / count;
      }
  }
  scene.parts = {part};
  scene.triangles.resize(3, part.vertices);  // every vertex in three of them
  for (int t = 0; t < part.vertices; ++t)
    for (int k = 0; k < 3; ++k) scene.triangles(k, t) = (t + k) % part.vertices;
  return scene;
}

Eigen::Matrix3Xd random_points(Random& random, int count) {
  Eigen::Matrix3Xd points(3, count);
  for (auto point : points.colwise()) point = random.vector();
  return points;
}

Eigen::Matrix3Xd surface(const Scene& scene) { return surface_at(scene, rest_pose(scene)); }

/// Do the scene and what is left of it show the same surface, to the bit?
bool shows_the_same(const Scene& scene, const DistinctVertices& distinct) {
  Scene few = scene;
  keep_distinct(distinct, few);
  const Eigen::Matrix3Xd all = surface(scene), left = surface(few);
  return left(Eigen::all, distinct.group) == all &&
         left(Eigen::all, few.triangles.reshaped()) == all(Eigen::all, scene.triangles.reshaped());
}

/// A correspondence in which every vertex of the rig follows the same point of triangle 0 1 2.
Correspondence all_on_one_triangle(int vertices) {
  Correspondence c;
  c.corner = Eigen::Vector3i(0, 1, 2).replicate(1, vertices);
  c.barycentric = Eigen::Vector3d(0.5, 0.25, 0.25).replicate(1, vertices);
  c.offset = Eigen::Matrix3Xd::Zero(3, vertices);
  c.kind.assign(vertices, MatchKind::surface);
  c.gap = Eigen::VectorXd::Zero(vertices);
  c.carrier.resize(3, 0);
  c.carrier_of.assign(vertices, -1);
  return c;
}

RigFile soup_file(const test::TempFolder& folder, const RiggedSkin& rig, const std::vector<Gait>& clips) {
  QuadrupedRig file;
  file.rig = test::soup(rig);
  file.normals = normals_of(file.rig.skin);
  file.clips = clips;
  test::write_bytes(folder / "soup.glb", glb_of(file));
  return open_rig_file(folder / "soup.glb");
}

void check_same_figures(const Figures& few, const Figures& all) {
  CHECK(few.quality.value_or(-1) == Approx(all.quality.value_or(-1)).margin(1e-7));
  CHECK(few.quality_in_place.value_or(-1) == Approx(all.quality_in_place.value_or(-1)).margin(1e-7));
  CHECK(few.mean == Approx(all.mean).margin(1e-7));
  CHECK(few.rms == Approx(all.rms).margin(1e-7));
  CHECK(few.worst == Approx(all.worst).margin(1e-6));
  CHECK(few.erms == Approx(all.erms).margin(1e-6));
  CHECK(few.p95 == Approx(all.p95).epsilon(1e-4));
  CHECK(few.p99 == Approx(all.p99).epsilon(1e-4));
  REQUIRE(few.joint_mean.size() == all.joint_mean.size());
  for (std::size_t j = 0; j < all.joint_mean.size(); ++j) {
    CHECK(few.joint_mean[j] == Approx(all.joint_mean[j]).margin(1e-6));
    CHECK(few.joint_share[j] == Approx(all.joint_share[j]).margin(1e-12));
  }
}

void check_same(const ClipTransfer& few, const ClipTransfer& all) {
  check_same_figures(few.keys, all.keys);
  check_same_figures(few.between, all.between);
  check_same_figures(few.floor, all.floor);
  CHECK(few.quality_integrated.value() == Approx(all.quality_integrated.value()).margin(1e-7));
  CHECK(few.quality_gap_counted.value() == Approx(all.quality_gap_counted.value()).margin(1e-7));
  CHECK(few.acceleration.surface == Approx(all.acceleration.surface).epsilon(1e-12));
  CHECK(few.acceleration.joints == Approx(all.acceleration.joints).epsilon(1e-5));
  CHECK(few.times == all.times);
}

}  // namespace

TEST_CASE("Split vertices are kept once and lie where they did, to the bit") {
  Random random;
  for (const int influences : {1, 2, 3, 4, 8}) {
    const Scene scene = split_scene(random, 200, 3, influences);
    const DistinctVertices distinct = distinct_vertices(scene);
    CHECK(distinct.kept.size() == 200);
    CHECK(distinct.copies == std::vector<int>(200, 3));
    CHECK(shows_the_same(scene, distinct));
  }
}

TEST_CASE("Vertices at one place stay apart under other weights, joints or morphs, and in other parts") {
  Random random;
  Scene scene = split_scene(random, 50, 4);
  Part& part = scene.parts[0];
  part.weights.col(7) = Eigen::Vector4d(0.5, 0.5, 0, 0);
  part.weights.col(57) = Eigen::Vector4d(0.25, 0.75, 0, 0);
  part.joints.col(8)[0] = (part.joints.col(58)[0] + 1) % kJoints;
  part.weights.col(8) = part.weights.col(58) = Eigen::Vector4d(1, 0, 0, 0);
  part.morphs = {random_points(random, 50).replicate(1, 4)};
  part.morphs[0](1, 9) += 0.5;
  part.morph_weights = Eigen::VectorXd::Constant(1, 0.5);
  const int vertices = part.vertices;
  scene.parts.push_back(Part(part));  // where `part` lies no longer
  scene.parts[1].first_vertex = vertices;
  const DistinctVertices distinct = distinct_vertices(scene);
  for (const int v : {7, 8, 9}) CHECK(distinct.group_of(v) != distinct.group_of(v + 50));
  CHECK(distinct.group_of(10) == distinct.group_of(60));
  CHECK(distinct.group_of(10) != distinct.group_of(vertices + 10));
  CHECK(shows_the_same(scene, distinct));
}

TEST_CASE("A rigid part's vertices are alike at one place") {
  Random random;
  Scene scene = split_scene(random, 100, 3);
  Part& part = scene.parts[0];
  part.skin = -1, part.influences = 0;
  part.joints.resize(0, 0), part.weights.resize(0, 0);
  const DistinctVertices distinct = distinct_vertices(scene);
  CHECK(distinct.kept.size() == 100);
  CHECK(shows_the_same(scene, distinct));
}

TEST_CASE("Copies are the vertices that a triangle uses") {
  Random random;
  Scene scene = split_scene(random, 50, 3);
  scene.triangles = scene.triangles.leftCols(98).eval();  // vertices 0 to 99
  const DistinctVertices distinct = distinct_vertices(scene);
  CHECK(distinct.copies == std::vector<int>(50, 2));
}

TEST_CASE("All vertices are distinct where few are alike and where a point cache moves each") {
  Random random;
  CHECK(distinct_vertices(split_scene(random, 100, 1)).is_all());
  Scene some = split_scene(random, 100, 2);
  for (int v = 100; v < 125; ++v) some.parts[0].positions.col(v) = random.vector();  // 125 of 200
  CHECK(distinct_vertices(some).kept.size() == 125);
  for (int v = 125; v < 170; ++v) some.parts[0].positions.col(v) = random.vector();  // 170 of 200
  CHECK(distinct_vertices(some).is_all());
  Scene moved = split_scene(random, 100, 3);
  moved.clips.emplace_back().points = std::make_shared<PointTrack>();
  CHECK(distinct_vertices(moved).is_all());
  CHECK(distinct_vertices(Scene()).is_all());
}

TEST_CASE("Alike vertices that follow other points of the artist's surface stay apart") {
  Random random;
  const Scene rig = split_scene(random, 10, 5);
  const DistinctVertices alike = distinct_vertices(rig);
  Correspondence c = all_on_one_triangle(50);
  // 10, of the first group: the same point by other names
  c.corner.col(10) = Eigen::Vector3i(2, 5, 1), c.barycentric.col(10) = Eigen::Vector3d(0.25, 0.5, 0.25);
  // 20: but for rounding
  c.barycentric.col(20) += Eigen::Vector3d(1e-9, -1e-9, 0);
  c.barycentric.col(11) = Eigen::Vector3d(0.25, 0.25, 0.5);
  c.corner.col(12)[2] = 3;
  c.kind[13] = MatchKind::none;
  c.kind[14] = MatchKind::unused;
  c.carrier = Eigen::Vector3i(0, 1, 2), c.carrier_of[15] = c.carrier_of[25] = 0;
  c.offset.col(15) = c.offset.col(25) = Eigen::Vector3d(0, 0, 0.1);
  c.carrier_of[16] = c.carrier_of[26] = 0;
  c.offset.col(16) = Eigen::Vector3d(0, 0, 0.1), c.offset.col(26) = Eigen::Vector3d(0, 0, 0.2);
  // 7, 17, 27 on top of vertex 0, twice by its copy, rounded differently
  for (const int v : {7, 17, 27}) {
    c.kind[v] = MatchKind::coincident;
    c.corner.col(v) = Eigen::Vector3i(v == 7 ? 0 : 5, 1, 2);
  }
  c.barycentric.col(7) << 1, 0, 0;
  c.barycentric.col(17) << 1 - 1e-5, 1e-5, 0;
  c.barycentric.col(27) << 1 - 2e-5, 0, 2e-5;
  DistinctVertices on_artist{{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 0}, {2, 1, 1, 1, 1}};
  const DistinctVertices found = following_alike(alike, on_artist, rig, c);
  CHECK(found.group_of(10) == found.group_of(0));
  CHECK(found.group_of(20) == found.group_of(0));
  CHECK(found.group_of(17) == found.group_of(7));
  CHECK(found.group_of(27) == found.group_of(7));
  CHECK(found.group_of(37) != found.group_of(7));
  for (const int v : {11, 12, 13, 14, 15, 16}) CHECK(found.group_of(v) != found.group_of(v - 10));
  for (const int v : {21, 22, 23, 24}) CHECK(found.group_of(v) == found.group_of(v - 20));
  CHECK(found.group_of(15) == found.group_of(25));
  CHECK(found.group_of(16) != found.group_of(26));
  const Correspondence between = between_distinct(found, on_artist, c);
  const Eigen::Matrix3Xd artist = random_points(random, 6), at = artist(Eigen::all, on_artist.kept);
  Eigen::Matrix3Xd whole = artist;
  whole.col(5) = whole.col(0);
  const Eigen::Matrix3Xd all = follow(c, whole), few = follow(between, at);
  for (int v = 0; v < 50; ++v)
    if (c.kind[v] != MatchKind::unused)
      CHECK((few.col(found.group_of(v)) - all.col(v)).norm() <
            (c.kind[v] == MatchKind::coincident ? 1e-4 : 1e-8));
}

TEST_CASE("Distinct vertices are solved and measured as all of them are") {
  const test::TempFolder folder;
  const RiggedSkin artist_skin = artist_rig();
  const RigFile artist = soup_file(folder, artist_skin, {walk()});
  const std::optional<RigFile> few_of_artist = with_distinct(artist, distinct_vertices(artist.scene));
  REQUIRE(few_of_artist);
  const double diag = bounding_diagonal(artist.rest);
  for (const double size : {1.0, 1.002}) {  // larger than the artist, vertices keep an offset
    RiggedSkin straight = straight_rig(artist_skin.skin);
    straight.skin.positions *= size;
    const RigFile rig = soup_file(folder, straight, {});
    const Matching matching = match_scenes(artist.scene, rig.scene, {{}, Eigen::Matrix4d::Identity()});
    REQUIRE((matching.correspondence.carrier.cols() > 0) == (size > 1));
    const DistinctPair pair(*few_of_artist, rig, matching.correspondence);
    CHECK(2 * pair.rig().scene.vertices() < rig.scene.vertices());
    for (const Weighting weighting : {Weighting::area, Weighting::uniform}) {
      TransferSettings settings;
      settings.weighting = weighting;
      const Motive of_all{&artist.scene, &matching.correspondence},
          of_few{&few_of_artist->scene, &pair.correspondence()};
      const Transfer all = transfer(of_all, {0}, rig, diag, settings),
                     few = transfer(of_few, {0}, pair.rig(), diag, settings);
      check_same(few.clips[0], all.clips[0]);
      const auto place = [&](const ClipTransfer& clip) {
        return Eigen::Vector3d(rig.rest.positions.col(clip.keys.worst_place.vertex));
      };
      CHECK(place(few.clips[0]) == place(all.clips[0]));
    }
  }
}
