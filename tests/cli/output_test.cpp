// Exit code 4: what was made cannot be written. Root may write anywhere that permits it, so the places here
// are such as nobody can write to.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>

#include "program.h"
#include "tests/file_size_limit.h"
#include "tests/gltf_builder.h"

using namespace pelt::test;
namespace fs = std::filesystem;

namespace {

struct Pair : Desk {
  std::string artist = put("artist.glb", two_joint_strip().glb());
  std::string rig = put("rig.glb", strip_without_clip());
};

/// The strip with so many more joints and keys that a solve of them takes more memory than its size
/// justifies.
GltfBuilder strip_of_many_joints() {
  GltfBuilder b = two_joint_strip();
  std::vector<int> joints{0, 1};
  std::vector<Eigen::Matrix4d> joint_from_bind(2, Eigen::Matrix4d::Identity());
  joint_from_bind[1](1, 3) = -1;
  for (int n = 0; n < 3000; ++n) {
    joints.push_back(b.add_node("more", 0));
    joint_from_bind.push_back(Eigen::Matrix4d::Identity());
  }
  b.json["nodes"][2]["skin"] = b.add_skin(joints, joint_from_bind);
  Eigen::MatrixXd turns = Eigen::MatrixXd::Zero(4, 700);
  std::vector<double> times;
  for (int k = 0; k < 700; ++k) {
    times.push_back(k / 60.0);
    turns(2, k) = std::sin(0.01 * k), turns(3, k) = std::cos(0.01 * k);
  }
  b.add_channel(b.add_animation("Long"), 1, "rotation", times, turns);
  return b;
}

}  // namespace

TEST_CASE("A control that comes to nothing leaves no output and the old one as it was", "[cli]") {
  const Pair pair;
  const std::string many = pair.put("many.glb", strip_of_many_joints().glb());
  for (const std::string threads : {"1", "2"}) {
    const Arguments bake{"bake",   many,   pair.rig,    "-o",   pair / "out.glb",
                         "--clip", "Long", "--threads", threads};
    check_refusal(pair, bake, 2, {"solving 700 frames of 3002 joints"});
  }
  pair.put("out.glb", std::string("old"));
  check_refusal(pair, {"bake", many, pair.rig, "-o", pair / "out.glb", "--clip", "Long", "--threads", "2"}, 2,
                {"solving 700 frames of 3002 joints"});
}

TEST_CASE("An output that cannot be written is refused and nothing of it stays", "[cli]") {
  const Pair pair;
  fs::create_directory(pair / "folder.glb");
  fs::create_symlink("/dev/full", pair / "full.glb");
  fs::create_symlink("nowhere/out.glb", pair / "dangling");
  const std::vector<std::string> places{pair / "no-folder/out.glb",
                                        pair / "artist.glb/out.glb",
                                        pair / "folder.glb",
                                        pair / "full.glb",
                                        pair / "dangling/out.glb",
                                        "/proc/out.glb",
                                        pair / (std::string(300, 'x') + ".glb")};
  for (const std::string& place : places) {
    check_refusal(pair, {"bake", pair.artist, pair.rig, "-o", place}, 4, {place});
    check_refusal(pair, {"control", pair.artist, "-o", place}, 4, {place});
  }
}

TEST_CASE("A report that obviously cannot be written is refused before anything is", "[cli]") {
  const Pair pair;
  fs::create_directory(pair / "folder.json");
  for (const std::string& place : {pair / "no-folder/r.json", pair / "artist.glb/r.json",
                                   pair / "folder.json", std::string("/dev/full")}) {
    check_refusal(pair, {"bake", pair.artist, pair.rig, "-o", pair / "out.glb", "--report", place}, 4,
                  {place});
    check_refusal(pair, {"control", pair.artist, "-o", pair / "out.glb", "--report", place}, 4, {place});
  }
}

TEST_CASE("A report that fails at the end leaves the finished output", "[cli]") {
  const Pair pair;
  const Arguments bake{"bake", pair.artist, pair.rig, "-o", pair / "out.glb"};
  check_success(pair, bake, {"out.glb"});
  const auto expected = read_bytes(pair / "out.glb");
  fs::remove(pair / "out.glb");
  Arguments with_report = bake;
  with_report.insert(with_report.end(), {"--report", "/proc/report.json"});
  const Outcome run = run_pelt(with_report);
  CHECK(run.exit == 4);
  CHECK(lines_of(run.err).size() == 1);
  CHECK_THAT(run.err, Catch::Contains("/proc/report.json"));
  CHECK(read_bytes(pair / "out.glb") == expected);
  CHECK(pair.contents().size() == 3);
}

