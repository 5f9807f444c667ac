#pragma once

#include <Eigen/Core>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "bones.h"
#include "pack.h"

namespace pelt {

/// Where the surface of a scene is drawn: similarity to the artist's model space, and where that turns
/// triangles inside out they are turned back.
struct Placed {
  const Scene& scene;
  const PageBones& bones;
  Eigen::Matrix4d artist_from_model = Eigen::Matrix4d::Identity();
};

/// `vertices`, `triangles` and `skin` of a pack (docs/page.md), into a header.
void add_surface(const Placed& placed, Pack& pack, nlohmann::ordered_json& header);

/// A `motion` over the times of a clip.
nlohmann::ordered_json motion_entry(const Placed& placed, const Clip& clip, const std::vector<float>& times,
                                    Pack& pack);

/// A `motion` of one key: the scene at rest.
nlohmann::ordered_json rest_entry(const Placed& placed, Pack& pack);

}  // namespace pelt
