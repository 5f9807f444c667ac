#include <Eigen/Geometry>
#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "data/gait.h"
#include "data/quadruped_files.h"
#include "data/rig_file.h"
#include "io/alignment_file.h"
#include "io/bake.h"
#include "io/gltf_reader.h"
#include "io/pose.h"
#include "tests/gltf_builder.h"
#include "tests/temp_folder.h"

using namespace pelt;
using nlohmann::ordered_json;
using test::TempFolder;

namespace {

struct Place {
  std::vector<double> translation, rotation, scale;  ///< as in glTF
};

/// The file with a node above everything.
void put_below(const Place& place, const std::filesystem::path& from, const std::filesystem::path& to) {
  Document document = read_document(from);
  ordered_json& nodes = document.json["nodes"];
  ordered_json& roots = document.json["scenes"][0]["nodes"];
  nodes.push_back({{"children", roots},
                   {"translation", place.translation},
                   {"rotation", place.rotation},
                   {"scale", place.scale}});
  roots = {nodes.size() - 1};
  test::write_bytes(to, serialise(document));
}

/// The surface in a file's first clip.
Eigen::Matrix3Xd surface_of(const std::filesystem::path& file, double time) {
  const Scene scene = read_scene(read_document(file));
  return surface_at(scene, pose_at(scene, scene.clips[0], time));
}

/// The quadruped's artist and one of its rigs, the rig with a node above everything.
struct Moved {
  TempFolder folder;
  BakeOptions options;

  explicit Moved(const std::optional<Place>& place, const std::string& rig = "straight-legs") {
    for (const QuadrupedFile& file : make_quadruped_files())
      if (file.name == "quadruped-artist.glb" || file.name == "quadruped-" + rig + ".glb")
        test::write_bytes(folder / file.name, file.bytes);
    options.artist = folder / "quadruped-artist.glb";
    options.rig = folder / ("quadruped-" + rig + ".glb");
    options.output = folder / "out.glb";
    options.clips = {"Walk"};
    if (!place) return;
    put_below(*place, options.rig, folder / "moved.glb");
    options.rig = folder / "moved.glb";
  }

  Eigen::Matrix3Xd written_at(double time) const { return surface_of(options.output, time); }
};

const std::vector<double> kUpright = {0, 0, 0, 1}, kHere = {0, 0, 0};

const std::filesystem::path& corpora() {
  static const std::filesystem::path path = [] {
    const char* set = std::getenv("PELT_CORPORA");
    return set ? std::filesystem::path(set) : std::filesystem::path(PELT_SOURCE_DIR) / "../shared/corpora";
  }();
  return path;
}

Matching match_files(const std::string& artist, const std::string& rig) {
  const Scene of_artist = read_scene(read_document(corpora() / artist));
  const Scene of_rig = read_scene(read_document(corpora() / rig));
  return match_scenes(of_artist, of_rig, {MatchPose::automatic, {}, &of_artist.clips[0]});
}

double rest_diagonal(const std::string& file) {
  return bounding_diagonal(rest_surface(read_scene(read_document(corpora() / file))));
}

}  // namespace

TEST_CASE("A rig that was turned, scaled, moved or mirrored carries what it did before, in its own space") {
  const Moved plain({});
  const BakeResult before = bake(plain.options);
  const double half = std::sqrt(0.5);
  const Place places[] = {{kHere, {0, 1, 0, 0}, {1, 1, 1}},
                          {kHere, {half, 0, 0, half}, {100, 100, 100}},
                          {{7, -3, 2}, {0.5, 0.5, -0.5, 0.5}, {0.01, 0.01, 0.01}},
                          {{0.3, 0.2, 0.1}, {0.1, 0.7, -0.1, 0.7}, {1.1, 1.1, 1.1}},
                          {kHere, kUpright, {-1, 1, 1}}};
  for (const Place& place : places) {
    const Moved moved(place);
    const BakeResult after = bake(moved.options);
    const Alignment& found = after.matching.alignment;
    INFO(found.artist_from_rig);
    CHECK(after.diag == before.diag);
    CHECK(scale_of(found.artist_from_rig) * std::abs(place.scale[0]) == Approx(1).epsilon(1e-6));
    CHECK(*after.clips[0].keys.quality == Approx(*before.clips[0].keys.quality).margin(0.01));
    CHECK(after.clips[0].keys.rms == Approx(before.clips[0].keys.rms).epsilon(1e-3));
    CHECK(after.clips[0].travel.mean == Approx(before.clips[0].travel.mean).epsilon(1e-3));
    const Eigen::Matrix3Xd back =
        (found.artist_from_rig.topRows<3>() * moved.written_at(0.3).colwise().homogeneous()).eval();
    if (place.scale[0] > 0)
      CHECK((back - plain.written_at(0.3)).colwise().norm().maxCoeff() < 1e-4 * before.diag);
  }
}

