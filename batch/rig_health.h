#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "../io/rig_file.h"

namespace pelt {

/// The most by which a leg's joints may miss the mirror image of the other side's, % of diag.
constexpr double kSymmetric = 1;

/// A leg bends by turning where some joint of it bends by that much at rest, degrees (docs/rig-health.md).
constexpr double kMinBend = 10;

struct LegHealth {
  std::string joint;          ///< the limb's first
  std::vector<double> bends;  ///< deviation from straight at each inner joint, hip to foot, degrees
  bool weighted = true;       ///< every bone of it moves some vertex

  double bend() const;  ///< the largest
};

/// What can be said of a rig without any clip. Lengths in % of the diagonal of its own rest surface;
/// docs/rig-health.md defines each figure.
struct RigHealth {
  int joints = 0, joints_without_weights = 0;
  double far_vertices = 0;  ///< share of the surface that lies far from all bones that hold it, %
  double farthest = 0;      ///< the largest such distance, % of diag
  int weight_islands = 0;   ///< patches of a joint's influence beyond the first in a piece of the mesh
  double mean_influences = 0;
  int max_influences = 0;
  std::vector<LegHealth> legs;      ///< empty where none were found
  std::optional<double> asymmetry;  ///< of the legs, % of diag; none without legs

  std::optional<bool> symmetric() const {
    return asymmetry ? std::optional(*asymmetry <= kSymmetric) : std::nullopt;
  }
  /// Of the straightest leg, degrees; none without legs.
  std::optional<double> least_bend() const;
  /// Does every leg bend by `min_bend` and move with its bones? None without legs.
  std::optional<bool> drivable(double min_bend = kMinBend) const;
};

/// \throw InvalidInput where the rig has no surface.
RigHealth rig_health(const RigFile& file);

nlohmann::ordered_json to_json(const RigHealth& health);

/// Exactly what to_json was given. \throw InvalidInput naming the member that is missing or of another kind.
RigHealth health_from_json(const nlohmann::ordered_json& json);

}  // namespace pelt
