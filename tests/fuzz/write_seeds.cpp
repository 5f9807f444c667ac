// Writes the seed corpus: FOLDER/<target>/<name>.
#include <cstdio>

#include "seeds.h"
#include "tests/temp_folder.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_seeds FOLDER\n", stderr);
    return 1;
  }
  for (const pelt::fuzz::Seed& seed : pelt::fuzz::seeds()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / seed.target;
    std::filesystem::create_directories(folder);
    pelt::test::write_bytes(folder / seed.name, seed.bytes);
  }
  return 0;
}