TEST_CASE("A mirrored rig moves as itself, mirrored, in its own space") {
  const TempFolder folder;
  QuadrupedRig artist, rig;
  artist.rig = artist_rig();
  artist.clips = {walk()};
  Eigen::Matrix3Xd& skin = artist.rig.skin.positions;
  skin.row(0) += 0.1 * skin.row(2).cwiseAbs2();  // bent to one side: no mirror image of itself
  rig.rig = straight_rig(artist.rig.skin);
  artist.normals = rig.normals = normals_of(artist.rig.skin);
  test::write_bytes(folder / "artist.glb", glb_of(artist));
  test::write_bytes(folder / "rig.glb", glb_of(rig));
  put_below({{5, 0, 0}, {0, 0, 0, 1}, {-2, 2, 2}}, folder / "rig.glb", folder / "mirrored.glb");
  BakeOptions options;
  options.artist = folder / "artist.glb", options.rig = folder / "rig.glb", options.output = folder / "a.glb";
  const BakeResult plain = bake(options);
  options.rig = folder / "mirrored.glb", options.output = folder / "b.glb";
  const BakeResult mirrored = bake(options);
  CHECK(mirrored.matching.alignment.mirrored);
  CHECK(*mirrored.clips[0].keys.quality == Approx(*plain.clips[0].keys.quality).margin(0.01));
  const Eigen::Affine3d there = Eigen::Translation3d(5, 0, 0) * Eigen::Scaling(-2.0, 2.0, 2.0);
  const Eigen::Matrix3Xd expected = there * surface_of(folder / "a.glb", 0.3);
  CHECK((surface_of(folder / "b.glb", 0.3) - expected).colwise().norm().maxCoeff() < 2e-4 * plain.diag);
}

TEST_CASE("A rig where it was stays there to the bit") {
  const Moved plain({});
  const BakeResult searched = bake(plain.options);
  CHECK(searched.matching.alignment.artist_from_rig.isIdentity(0));
  const auto bytes = test::read_bytes(plain.options.output);
  BakeOptions unaligned = plain.options;
  unaligned.align = false;
  bake(unaligned);
  CHECK(test::read_bytes(plain.options.output) == bytes);
}

TEST_CASE("The alignment can be switched off or given") {
  const Moved turned(Place{kHere, {0, 1, 0, 0}, {2, 2, 2}});
  BakeOptions options = turned.options;
  options.align = false;
  CHECK_THROWS_AS(bake(options), NoCorrespondence);
  options.align = true;
  options.alignment = turned.folder / "turn.json";
  test::write_bytes(options.alignment, {});
  std::FILE* file = std::fopen(options.alignment.c_str(), "w");
  std::fputs(R"({"artist_from_rig": [[-0.5,0,0,0],[0,0.5,0,0],[0,0,-0.5,0],[0,0,0,1]]})", file);
  std::fclose(file);
  const BakeResult result = bake(options);
  Eigen::Matrix4d expected = Eigen::Vector4d(-0.5, 0.5, -0.5, 1).asDiagonal();
  CHECK(result.matching.alignment.artist_from_rig == expected);
  CHECK(rows_of(expected) == ordered_json::parse("[[-0.5,0,0,0],[0,0.5,0,0],[0,0,-0.5,0],[0,0,0,1]]"));
  options.output = options.alignment;
  CHECK_THROWS_AS(bake(options), UsageError);
}

TEST_CASE("A rig in the pose in which the clip begins is matched there when nothing else fits") {
  const Moved files({});
  const Scene artist = read_scene(read_document(files.options.artist));
  const Clip& gallop = artist.clips[1];
  Scene rig = artist;  // without a skin it has no bind pose
  const Eigen::Matrix3Xd begin = surface_at(artist, pose_at(artist, gallop, 0));
  rig.nodes.assign(1, {});
  rig.parents_first = {0};
  rig.skins.clear();
  for (Part& part : rig.parts) {
    part.positions = begin.middleCols(part.first_vertex, part.vertices);
    part.node = 0, part.skin = -1;
  }
  const double diag = bounding_diagonal(rest_surface(artist));
  CHECK_FALSE(why_refused(match_scenes(artist, rig), diag).empty());
  const Matching m = match_scenes(artist, rig, {MatchPose::automatic, {}, &gallop});
  CHECK(m.artist_in_clip);
  CHECK(m.alignment.artist_from_rig.isIdentity(0));
  CHECK(m.gap.two_sided_p99 < 1e-9 * diag);
  CHECK(why_refused(m, diag).empty());
}

