#include "artist_pack.h"

#include <nlohmann/json.hpp>

#include "display_times.h"
#include "surface_pack.h"

namespace pelt {

using Json = nlohmann::ordered_json;

std::vector<float> counted_times(const ClipTransfer& clip) {
  std::vector<float> times;
  for (const int key : clip.sampled) times.push_back(clip.times[key]);
  return times;
}

std::string artist_pack(const Scene& artist, const BakeResult& result) {
  const PageBones bones = page_bones(artist);
  const Placed placed{artist, bones};
  Pack pack;
  Json header;
  add_surface(placed, pack, header);
  header["rest"] = rest_entry(placed, pack);
  header["clips"] = Json::array();
  for (const ClipTransfer& clip : result.clips) {
    const std::vector<float> times = display_times(counted_times(clip)).times;
    header["clips"].push_back({{"name", clip.name},
                               {"times", pack.add(times)},
                               {"motion", motion_entry(placed, artist.clips[clip.source], times, pack)}});
  }
  return pack.text(header);
}

}  // namespace pelt
