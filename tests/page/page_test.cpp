// A page's packs are taken apart again, and what they make of a clip is held against the written file as it
// is read and skinned by io, and against the figures of the report.

#include "page/page.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include "data/quadruped_files.h"
#include "io/gltf_reader.h"
#include "io/pose.h"
#include "io/report.h"
#include "page/page_rig.h"
#include "tests/gltf_builder.h"
#include "tests/io/point_files.h"
#include "tests/page/pack_reader.h"
#include "tests/temp_folder.h"

using namespace pelt;
using test::ReadPack;

namespace {

/// A clip of a pack at one of its times.
struct Frame {
  const ReadPack& pack;
  const nlohmann::json& motion;
  std::size_t key = 0;
};

Eigen::Matrix3Xd from_matrices(const Frame& frame) {
  const nlohmann::json& skin = frame.pack.header["skin"];
  const auto numbers = [&](const char* name) { return frame.pack.numbers(skin[name]); };
  const auto position = numbers("position"), count = numbers("influences"), bone = numbers("bone"),
             weight = numbers("weight");
  const auto matrices = frame.pack.numbers(frame.motion["matrices"]);
  const std::size_t bones = skin["bones"];
  Eigen::Matrix3Xd surface = Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(count.size()));
  std::size_t k = 0;
  for (Eigen::Index i = 0; i < surface.cols(); ++i) {
    const Eigen::Vector4d p(position[3 * i], position[3 * i + 1], position[3 * i + 2], 1);
    for (int n = 0; n < count[i]; ++n, ++k) {
      const double* rows = matrices.data() + 12 * (frame.key * bones + static_cast<std::size_t>(bone[k]));
      surface.col(i) += weight[k] * Eigen::Map<const Eigen::Matrix<double, 3, 4, Eigen::RowMajor>>(rows) * p;
    }
  }
  return surface;
}

Eigen::Matrix3Xd from_positions(const Frame& frame) {
  const auto steps = frame.pack.numbers(frame.motion["positions"]);
  const Eigen::Index count = frame.pack.header["vertices"];
  Eigen::Matrix3Xd surface(3, count);
  for (Eigen::Index i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) {
      const double low = frame.motion["low"][k], high = frame.motion["high"][k];
      surface(k, i) = low + (high - low) * steps[3 * (frame.key * count + i) + k] / 65535;
    }
  return surface;
}

Eigen::Matrix3Xd surface_of(const Frame& frame) {
  return frame.motion.contains("matrices") ? from_matrices(frame) : from_positions(frame);
}

Eigen::Vector3d column(const Eigen::Matrix3Xd& points, double index) {
  return points.col(static_cast<Eigen::Index>(index));
}

/// Where the rig's vertices belong when the artist's surface is there; NaN where they belong nowhere.
Eigen::Matrix3Xd targets(const ReadPack& rig, const Eigen::Matrix3Xd& artist) {
  const nlohmann::json& match = rig.header["match"];
  const auto numbers = [&](const char* name) { return rig.numbers(match[name]); };
  const auto corner = numbers("corner"), share = numbers("barycentric"), carried = numbers("carried"),
             carrier = numbers("carrier"), offset = numbers("offset");
  Eigen::Matrix3Xd out(3, static_cast<Eigen::Index>(corner.size() / 3));
  for (Eigen::Index i = 0; i < out.cols(); ++i) {
    if (corner[3 * i] == 4294967295.0) {
      out.col(i).setConstant(NAN);
      continue;
    }
    out.col(i) = share[2 * i] * column(artist, corner[3 * i]) +
                 share[2 * i + 1] * column(artist, corner[3 * i + 1]) +
                 (1 - share[2 * i] - share[2 * i + 1]) * column(artist, corner[3 * i + 2]);
  }
  for (std::size_t n = 0; n < carried.size(); ++n) {
    const Eigen::Vector3d a = column(artist, carrier[3 * n]), b = column(artist, carrier[3 * n + 1]),
                          c = column(artist, carrier[3 * n + 2]);
    const Eigen::Vector3d x = (b - a).normalized(), z = (b - a).cross(c - a).normalized(), y = z.cross(x);
    out.col(static_cast<Eigen::Index>(carried[n])) +=
        offset[3 * n] * x + offset[3 * n + 1] * y + offset[3 * n + 2] * z;
  }
  return out;
}

