#include "artist.h"

#include <algorithm>

#include "io_error.h"
#include "lower_ending.h"
#include "obj_scene.h"

namespace pelt {
namespace {

/// Does any clip move a vertex of a file without joints?
bool morphs(const Scene& scene) {
  for (const Clip& clip : scene.clips)
    for (const Track& track : clip.tracks)
      if (track.path == TrackPath::weights) return true;
  return false;
}

bool is_obj(const std::filesystem::path& path) { return lower_ending(path) == ".obj"; }

}  // namespace

RigFile open_artist(const std::filesystem::path& path, const PointFiles& points) {
  if (is_obj(path) && points.files.empty())
    throw UsageError(
        path.string() +
        ": an .obj mesh does not move: give its motion with --points FILE, a .mdd or .pc2 file or "
        "the first .obj file of a sequence");
  RigFile artist = is_obj(path) ? make_rig_file(read_obj_scene(path)) : open_rig_file(path);
  check_surface(artist);
  if (!points.files.empty()) artist.scene.clips.clear();
  for (const std::filesystem::path& file : points.files)
    add_point_clip(artist.scene, open_point_cache(file, points.fps), points.up);
  if (artist.scene.clips.empty()) throw ReadError(artist.scene.file + ": animations: the file has no clip");
  if (points.files.empty() && artist.rig.rig.influences() == 0 && !morphs(artist.scene))
    throw ReadError(artist.scene.file + ": skins: the file has no skin, and its clips move no vertex");
  return artist;
}

std::string why_no_control(const RigFile& artist) {
  const auto& clips = artist.scene.clips;
  if (artist.rig.rig.influences() == 0) return "the artist's surface is moved by no joints";
  if (std::any_of(clips.begin(), clips.end(), [](const Clip& clip) { return clip.points != nullptr; }))
    return "the clips are point caches, which the artist's joints do not move";
  return "";
}

}  // namespace pelt
