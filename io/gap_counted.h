#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "../solver/measure.h"
#include "motive.h"

namespace pelt {

/// Quality against the points of the artist's surface that the rig's vertices follow, no offset carried
/// along: what a vertex keeps of its distance from that surface is error too, as where closest points are
/// compared.
class GapCounted {
 public:
  /// `keys` weighs the vertices; both must outlive it.
  GapCounted(const Motive& motive, const Measure& keys, int frames);

  /// The artist's surface and the rig's. Threads may add different frames at the same time.
  void add(int frame, const Eigen::Matrix3Xd& artist, const Eigen::Matrix3Xd& actual);

  /// In per cent; `figures` are those of `keys`, whose quality it is where no vertex has an offset. None
  /// where nothing moves, or the rig is the artist's own.
  std::optional<double> value(const Figures& figures) const;

 private:
  const Motive& motive_;
  const Measure& keys_;
  Eigen::Matrix3Xd rest_;                     // the points at the artist's rest
  std::vector<double> error_, displacement_;  // means of each frame; empty where no vertex has an offset
};

}  // namespace pelt
