// What fuzzing started from and what it found, without a fuzzer.
#include <catch2/catch.hpp>
#include <map>

#include "seeds.h"
#include "targets.h"
#include "tests/temp_folder.h"

namespace pelt::fuzz {
namespace {

const std::map<std::string, Target*> targets = {{"reader", fuzz_reader},
                                                {"obj", fuzz_obj},
                                                {"mdd", fuzz_mdd},
                                                {"pc2", fuzz_pc2},
                                                {"text_rig", fuzz_text_rig},
                                                {"alignment", fuzz_alignment},
                                                {"manifest_csv", fuzz_manifest_csv},
                                                {"manifest_json", fuzz_manifest_json},
                                                {"rows", fuzz_rows}};

}  // namespace

TEST_CASE("every seed of the fuzzers is read", "[fuzz]") {
  for (const Seed& seed : seeds()) {
    INFO(seed.target << "/" << seed.name);
    CHECK(targets.at(seed.target)(seed.bytes) == 1);
  }
}

TEST_CASE("what the fuzzers found stays mended", "[fuzz]") {
  const std::filesystem::path finds = std::filesystem::path(PELT_SOURCE_DIR) / "tests/fuzz/finds";
  for (const auto& [name, target] : targets) {
    if (!std::filesystem::exists(finds / name)) continue;
    for (const auto& find : std::filesystem::directory_iterator(finds / name)) {
      INFO(find.path());
      CHECK_NOTHROW(target(test::read_bytes(find.path())));
    }
  }
}

}  // namespace pelt::fuzz
