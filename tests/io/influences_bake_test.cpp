// Baking for an engine that takes a few weights a vertex (io/limit_influences.h has the cut itself).
#include <algorithm>
#include <catch2/catch.hpp>

#include "data/quadruped_files.h"
#include "io/bake.h"
#include "io/gltf_reader.h"
#include "tests/fixtures.h"
#include "tests/gltf_builder.h"
#include "tests/json_diff.h"
#include "tests/temp_folder.h"

using namespace pelt;
using test::TempFolder;

namespace {

constexpr int kSlots = 8;

std::vector<std::uint8_t> quadruped(const std::string& name) {
  for (const QuadrupedFile& file : make_quadruped_files())
    if (file.name == "quadruped-" + name + ".glb") return file.bytes;
  FAIL("no quadruped " << name);
  return {};
}

struct Weights {
  Eigen::MatrixXd joints, weights;  ///< slots x vertices
};

/// Eight joints a vertex, no two weights of a vertex alike: the file's own first, some of any after them.
Weights eight_influences(const Scene& scene) {
  test::Random random;
  const Part& part = scene.parts[0];
  const int joints = static_cast<int>(scene.skins[part.skin].joints.size());
  Weights w{Eigen::MatrixXd::Zero(kSlots, part.vertices), Eigen::MatrixXd::Zero(kSlots, part.vertices)};
  for (int v = 0; v < part.vertices; ++v)
    for (int slot = 0; slot < kSlots; ++slot) {
      int joint = slot == 0 ? part.joints(0, v) : random.below(joints);
      while (slot > 0 && (w.joints.col(v).head(slot).array() == joint).any()) joint = random.below(joints);
      w.joints(slot, v) = joint;
      w.weights(slot, v) = slot == 0 ? 1 : random.uniform(0.01, 0.06);
    }
  w.weights.array().rowwise() /= w.weights.colwise().sum().array();
  return w;
}

/// The four largest weights, scaled to sum to one.
Weights four_of(const Weights& all) {
  Weights four{Eigen::MatrixXd::Zero(4, all.joints.cols()), Eigen::MatrixXd::Zero(4, all.joints.cols())};
  for (Eigen::Index v = 0; v < all.joints.cols(); ++v) {
    std::vector<std::pair<double, double>> sorted;
    for (int slot = 0; slot < kSlots; ++slot) sorted.emplace_back(-all.weights(slot, v), all.joints(slot, v));
    std::sort(sorted.begin(), sorted.end());
    for (int slot = 0; slot < 4; ++slot) {
      four.weights(slot, v) = -sorted[slot].first;
      four.joints(slot, v) = sorted[slot].second;
    }
    four.weights.col(v) /= four.weights.col(v).sum();
  }
  return four;
}

/// The rig's file with other weights.
std::vector<std::uint8_t> with_weights(const std::vector<std::uint8_t>& rig, const Weights& w) {
  Document document = parse_document(rig, "rig.glb");
  test::GltfBuilder b;
  b.json = document.json;
  b.bin = document.bin;
  for (int set = 0; set < w.joints.rows() / 4; ++set) {
    const int joints = b.add_accessor(w.joints.middleRows(4 * set, 4), {.component = test::Component::u8});
    const int weights = b.add_accessor(w.weights.middleRows(4 * set, 4));
    b.primitive(0)["attributes"]["JOINTS_" + std::to_string(set)] = joints;
    b.primitive(0)["attributes"]["WEIGHTS_" + std::to_string(set)] = weights;
  }
  return b.glb();
}

/// The quadruped's artist and a rig with eight influences a vertex; the four largest of each in another file.
struct Files {
  TempFolder folder;
  Files() {
    const std::vector<std::uint8_t> rig = quadruped("straight-legs");
    const Weights all = eight_influences(read_scene(parse_document(rig, "rig.glb")));
    test::write_bytes(folder / "artist.glb", quadruped("artist"));
    test::write_bytes(folder / "eight.glb", with_weights(rig, all));
    test::write_bytes(folder / "four.glb", with_weights(rig, four_of(all)));
  }
  BakeOptions onto(const std::string& rig, int max_influences) const {
    BakeOptions options;
    options.artist = folder / "artist.glb";
    options.rig = folder / rig;
    options.output = folder / "out.glb";
    options.clips = {"Walk"};
    options.max_influences = max_influences;
    return options;
  }
};

}  // namespace

TEST_CASE("A rig of eight influences baked for four equals a rig whose weights were cut to four") {
  const Files files;
  const BakeResult limited = bake(files.onto("eight.glb", 4));
  CHECK(test::forbidden_edits(read_document(files.folder / "eight.glb"),
                              read_document(files.folder / "out.glb"))
            .empty());  // the weights of the file among them
  const BakeResult cut = bake(files.onto("four.glb", 0)), all = bake(files.onto("eight.glb", 0));
  const ClipTransfer &a = limited.clips[0], &b = cut.clips[0];
  CHECK(*a.keys.quality == Approx(*b.keys.quality).epsilon(1e-5));
  CHECK(a.keys.rms == Approx(b.keys.rms).epsilon(1e-5));
  CHECK(a.between.rms == Approx(b.between.rms).epsilon(1e-5));
  CHECK(a.keys.worst == Approx(b.keys.worst).epsilon(1e-4));
  REQUIRE(a.poses.size() == b.poses.size());
  for (std::size_t f = 0; f < a.poses.size(); ++f)
    for (std::size_t j = 0; j < a.poses[f].size(); ++j)
      CHECK((a.poses[f][j] - b.poses[f][j]).norm() < 1e-4 * limited.diag);
  REQUIRE(limited.all_influences.size() == 1);
  CHECK(limited.all_influences[0].keys.rms == all.clips[0].keys.rms);
  CHECK(limited.all_influences[0].keys.quality == all.clips[0].keys.quality);
  CHECK(std::abs(*a.keys.quality - *all.clips[0].keys.quality) > 0.1);
}

TEST_CASE("What the limit takes from the weights is told") {
  const Files files;
  const Weights all = eight_influences(read_scene(read_document(files.folder / "four.glb")));
  const InfluenceCut cut = *bake(files.onto("eight.glb", 4)).influences;
  CHECK(cut.most == kSlots);
  CHECK(cut.cut == cut.vertices);
  CHECK(cut.vertices == all.joints.cols());
  Eigen::VectorXd lost(all.joints.cols());
  for (Eigen::Index v = 0; v < lost.size(); ++v) {
    Eigen::VectorXd weights = all.weights.col(v);
    std::sort(weights.begin(), weights.end());
    lost(v) = weights.head(4).sum();
  }
  CHECK(cut.mean_lost == Approx(lost.mean()).epsilon(1e-6));
  CHECK(cut.largest_lost == Approx(lost.maxCoeff()).epsilon(1e-6));
}

TEST_CASE("A limit that no vertex reaches changes no byte and solves once") {
  const Files files;
  const BakeResult plain = bake(files.onto("four.glb", 0));
  const auto expected = test::read_bytes(files.folder / "out.glb");
  const BakeResult limited = bake(files.onto("four.glb", 4));
  CHECK(test::read_bytes(files.folder / "out.glb") == expected);
  CHECK_FALSE(plain.influences);
  REQUIRE(limited.influences);
  CHECK(limited.influences->cut == 0);
  CHECK(limited.influences->most == 4);
  CHECK(limited.all_influences.empty());
  CHECK(limited.clips[0].keys.rms == plain.clips[0].keys.rms);
}
