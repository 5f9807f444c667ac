#pragma once

#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "io/clip_writer.h"
#include "tests/gltf_builder.h"

namespace pelt::test {

/// What stands above, between and at the joints of a chain.
struct ChainOptions {
  nlohmann::ordered_json armature = nlohmann::ordered_json::object();
  nlohmann::ordered_json between = nlohmann::ordered_json::object();
  nlohmann::ordered_json tip = nlohmann::ordered_json::object();
  bool matrices = false;  ///< joints as matrix instead of TRS
  int joints = 6;
};

/// A chain of joints, each 0.3 above the one before and turned, a plain node below the second; every joint
/// moves a triangle, in part shared with its parent.
GltfBuilder chain(const ChainOptions& options, std::mt19937& random);

/// Rigid motions about points near the surface, one a joint.
Pose random_pose(const Rig& rig, double size, std::mt19937& random);

SolvedClip random_clip(const std::string& name, const Rig& rig, double size, std::mt19937& random);

SolvedClip rest_clip(const std::string& name, const Rig& rig);

/// Serialised and parsed again.
Document reread(const Document& document);

/// Largest distance, over keys and vertices that have influences, between the written clip and the rig's
/// skin; of the diagonal.
double written_error(const Scene& written, const SceneRig& rig, const SolvedClip& clip, int index);

struct Written {
  Document before, after;
  Scene scene;  ///< of `after`
  SceneRig rig;
  WriteOutcome outcome;
};

/// Reads the builder's file, adds clips made from its rig and its diagonal, and reads the result.
Written write(const GltfBuilder& builder,
              const std::function<std::vector<SolvedClip>(const SceneRig&, double)>& clips,
              const WriteSettings& settings = {});

/// Properties of a node that an animation has channels for.
std::set<std::string> paths_of(const nlohmann::ordered_json& animation, int node);

std::vector<std::string> animation_names(const Document& document);

}  // namespace pelt::test