struct Baked {
  test::TempFolder folder;
  BakeOptions options;
  BakeResult result;
  std::string html;
  nlohmann::json page;
  std::filesystem::path output;

  ReadPack pack(const std::string& id) const { return test::read_pack(test::pack_of(html, id)); }
};

void make_page(Baked& baked) {
  PageRig shown;
  baked.result =
      bake(baked.options, [&](const ArtistSession& artist, const RigFile& rig, const BakeResult& result) {
        shown = page_rig(artist, rig, baked.options, result);
      });
  shown.name = "a </script> name";
  const Page page{"bake", bake_report(baked.options, baked.result), {shown, shown}};
  baked.html = html_of(page, "<title><!--title--></title><body><!--packs--></body>");
  baked.page = baked.pack("page").header;
}

void bake_quadruped(const std::string& rig, Baked& baked) {
  for (const QuadrupedFile& file : make_quadruped_files())
    if (file.name.find(rig) != std::string::npos || file.name.find("artist") != std::string::npos)
      test::write_bytes(baked.folder / file.name, file.bytes);
  baked.options.artist = baked.folder / "quadruped-artist.glb";
  baked.options.rig = baked.folder / ("quadruped-" + rig + ".glb");
  baked.options.output = baked.folder / "out.glb";
  make_page(baked);
}

/// Every drawn key of the first mode against the written file, and its error against the report.
void check_page(const Baked& baked) {
  const ReadPack artist = baked.pack("artist-0"), rig = baked.pack("rig-0");
  const Scene written = read_scene(read_document(baked.options.output));
  const Eigen::Matrix4d artist_from_rig = baked.result.matching.alignment.artist_from_rig;
  const double diag = baked.page["artists"][0]["diag"];
  const auto share = rig.numbers(rig.header["share"]);
  CHECK(Eigen::Map<const Eigen::VectorXd>(share.data(), static_cast<Eigen::Index>(share.size())).sum() ==
        Approx(1).margin(1e-5));
  const nlohmann::json& clips = rig.header["modes"][0]["clips"];
  REQUIRE(clips.size() == baked.result.clips.size());
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const auto times = rig.numbers(clips[c]["times"]), sampled = rig.numbers(clips[c]["sampled"]);
    CHECK(times == artist.numbers(artist.header["clips"][c]["times"]));
    const auto& frames = baked.result.clips[c].keys.frames;
    REQUIRE(sampled.size() == frames.size());
    for (std::size_t f = 0; f < frames.size(); f += 5) {
      const auto key = static_cast<std::size_t>(sampled[f]);
      INFO(clips[c]["name"] << " at " << times[key]);
      const Eigen::Matrix3Xd drawn = surface_of({rig, clips[c]["motion"], key});
      const Eigen::Matrix3Xd read = surface_at(written, pose_at(written, written.clips[c], times[key]));
      const Eigen::Matrix3Xd there = (artist_from_rig * read.colwise().homogeneous()).topRows<3>();
      CHECK((drawn - there).colwise().norm().maxCoeff() < 1e-5 * diag);
      const Eigen::Matrix3Xd target =
          targets(rig, surface_of({artist, artist.header["clips"][c]["motion"], key}));
      double mean = 0, worst = 0;
      for (Eigen::Index i = 0; i < drawn.cols(); ++i) {
        if (!(share[i] > 0)) continue;
        const double error = 100 * (drawn.col(i) - target.col(i)).norm() / diag;
        mean += share[i] * error;
        worst = std::max(worst, error);
      }
      CHECK(mean == Approx(frames[f].mean).margin(1e-3));
      CHECK(worst == Approx(frames[f].worst).margin(1e-2));
    }
  }
}

}  // namespace

