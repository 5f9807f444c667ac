#include "solve_bound.h"

#include <algorithm>
#include <string>

#include "../solver/error_record.h"
#include "../solver/solve_cost.h"
#include "io_error.h"
#include "point_clip.h"

namespace pelt {
namespace {

// Of a vertex: its places at rest, as written and as asked for, and where it lies on the artist's surface.
// Of an influence: rest point, weight and the terms of the target pass.
constexpr std::size_t kVertexBytes = 600, kInfluenceBytes = 110;
// Of the errors of a clip: at its keys, between them, and of the floor.
constexpr std::size_t kRecords = 3, kErrorBytes = 12;
// Of a frame of a joint when its clip is solved: its motion and the floor's, and the tracks as written and as
// read again.
constexpr std::size_t kKeptBytes = 400;
// The user's own frames are no harm that a file does; beyond this they are a slip of the keyboard.
constexpr std::size_t kUsersBytes = std::size_t{8} << 30;

std::string in_mib(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

bool is_control(const Motive& motive) { return motive.correspondence == nullptr; }

/// Of the artist's and the rig's file, and of point caches.
std::size_t bytes_of_files(const Motive& motive, const RigFile& rig) {
  std::size_t bytes = rig.scene.file_bytes;
  if (is_control(motive)) return bytes;
  bytes += motive.scene->file_bytes;
  for (const Clip& clip : motive.scene->clips)
    if (clip.points) bytes += 12 * clip.points->cache.times.size() * clip.points->cache.points;
  return bytes;
}

std::size_t bytes_of_surfaces(const Motive& motive, const RigFile& rig, const SolvedFrames& frames) {
  const auto influences = static_cast<std::size_t>(rig.rig.rig.influences()),
             on_rig = static_cast<std::size_t>(rig.scene.vertices()),
             on_artist = static_cast<std::size_t>(motive.scene->vertices());
  std::size_t bytes = kInfluenceBytes * influences + kVertexBytes * on_rig;
  if (!is_control(motive)) bytes += kVertexBytes * on_artist;
  if (motive.cache) bytes += std::min(SurfaceCache::kBound, 24 * on_artist * frames.all);
  constexpr std::size_t most_errors = sizeof(float) * ErrorRecord::kKept;
  return bytes + kRecords * std::min(most_errors, kErrorBytes * on_rig * frames.longest);
}

std::size_t bytes_of_frames(std::size_t joints, const SolvedFrames& frames) {
  return joints * (kKeptBytes * frames.all + kFrameBytes * frames.longest);
}

}  // namespace

std::size_t justified_bytes(std::size_t file_bytes) {
  constexpr std::size_t least_bytes = 1 << 20, bytes_a_byte = 400;
  return bytes_a_byte * std::max(file_bytes, least_bytes);
}

void check_solve_size(const Motive& motive, const RigFile& rig, Freedom freedom, const SolvedFrames& frames) {
  const auto joints = static_cast<std::size_t>(rig.rig.rig.joints());
  const std::size_t file_bytes = bytes_of_files(motive, rig), most = justified_bytes(file_bytes);
  const auto refuse = [&](const std::string& what) {
    throw ReadError(rig.scene.file + ": " + what + " would take more than " + in_mib(most) +
                    " of memory, what files of " + std::to_string(file_bytes) + " bytes may ask for");
  };
  const std::size_t of_surfaces = bytes_of_surfaces(motive, rig, frames);
  if (of_surfaces > most)
    refuse("meshes: solving " + std::to_string(rig.scene.vertices()) + " vertices with " +
           std::to_string(rig.rig.rig.influences()) + " influences");
  const std::size_t of_frames = bytes_of_frames(joints, frames), left = most - of_surfaces;
  const std::string sizes = std::to_string(frames.all) + " frames of " + std::to_string(joints) + " joints";
  if (!frames.by_fps && of_frames > left) refuse("animations: solving " + sizes);
  if (frames.by_fps && of_frames > std::max(left, kUsersBytes))
    throw UsageError(rig.scene.file + ": " + sizes + " would take " + in_mib(of_frames) +
                     " of memory to solve; ask for fewer frames per second");
  const std::size_t for_joints = frames.by_fps ? left : left - of_frames;
  if (solve_bytes(rig.rig.rig, freedom, for_joints) > for_joints)
    refuse("skins: solving " + std::to_string(joints) + " joints, of which so many share vertices,");
}

}  // namespace pelt
