#include "distinct_pair.h"

#include <utility>

namespace pelt {

DistinctPair::DistinctPair(const RigFile& artist, const RigFile& rig, const Correspondence& correspondence)
    : rig_(rig), correspondence_(correspondence) {
  DistinctVertices distinct =
      following_alike(distinct_vertices(rig.scene), artist.distinct, rig.scene, correspondence);
  if (!distinct.is_all() || !artist.distinct.is_all())
    between_ = between_distinct(distinct, artist.distinct, correspondence);
  few_ = with_distinct(rig, std::move(distinct));
}

}  // namespace pelt