TEST_CASE("An old output stays as it was when the new one fails", "[cli]") {
  const Pair pair;
  pair.put("out.glb", std::string("old"));
  check_refusal(pair, {"bake", pair.artist, pair / "missing.glb", "-o", pair / "out.glb"}, 2,
                {"missing.glb"});
  check_success(pair, {"control", pair.artist, "-o", pair / "new.glb"}, {"new.glb"});
}

TEST_CASE("A write that breaks off leaves the old files whole", "[cli]") {
  const Pair pair;
  const auto bake = [&](const std::string& out) {
    return Arguments{"bake", pair.artist, pair.rig, "-o", pair / out, "--report", pair / "r.json"};
  };
  for (const std::string name : {"out.glb", "out.gltf"}) {
    CHECK(run_pelt(bake(name)).exit == 0);
    const auto size = fs::file_size(pair / name), report_size = fs::file_size(pair / "r.json");
    REQUIRE(size < report_size);
    for (const auto& file : fs::directory_iterator(pair.folder.path()))
      if (file.path() != pair.artist && file.path() != pair.rig)
        pair.put(file.path().filename(), std::string("old"));
    for (const std::uintmax_t bytes : {std::uintmax_t{300}, size - 1}) {
      const FileSizeLimit limit(bytes);
      check_refusal(pair, bake(name), 4, {pair / "out.", ": cannot be written"});
    }
    const FileSizeLimit limit(report_size - 1);
    const Outcome run = run_pelt(bake(name));
    CHECK(run.exit == 4);
    CHECK_THAT(run.err, Catch::Contains("r.json: cannot be written"));
    CHECK(fs::file_size(pair / name) == size);
    CHECK(read_bytes(pair / "r.json") == std::vector<std::uint8_t>{'o', 'l', 'd'});
  }
  CHECK(pair.folder.names() ==
        std::vector<std::string>{"artist.glb", "out.glb", "out.gltf", "out.pelt.bin", "r.json", "rig.glb"});
}

/// A file system of that many pages that one shell command sees as `folder`; false where users may not have
/// one.
bool on_small_disk(const fs::path& folder, int pages, const std::string& command) {
  const std::string mount =
      "mount -t tmpfs -o size=" + std::to_string(4 * pages) + "k none " + folder.string();
  const std::string unshare = "unshare --mount --map-root-user sh -c '" + mount;
  if (std::system((unshare + "' 2>/dev/null").c_str()) != 0) return false;
  CHECK(std::system((unshare + " && " + command + "'").c_str()) == 0);
  return true;
}

TEST_CASE("A full disk leaves the old files whole", "[cli]") {
  const Pair pair;
  const std::string disk = pair / "disk";
  fs::create_directory(disk);
  pair.put("old", std::string(3000, 'x'));
  // two pages for the old files, two for a third that fills the rest, none for the new ones
  const std::string command =
      "cd " + disk + " && cp ../old out.glb && cp ../old r.json && head -c 8192 /dev/zero > rest; " +
      PELT_PROGRAM + " bake ../artist.glb ../rig.glb -o out.glb --report r.json > ../stdout 2> ../stderr; " +
      "[ $? = 4 ] && cmp ../old out.glb && cmp ../old r.json && [ \"$(ls -A | tr \"\\n\" /)\" = "
      "out.glb/r.json/rest/ ]";
  if (!on_small_disk(disk, 4, command)) {
    WARN("skipped: a full disk (no user may mount one here)");
    return;
  }
  const std::vector<std::uint8_t> error = read_bytes(pair / "stderr");
  CHECK_THAT(std::string(error.begin(), error.end()),
             Catch::Contains("out.glb: cannot be written: No space left"));
}

TEST_CASE("A standard output that takes nothing is told", "[cli]") {
  const Pair pair;
  for (const char* nowhere : {"/dev/full", "-"}) {
    for (const Arguments& arguments : {Arguments{"--help"},
                                       {"--version"},
                                       {"inspect", pair.artist},
                                       {"control", pair.artist},
                                       {"control", pair / "../none"}}) {
      const Outcome run = run_pelt(arguments, nowhere);
      CHECK(run.exit == (arguments.back() == pair / "../none" ? 2 : 4));
      CHECK(lines_of(run.err).size() == 1);
    }
    // what was asked for as a file is there all the same
    const std::string out = pair / "out.glb", report = pair / "r.json";
    const Arguments bake{"bake", pair.artist, pair.rig, "-o", out, "--report", report};
    CHECK(run_pelt(bake, nowhere).exit == 4);
    CHECK(fs::remove(out));
    CHECK(fs::remove(report));
    CHECK(run_pelt({"control", pair.artist, "--quiet"}, nowhere).exit == 0);
  }
}
