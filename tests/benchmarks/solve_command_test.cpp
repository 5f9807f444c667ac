#include <catch2/catch.hpp>
#include <cstdio>
#include <cstring>
#include <string>

#include "experiments/benchmarks/commands.h"
#include "tests/temp_folder.h"

using namespace pelt;
using namespace pelt::bench;

namespace {

/// What a command prints, line by line under its first words.
std::string printed_after(const std::string& text, const std::string& words) {
  const std::size_t first = text.find(words);
  return first == std::string::npos ? "" : text.substr(first, text.find('\n', first) - first);
}

std::string solve(const test::TempFolder& folder, int threads) {
  std::FILE* out = std::tmpfile();
  run_solve({folder / "dump", folder / "solution", threads, 1, out});
  std::string text(static_cast<std::size_t>(std::ftell(out)), ' ');
  std::rewind(out);
  CHECK(std::fread(text.data(), 1, text.size(), out) == text.size());
  std::fclose(out);
  return text;
}

}  // namespace

TEST_CASE("A problem dump is solved, and the solution lies as its truth does") {
  const test::TempFolder folder;
  const RigDump animal = exact_animal({.vertices = 800, .joints = 12, .frames = 3});
  write_dump(animal, folder / "dump");
  for (const int threads : {1, 2}) {
    const std::string text = solve(folder, threads);
    CHECK_THAT(text, Catch::StartsWith("800 vertices"));
    for (const char* stage :
         {"moments of the rig", "moments of the targets", "  starts", "  sweeps", "  finish"})
      CHECK_THAT(printed_after(text, stage), Catch::Contains(" ms"));
    double mean = 1, rms = 1, max = 1;
    CHECK(std::sscanf(printed_after(text, "error / diag").c_str(), "error / diag mean %lf RMS %lf max %lf",
                      &mean, &rms, &max) == 3);
    CHECK((mean <= rms && rms <= max && max < 1e-9));
    const std::vector<std::uint8_t> bytes = test::read_bytes(folder / "solution");
    REQUIRE(bytes.size() == sizeof(double) * 3 * 12 * 12);
    for (int f = 0; f < 3; ++f)
      for (int j = 0; j < 12; ++j) {
        Eigen::Matrix<double, 3, 4, Eigen::RowMajor> found;
        std::memcpy(found.data(), bytes.data() + sizeof(double) * 12 * (12 * f + j), sizeof(double) * 12);
        CHECK((found - animal.truth[f][j]).cwiseAbs().maxCoeff() < 1e-8);
      }
  }
}
