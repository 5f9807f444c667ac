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

const Explanation explanations[] = {
    {"do not sum to 1", "weight-sums",
     "the rigging tool did not normalise, or lost influences; unnormalised, vertices are drawn towards the "
     "origin",
     "normalise all weights in the tool; pelt does it on reading"},
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
    {"channels left out: no target node", "ignored-channels",
     "pointers of an extension, or targets that were deleted", "nothing, unless a limb stands still"},
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
    {"is not supported", "unsupported-extension", "the file needs an extension that pelt cannot read",
     "export without it; gltf-transform can unpack compressed files"},
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
