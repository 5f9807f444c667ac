#include "io/gap_counted.h"

#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "data/quadruped_files.h"
#include "data/rig_file.h"
#include "io/bake.h"
#include "io/gltf_reader.h"
#include "io/pose.h"
#include "tests/gltf_builder.h"
#include "tests/solver/shapes.h"
#include "tests/temp_folder.h"

using namespace pelt;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

namespace {

Matrix3Xd shifted(const Matrix3Xd& points, const Vector3d& by) { return points.colwise() + by; }

/// A surface that nothing moves.
Scene still(const Surface& surface) {
  Scene scene;
  scene.nodes.resize(1);
  scene.nodes[0].in_scene = true;
  scene.parents_first = {0};
  Part part;
  part.node = 0;
  part.vertices = static_cast<int>(surface.positions.cols());
  part.triangles = static_cast<int>(surface.triangles.cols());
  part.positions = surface.positions;
  scene.parts = {part};
  scene.triangles = surface.triangles;
  return scene;
}

/// The artist's are two plates of areas 3 and 1; of the rig's copies the small one lies 0.8 above. A vertex
/// that no triangle uses comes last.
struct Plates {
  Surface artist = shapes::join(shapes::rectangle(3, 1), shapes::rectangle(1, 1, 10));
  Surface rig =
      shapes::join(shapes::join(shapes::rectangle(3, 1), shapes::rectangle(1, 1, 10, 0.8)),
                   shapes::surface({Vector3d::Constant(std::numeric_limits<double>::quiet_NaN())}, {}));
  Scene scene = still(artist);
  Correspondence correspondence = correspond(artist, rig);
};

struct Qualities {
  double plain, gap_counted;
};

/// Everything moves by 2 in the second frame of two, where the rig's small plate is off by 0.6 sidewards.
Qualities qualities(const Plates& plates, const Eigen::Affine3d& rig_from_artist) {
  const Motive motive{&plates.scene, &plates.correspondence, rig_from_artist.matrix()};
  MeasureSettings settings;
  settings.weight = vertex_areas(plates.rig);
  settings.rest = targets_at_rest(motive);
  settings.diag = 7 * std::cbrt(std::abs(rig_from_artist.linear().determinant()));
  Measure keys(settings, 2);
  GapCounted counted(motive, keys, 2);
  const Matrix3Xd moved = shifted(plates.artist.positions, {0, 2, 0});
  Matrix3Xd actual = shifted(plates.rig.positions, {0, 2, 0});
  actual.middleCols<4>(4).row(0).array() += 0.6;
  const std::pair<Matrix3Xd, Matrix3Xd> frames[] = {{plates.artist.positions, plates.rig.positions},
                                                    {moved, actual}};
  for (int f = 0; f < 2; ++f) {
    const Matrix3Xd in_rig = rig_from_artist * frames[f].second;
    keys.add(f, targets_on(motive, frames[f].first), in_rig);
    counted.add(f, frames[f].first, in_rig);
  }
  const Figures figures = keys.figures();
  return {*figures.quality, *counted.value(figures)};
}

/// Adds a clip that turns the tip of two_joint_strip() about z in a second.
void add_turn(test::GltfBuilder& file, const std::string& name, double angle) {
  Eigen::MatrixXd turn(4, 2);
  turn << 0, 0, 0, 0, 0, std::sin(angle / 2), 1, std::cos(angle / 2);
  file.add_channel(file.add_animation(name), 1, "rotation", {0, 1}, turn);
}

BakeResult baked(const test::TempFolder& folder, const test::GltfBuilder& artist,
                 const test::GltfBuilder& rig, const std::string& artist_from_rig = "") {
  test::write_bytes(folder / "artist.glb", artist.glb());
  test::write_bytes(folder / "rig.glb", rig.glb());
  BakeOptions options;
  options.artist = folder / "artist.glb", options.rig = folder / "rig.glb";
  options.align = !artist_from_rig.empty();
  if (options.align) {
    const std::string text = "{\"artist_from_rig\": " + artist_from_rig + "}";
    options.alignment = folder / "there.json";
    test::write_bytes(options.alignment, {text.begin(), text.end()});
  }
  return bake(options);
}

const std::filesystem::path& corpora() {
  static const std::filesystem::path path = [] {
    const char* set = std::getenv("PELT_CORPORA");
    return set ? std::filesystem::path(set) : std::filesystem::path(PELT_SOURCE_DIR) / "../shared/corpora";
  }();
  return path;
}

Matrix3Xd points_on(const Correspondence& found, const Matrix3Xd& artist) {
  Matrix3Xd points = Matrix3Xd::Zero(3, found.corner.cols());
  for (Eigen::Index i = 0; i < points.cols(); ++i)
    for (int k = 0; k < 3 && found.corner(k, i) >= 0; ++k)
      points.col(i) += found.barycentric(k, i) * artist.col(found.corner(k, i));
  return points;
}

/// Slow twin of the first clip's figure, in the artist's space: from the written file, vertices by their
/// areas on the rig as it rests there.
double twin_of(const Scene& artist, const BakeResult& result) {
  const Scene written = read_scene(read_document(result.output));
  const ClipTransfer& clip = result.clips[0];
  const Clip *source = &artist.clips[clip.source], *baked = nullptr;
  for (const Clip& c : written.clips)
    if (c.name == clip.written_name) baked = &c;
  REQUIRE(baked);
  const Eigen::Affine3d artist_from_rig(result.matching.alignment.artist_from_rig);
  const Correspondence& found = result.matching.correspondence;
  const Matrix3Xd rest = surface_at(artist, rest_pose(artist));
  const Matrix3Xd points_at_rest = points_on(found, rest);
  const Eigen::VectorXd area = vertex_areas({follow(found, rest), written.triangles});
  double error = 0, displacement = 0;
  for (const int k : clip.sampled) {
    const Matrix3Xd points = points_on(found, surface_at(artist, pose_at(artist, *source, clip.times[k])));
    const Matrix3Xd actual = artist_from_rig * surface_at(written, pose_at(written, *baked, clip.times[k]));
    for (Eigen::Index i = 0; i < points.cols(); ++i) {
      if (found.kind[i] == MatchKind::none || found.kind[i] == MatchKind::unused) continue;
      error += area(i) * (actual.col(i) - points.col(i)).norm();
      displacement += area(i) * (points.col(i) - points_at_rest.col(i)).norm();
    }
  }
  return 100 * (1 - error / displacement);
}

}  // namespace

