// Exit code 1: what the program is asked to do makes no sense. It is told before anything is written.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "io/report.h"
#include "program.h"
#include "tests/gltf_builder.h"

using namespace pelt::test;
namespace fs = std::filesystem;

namespace {

/// A small artist and a rig, and the command that bakes one onto the other.
struct Pair : Desk {
  std::string artist = put("artist.glb", two_joint_strip().glb());
  std::string rig = put("rig.glb", strip_without_clip());
  std::string output = *this / "out.glb";

  Arguments bake(const Arguments& more = {}) const {
    Arguments arguments{"bake", artist, rig, "-o", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

}  // namespace

TEST_CASE("Help and version are no errors", "[cli]") {
  for (const Arguments& arguments :
       {Arguments{"--help"}, {"bake", "--help"}, {"control", "--help"}, {"inspect", "-h"}}) {
    const Outcome run = run_pelt(arguments);
    CHECK(run.exit == 0);
    CHECK(run.err.empty());
    CHECK_THAT(run.out, Catch::Contains("Usage: pelt"));
  }
  const Outcome version = run_pelt({"--version"});
  CHECK(version.exit == 0);
  CHECK(version.out == std::string(pelt::version()) + "\n");
}

TEST_CASE("The help names every option that the manual has", "[cli]") {
  const std::string help = run_pelt({"bake", "--help"}).out + run_pelt({"inspect", "--help"}).out;
  std::string manual;
  for (const std::uint8_t byte : read_bytes(fs::path(PELT_SOURCE_DIR) / "docs" / "command-line.md"))
    manual += static_cast<char>(byte);
  int options = 0;
  for (std::size_t at = manual.find("| `-"); at != std::string::npos; at = manual.find("| `-", at + 1)) {
    const std::size_t first = manual.find("--", at), last = manual.find_first_of(" `", first);
    CHECK_THAT(help, Catch::Contains(manual.substr(first, last - first)));
    ++options;
  }
  CHECK(options > 10);
}

TEST_CASE("A command line that makes no sense is refused in one line", "[cli]") {
  const Pair pair;
  check_refusal(pair, {}, 1, {"subcommand", "--help"});
  check_refusal(pair, {"bark"}, 1, {"'bark'"});
  check_refusal(pair, {"bake"}, 1, {"ARTIST"});
  check_refusal(pair, {"bake", pair.artist, "-o", pair.output}, 1, {"RIG"});
  check_refusal(pair, {"bake", pair.artist, pair.rig}, 1, {"--output"});
  check_refusal(pair, {"bake", pair.artist, pair.rig, "-o"}, 1, {"--output"});
  check_refusal(pair, {"inspect"}, 1, {"FILE"});
  check_refusal(pair, pair.bake({"another.glb"}), 1, {"'another.glb'"});
  check_refusal(pair, pair.bake({"--frobnicate"}), 1, {"'--frobnicate'"});
  check_refusal(pair, {"bake", "--frobnicate"}, 1, {"'--frobnicate'"});
  check_refusal(pair, {"control", pair.artist, "--replace"}, 1, {"'--replace'"});
  for (const char* list : {"turn", "free,turn", "free,", "", "Free"})
    check_refusal(pair, pair.bake({"--joints", list}), 1, {"--joints", "free, rotate, stretch or scale"});
  check_refusal(pair, pair.bake({"--joints", "free,rotate,free"}), 1, {"joints", "'free'", "twice"});
  check_refusal(pair, pair.bake({"--stretch", "1"}), 1, {"--stretch", "--joints"});
  check_refusal(pair, pair.bake({"--stretch", "1", "--joints", "rotate,free"}), 1, {"--stretch", "--joints"});
  check_refusal(pair, {"control", pair.artist, "--joints", "rotate"}, 1, {"--joints"});
  check_refusal(pair, pair.bake({"--weighting", "mass"}), 1, {"--weighting", "mass", "area"});
  check_refusal(pair, pair.bake({"--quality", "integrated"}), 1, {"--quality", "--manifest"});
  check_refusal(pair, pair.bake({"--loss", "cubes"}), 1, {"--loss", "cubes", "squares"});
  check_refusal(pair, {"control", pair.artist, "--loss", "distance"}, 1, {"--loss"});
  check_refusal(pair, pair.bake({"--match", "pose"}), 1, {"--match", "pose", "rest"});
}

#ifdef PELT_JEMALLOC
TEST_CASE("The program's memory comes in large pages and from one arena", "[cli]") {
  setenv("MALLOC_CONF", "stats_print:true", 1);  // jemalloc tells what it goes by when a program ends
  const Outcome run = run_pelt({"--version"});
  unsetenv("MALLOC_CONF");
  CHECK(run.exit == 0);
  CHECK_THAT(run.err, Catch::Contains("opt.narenas: 1\n"));
  CHECK_THAT(run.err,
             Catch::Contains("opt.thp: \"always\"") || Catch::Contains("opt.thp: \"not supported\""));
}
#endif

TEST_CASE("Numbers outside their range are refused by the option's name", "[cli]") {
  const Pair pair;
  for (const char* number : {"0", "-1", "nan", "inf", "1e999", "much", "", "24fps"})
    check_refusal(pair, pair.bake({"--fps", number}), 1, {"--fps: '" + std::string(number) + "'"});
  for (const char* number : {"-0.1", "nan", "inf", "stiff"})
    for (const std::string option : {"--stiffness", "--stretch"})
      check_refusal(pair, pair.bake({"--joints", "stretch", option, number}), 1,
                    {option + ": '" + number + "'"});
  for (const char* number : {"-0.1", "nan", "inf", "few"})
    check_refusal(pair, pair.bake({"--key-tolerance", number}), 1,
                  {"--key-tolerance: '" + std::string(number) + "'"});
  for (const std::string option : {"--stiffness", "--stretch"})
    check_refusal(pair, pair.bake({"--joints", "stretch", option, "1e7"}), 1,
                  {option + ": '1e7'", "--joints rotate"});
  for (const char* number : {"0", "-4", "2.5", "nan", "four"})
    check_refusal(pair, pair.bake({"--max-influences", number}), 1, {"--max-influences"});
  for (const char* option : {"--key-tolerance", "--max-influences"})
    check_refusal(pair, {"control", pair.artist, option, "4"}, 1, {option});
  for (const char* number : {"nan", "-inf", "good"})
    check_refusal(pair, pair.bake({"--min-quality", number}), 1,
                  {"--min-quality: '" + std::string(number) + "'"});
  for (const char* number : {"0", "-2", "1.5", "4000000000", "all"})
    check_refusal(pair, pair.bake({"--threads", number}), 1, {"--threads"});
  check_refusal(pair, pair.bake({"--fps", "1e300"}), 1, {"'Bend'", "1e+300", "million"});
}

TEST_CASE("A clip that is not there or could be any of several is refused with those there are", "[cli]") {
  Pair pair;
  GltfBuilder artist = two_joint_strip();
  artist.json["animations"][0]["name"] = "Left|Bend";
  artist.json["animations"].push_back(artist.json["animations"][0]);
  artist.json["animations"][1]["name"] = "Right|Bend";
  pair.put("artist.glb", artist.glb());
  check_refusal(pair, pair.bake({"--clip", "Walk"}), 1,
                {pair.artist, "'Walk'", "Left|Bend (#0), Right|Bend (#1)"});
  check_refusal(pair, pair.bake({"--clip", "#2"}), 1,
                {pair.artist, "'#2'", "Left|Bend (#0), Right|Bend (#1)"});
  check_refusal(pair, pair.bake({"--clip", "Left|Bend", "--clip", "Bend"}), 1,
                {pair.artist, "'Bend'", "Left|Bend (#0), Right|Bend (#1)", "#index"});
  check_refusal(pair, {"control", pair.artist, "--clip", ""}, 1, {pair.artist, "''"});
}

TEST_CASE("An output that is an input is refused by whatever way it is named", "[cli]") {
  const Pair pair;
  fs::create_symlink(pair.artist, pair / "link.glb");
  fs::create_hard_link(pair.artist, pair / "hard.glb");
  fs::create_directory_symlink(pair.folder.path(), pair / "folder");
  const std::vector<std::string> names{pair.artist,
                                       pair.rig,
                                       pair / "link.glb",
                                       pair / "hard.glb",
                                       pair / "folder/artist.glb",
                                       pair / "./artist.glb",
                                       fs::relative(pair.rig).string()};
  for (const std::string& name : names) {
    check_refusal(pair, {"bake", pair.artist, pair.rig, "-o", name}, 1, {name, "input"});
    check_refusal(pair, pair.bake({"--report", name}), 1, {name, "input"});
    if (name != pair.rig && name != names.back())
      check_refusal(pair, {"control", pair.artist, "-o", name}, 1, {name, "input"});
  }
  check_refusal(pair, pair.bake({"--report", pair.output}), 1, {pair.output, "output"});
  check_refusal(pair, pair.bake({"--report", pair / "folder/out.glb"}), 1, {"folder/out.glb", "output"});
}

TEST_CASE("An output that names no container is refused", "[cli]") {
  const Pair pair;
  for (const char* name : {"out", "out.fbx", "out.glb.tmp", ".glb"})
    check_refusal(pair, {"bake", pair.artist, pair.rig, "-o", pair / name}, 1,
                  {pair / name, ".glb or .gltf"});
  check_refusal(pair, {"control", pair.artist, "-o", pair / "out.json"}, 1, {"out.json", ".glb or .gltf"});
}
