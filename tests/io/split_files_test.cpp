// Files whose vertices are split, as artists and as rigs: every way through them must see what it sees of
// welded ones.
#include <catch2/catch.hpp>

#include "data/gait.h"
#include "data/quadruped_files.h"
#include "data/rig_file.h"
#include "io/appraise.h"
#include "io/bake.h"
#include "tests/gltf_builder.h"
#include "tests/soup.h"
#include "tests/temp_folder.h"

using namespace pelt;

namespace {

void write_file(const std::filesystem::path& path, const RiggedSkin& rig, const std::vector<Gait>& clips) {
  QuadrupedRig file;
  file.rig = rig;
  file.normals = normals_of(rig.skin);
  file.clips = clips;
  test::write_bytes(path, glb_of(file));
}

/// Artist and rig, welded and split.
struct Files {
  test::TempFolder folder;

  Files() {
    const RiggedSkin artist = artist_rig(), straight = straight_rig(artist.skin);
    write_file(folder / "artist.glb", artist, {walk()});
    write_file(folder / "split-artist.glb", test::soup(artist), {walk()});
    write_file(folder / "rig.glb", straight, {});
    write_file(folder / "split-rig.glb", test::soup(straight), {});
  }
  BakeOptions options(bool is_split) const {
    BakeOptions options;
    const std::string split = is_split ? "split-" : "";
    options.artist = folder / (split + "artist.glb"), options.rig = folder / (split + "rig.glb");
    options.output = folder / (split + "out.glb");
    return options;
  }
};

void check_same_figures(const Figures& a, const Figures& b) {
  CHECK(a.quality.value_or(-1) == Approx(b.quality.value_or(-1)).margin(1e-4));
  CHECK(a.rms == Approx(b.rms).margin(1e-5));
  CHECK(a.p99 == Approx(b.p99).margin(1e-3));
  CHECK(a.worst == Approx(b.worst).margin(1e-4));
}

void check_same(const BakeResult& a, const BakeResult& b) {
  const ClipTransfer &x = a.clips.at(0), &y = b.clips.at(0);
  check_same_figures(x.keys, y.keys);
  check_same_figures(x.between, y.between);
  CHECK(x.quality_integrated.value() == Approx(y.quality_integrated.value()).margin(1e-4));
  CHECK(x.times == y.times);
}

}  // namespace

TEST_CASE("Split files bake as welded ones do") {
  const Files files;
  const BakeResult welded = bake(files.options(false)), split = bake(files.options(true));
  REQUIRE(*welded.clips.at(0).keys.quality < 95);
  check_same(split, welded);
  CHECK(split.control.value().passed);
  check_same_figures(split.control->clips.at(0).keys, welded.control->clips.at(0).keys);
}

TEST_CASE("Split files bake as welded ones do with few influences and keys left out") {
  const Files files;
  const auto baked = [&](bool is_split) {
    BakeOptions options = files.options(is_split);
    options.max_influences = 2;
    options.transfer.key_tolerance = 0.05;
    return bake(options);
  };
  const BakeResult welded = baked(false), split = baked(true);
  check_same(split, welded);
  REQUIRE(welded.all_influences.size() == 1);
  check_same_figures(split.all_influences.at(0).keys, welded.all_influences.at(0).keys);
  REQUIRE(welded.clips[0].thinning);
  CHECK(split.clips[0].thinning->deviation <= 0.05);
}

TEST_CASE("Clips of split files are measured as they were when baked") {
  const Files files;
  BakeOptions options = files.options(true);
  const BakeResult result = bake(options);
  options.rig = options.output, options.output.clear();
  ArtistSession session(options.artist);
  const BakeResult found = appraise(session, open_rig_file(options.rig), options);
  const Figures &a = found.clips.at(0).keys, &b = result.clips.at(0).keys;
  CHECK(*a.quality == Approx(*b.quality).margin(1e-9));
  CHECK(a.p99 == Approx(b.p99).epsilon(1e-9));
  CHECK(a.worst_place.vertex == b.worst_place.vertex);
}

TEST_CASE("The control of a split file passes as that of a welded one") {
  const Files files;
  for (const bool is_split : {false, true}) {
    ControlOptions options;
    options.artist = files.options(is_split).artist;
    const Control control = pelt::control(options).control;
    CHECK(control.passed);
    CHECK(control.mean < 1e-5);
  }
}
