#include "io/obj.h"

#include <stdexcept>

#include "io/io_error.h"
#include "targets.h"

namespace pelt::fuzz {

int fuzz_obj(std::span<const std::uint8_t> bytes) {
  try {
    const ObjMesh mesh = parse_obj({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "fuzz.obj");
    if (!mesh.positions.allFinite()) throw std::logic_error("a vertex that is not finite");
    if (mesh.triangles.size() > 0 &&
        (mesh.triangles.minCoeff() < 0 || mesh.triangles.maxCoeff() >= mesh.positions.cols()))
      throw std::logic_error("a corner that is no vertex");
    return 1;
  } catch (const ReadError&) {
    return 0;
  }
}

}  // namespace pelt::fuzz