TEST_CASE("gap counted: a plate above the artist's, by hand", "[gap_counted]") {
  // of the means a quarter is the small plate's: it is off by 0.8, then by 1 (0.8 up and 0.6 sidewards), or
  // by 0 and 0.6 where its height is carried along; the displacement is 0, then 2
  const Plates plates;
  const Qualities found = qualities(plates, Eigen::Affine3d::Identity());
  CHECK(found.plain == Approx(100 * (1 - 0.25 * 0.6 / 2)));
  CHECK(found.gap_counted == Approx(100 * (1 - 0.25 * (0.8 + 1) / 2)));
}

TEST_CASE("gap counted: a rig that is turned, scaled and mirrored has the same", "[gap_counted]") {
  const Plates plates;
  const Eigen::Affine3d there = Eigen::Translation3d(5, -3, 1) *
                                Eigen::AngleAxisd(1.1, Vector3d(1, 2, -1).normalized()) *
                                Eigen::Scaling(-30.0, 30.0, 30.0);
  CHECK(qualities(plates, there).gap_counted == Approx(77.5));
}

TEST_CASE("gap counted: none where nothing moves or the rig is the artist's own", "[gap_counted]") {
  const Plates plates;
  MeasureSettings settings;
  settings.weight = vertex_areas(plates.rig);
  settings.rest = plates.rig.positions;
  const Measure keys(settings, 1);
  const Motive moved{&plates.scene, &plates.correspondence}, own{&plates.scene, nullptr};
  GapCounted at_rest(moved, keys, 1);
  at_rest.add(0, plates.artist.positions, plates.rig.positions);
  Figures figures;
  CHECK_FALSE(at_rest.value(figures));
  figures.quality = 90;
  CHECK_FALSE(GapCounted(own, keys, 1).value(figures));
}