TEST_CASE("What one side lacks is told as a share of its area") {
  const auto square = [](double width) {
    Surface s;
    s.positions = Eigen::Matrix3Xd::Zero(3, 4);
    s.positions.row(0) << 0, width, width, 0;
    s.positions.row(1) << 0, 0, 1, 1;
    s.triangles.resize(3, 2);
    s.triangles << 0, 0, 1, 2, 2, 3;
    return s;
  };
  // of the artist's [0, 4] x [0, 1] the rig lacks [3, 4]; what is nearer than 2 % of the diagonal counts as
  // there
  Matching m;
  m.gap = surface_gap(square(4), square(3));
  const double diag = std::sqrt(17);
  CHECK(uncovered(m, diag).of_artist == Approx((1 - 0.02 * diag) / 4).margin(2e-3));
  CHECK(uncovered(m, diag).of_rig == 0);
}

TEST_CASE("Files that hold no similarity are refused with the place") {
  const TempFolder folder;
  const std::pair<const char*, const char*> cases[] = {
      {"", "not an alignment: no valid JSON at byte 1"},
      {"[1]", "not a JSON object"},
      {R"({"matrix": 1})", "artist_from_rig"},
      {R"({"artist_from_rig": [[1,0,0,0],[0,1,0,0],[0,0,1,0]]})", "not four rows"},
      {R"({"artist_from_rig": [[1,0,0,0],[0,1,0],[0,0,1,0],[0,0,0,1]]})", "[1]: not four numbers"},
      {R"({"artist_from_rig": [[1,0,0,0],[0,1,0,0],[0,0,"1",0],[0,0,0,1]]})", "[2][2]: not a number"},
      {R"({"artist_from_rig": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,1,1]]})", "[3]: not 0, 0, 0, 1"},
      {R"({"artist_from_rig": [[1,0,0,0],[0,2,0,0],[0,0,1,0],[0,0,0,1]]})", "not a similarity"},
      {R"({"artist_from_rig": [[1,0.01,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]})", "not a similarity"},
      {R"({"artist_from_rig": [[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,1]]})", "scale 0"}};
  for (const auto& [text, words] : cases) {
    INFO(text);
    const std::string content = text;
    test::write_bytes(folder / "a.json", std::vector<std::uint8_t>(content.begin(), content.end()));
    CHECK_THROWS_WITH(read_alignment(folder / "a.json"), Catch::Contains("a.json") && Catch::Contains(words));
  }
  CHECK_THROWS_AS(read_alignment(folder / "none.json"), ReadError);
}

TEST_CASE("Animals of real files are found turned, scaled and mirrored, and other animals refused") {
  if (!std::filesystem::exists(corpora())) {
    std::puts("skipped: 9 corpus checks (no corpora folder)");
    return;
  }
  const std::string husky = "quaternius-animals/Husky.glb";
  const double diag = rest_diagonal(husky);
  for (const std::string kind : {"", ".mirrored-x", ".turned180", ".unitbox", ".zup-cm"}) {
    INFO(kind);
    const Matching m = match_files(husky, "autorig-blender/Husky.artist-skeleton-boneheat" + kind + ".glb");
    CHECK(m.gap.two_sided_p99 < 1e-5 * diag);
    CHECK(m.alignment.mirrored == (kind == ".mirrored-x"));
    CHECK(m.alignment.artist_from_rig.isIdentity(0) == kind.empty());
    CHECK(uncovered(m, diag).of_artist == 0);
  }
  const std::string horse = "autorig-pinocchio/Horse.pinocchio-horse.glb";
  const std::string white = "quaternius-animals/Horse_White.glb";
  CHECK(why_refused(match_files(white, horse), rest_diagonal(white)).empty());
  for (const auto& [artist, rig] :
       {std::pair<std::string, std::string>{"Fox", "autorig-blender/Wolf.straight-legs-boneheat.glb"},
        {"Horse", "autorig-pinocchio/Farm2018-Horse.pinocchio-horse.glb"},
        {"Wolf", "autorig-blender/Husky.straight-legs-boneheat.glb"}}) {
    INFO(artist << " onto " << rig);
    const std::string file = "quaternius-animals/" + artist + ".glb";
    CHECK_FALSE(why_refused(match_files(file, rig), rest_diagonal(file)).empty());
  }
}
