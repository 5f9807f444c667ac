#include "page_rig.h"

#include "artist_pack.h"
#include "rig_pack.h"

namespace pelt {

PageRig page_rig(const ArtistSession& artist, const RigFile& rig, const BakeOptions& options,
                 const BakeResult& result) {
  const Scene& scene = artist.file().scene;
  PageRig page;
  page.pack = rig_pack({scene, rig, result, options.transfer.weighting, options.max_influences});
  page.artist = {artist_pack(scene, result), result.artist, result.diag};
  page.file = result.rig;
  return page;
}

}  // namespace pelt
