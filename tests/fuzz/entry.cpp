// What libFuzzer calls; PELT_FUZZ_TARGET is set for each program.
#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pelt::fuzz::PELT_FUZZ_TARGET({data, size});
  return 0;
}
