#include "io/text_rig.h"

#include "io/document_of_rig.h"
#include "io/gltf_reader.h"
#include "io/io_error.h"
#include "io/rig_of_scene.h"
#include "targets.h"

namespace pelt::fuzz {

int fuzz_text_rig(std::span<const std::uint8_t> bytes) {
  static const ObjMesh square = parse_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", "fuzz.obj");
  try {
    const TextRig rig =
        parse_text_rig({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "fuzz.txt");
    rig_of_scene(read_scene(document_of_rig(rig, square, {"fuzz.txt", "fuzz.obj"})));
    return 1;
  } catch (const ReadError&) {
    return 0;
  }
}

}  // namespace pelt::fuzz