TEST_CASE("gap counted: in a bake the height of a strip is error at every key", "[gap_counted]") {
  // Vertices have 1/3, 1/6, 1/3, 1/6 of the area. Of those of the tip one is its pivot, the other, of 1/3,
  // moves by sqrt(2) in a quarter turn and by 1 in a sixth; all are off by the height at both keys.
  const double height = 0.005;
  test::GltfBuilder artist = test::two_joint_strip();
  add_turn(artist, "Nod", std::acos(0.5));
  const test::TempFolder folder;
  test::GltfBuilder rig = test::raised_strip(height);
  const auto check = [&](const BakeResult& result) {
    REQUIRE(result.clips.size() == 2);
    for (const ClipTransfer& clip : result.clips) {
      REQUIRE(clip.sampled.size() == 2);
      const double moved = clip.name == "Bend" ? std::sqrt(2.0) : 1;
      CHECK(*clip.keys.quality == Approx(100).margin(1e-3));
      CHECK(*clip.quality_gap_counted == Approx(100 * (1 - 2 * height / (moved / 3))).margin(1e-3));
    }
    for (const ClipTransfer& clip : result.control->clips) CHECK_FALSE(clip.quality_gap_counted);
  };
  check(baked(folder, artist, rig));
  nlohmann::ordered_json &nodes = rig.json["nodes"], &roots = rig.json["scenes"][0]["nodes"];
  nodes.push_back({{"children", roots}, {"translation", {6, 0, 0}}, {"scale", {-2, 2, 2}}});
  roots = {nodes.size() - 1};
  check(baked(folder, artist, rig, "[[-0.5,0,0,3],[0,0.5,0,0],[0,0,0.5,0],[0,0,0,1]]"));
}

TEST_CASE("gap counted: it is the quality to the bit where meshes coincide", "[gap_counted]") {
  const RiggedSkin straight = straight_rig(artist_rig().skin);
  const test::TempFolder folder;
  test::write_bytes(folder / "artist.glb", make_quadruped_files()[0].bytes);
  for (const RiggedSkin& rig : {straight, subdivided(straight)}) {
    QuadrupedRig file;
    file.rig = rig;
    file.normals = normals_of(rig.skin);
    test::write_bytes(folder / "rig.glb", glb_of(file));
    BakeOptions options;
    options.artist = folder / "artist.glb", options.rig = folder / "rig.glb";
    options.clips = {"Walk"}, options.transfer.fps = 8;
    const BakeResult result = bake(options);
    for (const ClipTransfer& clip : result.clips) CHECK(clip.quality_gap_counted == clip.keys.quality);
  }
}

TEST_CASE("gap counted: real files agree with a sum in the artist's space", "[gap_counted]") {
  if (!std::filesystem::exists(corpora())) {
    std::puts("skipped: 3 corpus checks (no corpora folder)");
    return;
  }
  const test::TempFolder folder;
  for (const auto& [artist, rig] :
       {std::pair<std::string, std::string>{"Horse",
                                            "autorig-blender/Horse.decimated40-artist-skeleton-boneheat"},
        {"Fox", "autorig-blender/Fox.voxel-remeshed-artist-skeleton-boneheat"},
        {"Horse_White", "autorig-pinocchio/Horse.pinocchio-horse"}}) {
    INFO(artist << " onto " << rig);
    BakeOptions options;
    options.artist = corpora() / "quaternius-animals" / (artist + ".glb");
    options.rig = corpora() / (rig + ".glb");
    options.output = folder / "out.glb";
    options.clips = {"Walk"};
    options.transfer.fps = 10;
    const BakeResult result = bake(options);
    const double counted = *result.clips[0].quality_gap_counted;
    CHECK(counted < *result.clips[0].keys.quality - 0.5);
    CHECK(counted == Approx(twin_of(read_scene(read_document(options.artist)), result)).margin(1e-6));
  }
}
