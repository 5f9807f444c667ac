#pragma once

#include "document.h"
#include "scene.h"

namespace pelt {

/// Decodes a document. Every index, range, stride, count and the node tree is checked before use.
///
/// Skins as glTF 2.0 has them: inverse bind matrices absent = identity; the transform of a skinned mesh's
/// node and `skin.skeleton` are not used; JOINTS_n index `skin.joints`; slots of weight 0 are ignored
/// whatever they point at. Weights: negative, non-finite or all zero at a vertex that a triangle uses is an
/// error; a sum off 1 is normalised and warned of. \throw ReadError naming the file, the JSON place and the
/// numbers.
Scene read_scene(const Document& document);

}  // namespace pelt
