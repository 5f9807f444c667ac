#include <pelt/batch/manifest.h>
#include <pelt/batch/run_batch.h>
#include <pelt/batch/score_table.h>

#include <iostream>

int main(int, char** argv) {
  const std::vector<pelt::Job> pairs = pelt::ordered(pelt::read_manifest(argv[1], {}));
  std::cout << pelt::score_text(pelt::field_of(pelt::run_batch(pairs, {}).rows));
}
