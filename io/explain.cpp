// What the reader's own sentences mean to a user. They are told apart by words that the reader's tests pin
// down.
#include <algorithm>
#include <iterator>

#include "health.h"

namespace pelt {
namespace {

struct Explanation {
  const char *words, *check, *cause, *cure;
};

constexpr const char* damaged_packing =
    "the file was changed or cut after it was packed, or its packer was at fault";
constexpr const char* pack_again = "pack it again from its source";
constexpr const char* cut_file = "the file was cut off while it was written or copied";
constexpr const char* copy_again = "copy or export it again";
constexpr const char* tied_wrongly = "a script or a merge tied nodes together wrongly";
constexpr const char* untie = "give each node one parent, and none below itself";

const Explanation explanations[] = {
    {"do not sum to 1", "weight-sums",
     "the rigging tool did not normalise, or lost influences; unnormalised, vertices are drawn towards the "
     "origin",
     "normalise all weights in the tool; pelt does it on reading"},
    {"is not supported: the surface may differ", "ignored-extension",
     "the extension copies or moves parts by rules of its own, which pelt does not follow",
     "apply it in the tool that wrote the file: real copies, keyed motion"},
    {" weights for ", "morph-weights", "targets were added or removed after their weights were set",
     "export the mesh again; pelt takes missing weights as 0"},
    {"joints are outside the scene", "joints-outside-scene",
     "the scene lists only part of the skeleton; viewers leave such joints, and a limb with them, behind",
     "add the topmost of these joints to the scene's nodes, or export the whole armature"},
    {"has a skin but no JOINTS_0", "skin-without-weights",
     "the mesh has lost its weights, so it does not follow the joints",
     "weight the mesh again and export it with its skin"},
    {"are not both there", "broken-weight-set", "an exporter wrote half a set of influences",
     "export again; pelt leaves that set out"},
    {"a rotation key of length", "quaternion-length",
     "an exporter rounded or blended rotations; programs that do not normalise squash the mesh",
     "normalise the rotation keys; pelt does it on reading"},
    {".rotation: of length", "quaternion-length",
     "an exporter rounded or blended rotations; programs that do not normalise squash the mesh",
     "normalise the node's rotation; pelt does it on reading"},
    {"is animated but has a matrix", "animated-matrix",
     "glTF does not allow it; some programs ignore the clip there, and the part stands still",
     "store translation, rotation and scale at that node"},
    {"channels left out: KHR_animation_pointer", "ignored-channels",
     "such channels animate materials, lights and cameras, seldom joints",
     "nothing, unless a limb stands still; then key the joints themselves"},
    {"channels left out: no target node", "ignored-channels", "targets that were deleted",
     "nothing, unless a limb stands still"},
    {"channels left out: what they animate", "ignored-channels",
     "they animate what has no influence on the shape, or an unknown extension",
     "nothing, unless a limb stands still"},
    {"channels left out: their property has a channel", "ignored-channels",
     "two clips were merged into one; programs differ in which channel they play",
     "export the clips one by one"},
    {"channels left out: the mesh of their node", "ignored-channels",
     "morph targets were removed but their animation was kept",
     "remove these channels, or export the targets"},
    {"a weight that is not finite", "bad-weights", "a rigging tool divided by a sum of zero",
     "weight these vertices in the tool"},
    {"all weights are zero", "vertex-without-weights",
     "automatic weights did not reach these vertices; they would lie at the origin, the mesh drawn out to "
     "there",
     "weight these vertices, for instance like their neighbours"},
    {"a weight of -", "bad-weights", "smoothing or a subtraction made weights negative",
     "clamp the weights at 0 and normalise them"},
    {"of a skin of", "joint-out-of-range",
     "the mesh was bound to another skeleton, or an index overflowed 255",
     "bind the mesh to this skin again"},
    {"matrices for", "missing-bind-matrices", "a node without a matrix was put among the joints",
     "export again; each joint needs its matrix"},
    {"is named twice", "joint-twice", "two skeletons were merged", "name each joint of the skin once"},
    {"instead of 0 0 0 1", "bad-matrix", "matrices stored row by row; the mesh is twisted beyond recognition",
     "transpose the matrices: glTF stores them column by column"},
    {"may unfold to", "unfolds-too-far",
     "one mesh or accessor is used thousands of times, or the file is made to exhaust memory",
     "merge or remove the copies"},
    {"is not supported", "unsupported-extension", "the file needs an extension that pelt cannot read",
     "export without it; gltf-transform can unpack compressed files"},
    {"mesh_compression: ", "broken-packing", damaged_packing, pack_again},
    {"mesh_compression.attributes", "broken-packing", damaged_packing, pack_again},
    {"meshopt_compression: ", "broken-packing", damaged_packing, pack_again},
    {": cannot read '", "missing-buffer", "the .bin of a .gltf was moved, renamed or not copied along",
     "put it where the file names it, or export one .glb"},
    {": truncated", "damaged-file", cut_file, copy_again},
    {" of a buffer of ", "damaged-file", cut_file, copy_again},
    {"bytes long, but ", "damaged-file", cut_file, copy_again},
    {"but it has only ", "damaged-file", cut_file, copy_again},
    {" is below itself", "broken-node-tree", tied_wrongly, untie},
    {" is a child of ", "broken-node-tree", tied_wrongly, untie},
    {" s, not after ", "unsorted-keys", "two keys at one time, or the keys of two clips in one track",
     "remove the double keys, or bake the clip anew"},
    {"a quaternion of length zero", "quaternion-length", "an exporter wrote zeros for an unset rotation",
     "set the rotation to 0 0 0 1"},
};

}  // namespace

Finding explained(const std::string& sentence) {
  const auto known =
      std::find_if(std::begin(explanations), std::end(explanations),
                   [&](const Explanation& e) { return sentence.find(e.words) != std::string::npos; });
  if (known == std::end(explanations)) return {"other", sentence, "", ""};
  return {known->check, sentence, known->cause, known->cure};
}

}  // namespace pelt
