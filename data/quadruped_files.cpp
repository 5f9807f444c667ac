#include "quadruped_files.h"

#include "resplit.h"
#include "rig_file.h"

namespace pelt {
namespace {

constexpr int blur_rounds = 60;
constexpr unsigned resplit_seed = 12345;

QuadrupedRig plain_file(const RiggedSkin& rig) {
  QuadrupedRig file;
  file.rig = rig;
  file.normals = normals_of(rig.skin);
  return file;
}

QuadrupedRig artist_file(const RiggedSkin& artist) {
  QuadrupedRig file = plain_file(artist);
  file.clips = {walk(), gallop()};
  file.armature_scale = 0.01;  // joints in centimetres, as exporters of centimetre tools leave them
  return file;
}

QuadrupedRig posed_rest_file(const RiggedSkin& artist) {
  QuadrupedRig file = plain_file(artist);
  file.rest = standing_pose(artist.skeleton);
  file.armature_scale = 0.01;
  file.mesh_below_joints = true;
  return file;
}

RiggedSkin with_weights(const RiggedSkin& rig, const WeightMatrix& weights) {
  return {rig.skin, rig.skeleton, weights};
}

}  // namespace

std::vector<QuadrupedFile> make_quadruped_files() {
  const RiggedSkin artist = artist_rig();
  const auto blurred_weights = blurred(artist.weights, artist.skin, blur_rounds);
  const auto scattered_weights = scattered(artist.weights, artist.skin, artist.skeleton);
  return {
      {"quadruped-artist.glb", glb_of(artist_file(artist))},
      {"quadruped-straight-legs.glb", glb_of(plain_file(straight_rig(artist.skin)))},
      {"quadruped-blurred.glb", glb_of(plain_file(with_weights(artist, blurred_weights)))},
      {"quadruped-scattered.glb", glb_of(plain_file(with_weights(artist, scattered_weights)))},
      {"quadruped-posed-rest.glb", glb_of(posed_rest_file(artist))},
      {"quadruped-resplit.glb", glb_of(resplit(artist, resplit_seed))},
      {"quadruped-subdivided.glb", glb_of(plain_file(subdivided(artist)))},
  };
}

}  // namespace pelt