TEST_CASE("A page draws what was written and errs as the report says") {
  const std::string rig = GENERATE("straight-legs", "subdivided", "posed-rest");
  Baked baked;
  bake_quadruped(rig, baked);
  check_page(baked);
}

TEST_CASE("A page draws an artist that points move as well") {
  Baked baked;
  for (const QuadrupedFile& file : make_quadruped_files())
    test::write_bytes(baked.folder / file.name, file.bytes);
  const Scene artist = read_scene(read_document(baked.folder / "quadruped-artist.glb"));
  const Surface rest = rest_surface(artist);
  test::Frames frames;
  const std::vector<double> times{0, 0.04, 0.08, 0.12, 0.16, 0.2};
  for (const double time : times)
    frames.push_back(surface_at(artist, pose_at(artist, artist.clips[0], time)));
  test::write_bytes(baked.folder / "rest.obj", test::obj_of(rest.positions, rest.triangles));
  test::write_bytes(baked.folder / "Walk.mdd", test::mdd_of(frames, times));
  baked.options.artist = baked.folder / "rest.obj";
  baked.options.points.files = {baked.folder / "Walk.mdd"};
  baked.options.rig = baked.folder / "quadruped-straight-legs.glb";
  baked.options.output = baked.folder / "out.glb";
  make_page(baked);
  CHECK(baked.pack("artist-0").header["clips"][0]["motion"].contains("positions"));
  check_page(baked);
}

TEST_CASE("A page has an artist of several rigs once, and no text that ends its elements") {
  Baked baked;
  bake_quadruped("straight-legs", baked);
  CHECK(baked.page["format"] == 1);
  CHECK(baked.page["artists"].size() == 1);
  REQUIRE(baked.page["rigs"].size() == 2);
  CHECK(baked.page["rigs"][1]["artist"] == 0);
  CHECK(baked.page["rigs"][1]["pack"] == "rig-1");
  CHECK(baked.page["rigs"][0]["name"] == "a </script> name");
  CHECK(baked.page["report"]["clips"].size() == baked.result.clips.size());
  CHECK(test::pack_of(baked.html, "artist-1").empty());
  std::size_t ends = 0;
  for (std::size_t at = 0; (at = baked.html.find("</script>", at)) != std::string::npos; ++at) ++ends;
  CHECK(ends == 4);
}

TEST_CASE("Joints of a page travel as the report says") {
  Baked baked;
  bake_quadruped("scattered", baked);
  const ReadPack rig = baked.pack("rig-0");
  const nlohmann::json &joints = rig.header["joints"], &clip = rig.header["modes"][0]["clips"][0];
  const auto bone = rig.numbers(joints["bone"]), origin = rig.numbers(joints["origin"]),
             from = rig.numbers(joints["travel_from"]), sampled = rig.numbers(clip["sampled"]),
             matrices = rig.numbers(clip["motion"]["matrices"]);
  const std::size_t bones = rig.header["skin"]["bones"];
  const auto moved = [&](double key, double b, const double* point) {
    const double* rows =
        matrices.data() + 12 * (static_cast<std::size_t>(key) * bones + static_cast<std::size_t>(b));
    return Eigen::Vector3d(Eigen::Map<const Eigen::Matrix<double, 3, 4, Eigen::RowMajor>>(rows) *
                           Eigen::Vector4d(point[0], point[1], point[2], 1));
  };
  for (std::size_t j = 0; j < bone.size(); ++j) {
    const int parent = joints["parent"][j];
    INFO(joints["name"][j]);
    if (parent < 0) {
      CHECK(std::isnan(from[3 * j]));
      continue;
    }
    double mean = 0;
    for (const double key : sampled)
      mean += 100 / baked.result.diag / static_cast<double>(sampled.size()) *
              (moved(key, bone[j], &origin[3 * j]) - moved(key, bone[parent], &from[3 * j])).norm();
    if (std::isnan(from[3 * j])) mean = 0;
    CHECK(mean == Approx(baked.result.clips[0].joint_travel[j]).margin(1e-3));
  }
}
