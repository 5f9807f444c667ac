#pragma once

#include <filesystem>

#include "document.h"
#include "obj.h"
#include "text_rig.h"

namespace pelt {

/// A text rig and its mesh as files: `rig` names the document, both appear in messages.
struct RigPaths {
  std::filesystem::path rig, mesh;
};

/// The .glb that a text rig and its mesh amount to: one skinned mesh, joints at their places with rotations
/// of identity, as many JOINTS_n sets as the vertex with most influences needs. Vertices keep the OBJ's
/// order; one whose corners differ in uv or normal is split, one without a triangle left out. Weights are
/// divided by their sum, and where that was off, `Document::warnings` tells. \throw ReadError: a vertex of a
/// triangle without weights, weights for a vertex that is not there
Document document_of_rig(const TextRig& rig, const ObjMesh& mesh, const RigPaths& paths);

}  // namespace pelt
