#pragma once

#include <optional>

#include "../solver/correspond.h"
#include "rig_file.h"

namespace pelt {

/// Of vertices that are alike only those that follow the same point of the artist's surface, whose vertices
/// are grouped too.
DistinctVertices following_alike(const DistinctVertices& on_rig, const DistinctVertices& on_artist,
                                 const Scene& rig, const Correspondence& correspondence);

/// From kept vertices of the rig to kept ones of the artist.
Correspondence between_distinct(const DistinctVertices& on_rig, const DistinctVertices& on_artist,
                                const Correspondence& correspondence);

/// A rig and where it follows an artist of whom the distinct vertices are left: the rig's vertices that move
/// and follow alike once.
class DistinctPair {
 public:
  /// `correspondence`: between all vertices of both files. Rig and correspondence must outlive the pair.
  DistinctPair(const RigFile& artist, const RigFile& rig, const Correspondence& correspondence);

  const RigFile& rig() const { return distinct_ ? *distinct_ : rig_; }
  const Correspondence& correspondence() const { return between_ ? *between_ : correspondence_; }

 private:
  const RigFile& rig_;
  const Correspondence& correspondence_;
  std::optional<RigFile> distinct_;
  std::optional<Correspondence> between_;
};

}  // namespace pelt
