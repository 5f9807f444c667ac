// Debian's libdraco exports a tinygltf of its own, of another version and layout than the header's: whichever
// library stands first is taken.

#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <string>

namespace tinygltf {
std::string base64_encode(unsigned char const* bytes, unsigned int length);
}

TEST_CASE("tinygltf is that of its own library") {
  Dl_info where{};
  REQUIRE(dladdr(reinterpret_cast<void*>(&tinygltf::base64_encode), &where) != 0);
  CHECK_THAT(where.dli_fname, Catch::Contains("tinygltf"));
}
