#pragma once

#include <optional>

#include "rig_file.h"

namespace pelt {

/// A rig and where it follows an artist of whom the distinct vertices are left: the rig's vertices that move
/// and follow alike once.
class DistinctPair {
 public:
  /// `correspondence`: between all vertices of both files. Rig and correspondence must outlive the pair.
  DistinctPair(const RigFile& artist, const RigFile& rig, const Correspondence& correspondence);

  const RigFile& rig() const { return few_ ? *few_ : rig_; }
  const Correspondence& correspondence() const { return between_ ? *between_ : correspondence_; }

 private:
  const RigFile& rig_;
  const Correspondence& correspondence_;
  std::optional<RigFile> few_;
  std::optional<Correspondence> between_;
};

}  // namespace pelt
