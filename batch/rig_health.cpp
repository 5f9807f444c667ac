#include "rig_health.h"

#include <algorithm>

#include "../io/stance_guess.h"
#include "../solver/error.h"
#include "bone_distances.h"
#include "legs.h"
#include "regions.h"
#include "weight_islands.h"

namespace pelt {
namespace {

constexpr double kHolds = 0.05;        // least weight of a joint that is asked for its bones
constexpr double kFarFromBones = 0.2;  // of diag
constexpr double kIsland = 0.1;        // least weight in a patch

void count_influences(const Rig& rig, const std::vector<char>& used, RigHealth& health) {
  int vertices = 0, influences = 0;
  for (int i = 0; i < rig.vertices(); ++i) {
    const int count = rig.first_influence[i + 1] - rig.first_influence[i];
    if (!used[i] || count == 0) continue;
    ++vertices, influences += count;
    health.max_influences = std::max(health.max_influences, count);
  }
  if (vertices > 0) health.mean_influences = static_cast<double>(influences) / vertices;
}

/// From the nearest bone of any joint that holds the vertex; 0 where none does.
double distance_from_holders(const Rig& rig, BoneDistances& bones, int vertex, const Eigen::Vector3d& p) {
  double least = -1;
  for (int k = rig.first_influence[vertex]; k < rig.first_influence[vertex + 1]; ++k) {
    if (rig.weight[k] < kHolds) continue;
    const double distance = bones.from(rig.joint[k], p);
    if (least < 0 || distance < least) least = distance;
  }
  return std::max(least, 0.0);
}

void find_far_vertices(const RigFile& file, const Bones& bones, double diag, RigHealth& health) {
  const Eigen::VectorXd area = vertex_areas(file.rest);
  BoneDistances distances(bones);
  double far = 0;
  for (Eigen::Index i = 0; i < area.size(); ++i) {
    if (!(area(i) > 0)) continue;
    const double distance =
        distance_from_holders(file.rig.rig, distances, static_cast<int>(i), file.rest.positions.col(i));
    if (distance > kFarFromBones * diag) far += area(i);
    health.farthest = std::max(health.farthest, 100 * distance / diag);
  }
  health.far_vertices = 100 * far / area.sum();
}

Stand stand_of(const Surface& rest, const Plane& plane, double diag) {
  Stand stand{plane, guess_up(rest, plane.normal), 0, 0, diag};
  const std::vector<char> used = used_vertices(rest);
  bool first = true;
  double top = 0;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (!used[v]) continue;
    const double height = stand.up.dot(rest.positions.col(static_cast<Eigen::Index>(v)));
    stand.ground = first ? height : std::min(stand.ground, height);
    top = first ? height : std::max(top, height);
    first = false;
  }
  stand.height = top - stand.ground;
  return stand;
}

void find_legs(const RigFile& file, const Bones& bones, double diag, RigHealth& health) {
  const std::optional<Plane> plane = mirror_plane(bones, diag);
  if (!plane) return;
  const Limbs limbs = limbs_of(bones, plane, diag);
  const std::vector<Leg> legs = legs_of(bones, limbs, stand_of(file.rest, *plane, diag));
  for (const Leg& leg : legs)
    health.legs.push_back({joint_name(file, limbs.limbs[leg.limb].joints.front()), leg.bends, leg.weighted});
  if (!legs.empty()) health.asymmetry = 100 * leg_asymmetry(bones, legs, *plane) / diag;
}

}  // namespace

double LegHealth::bend() const { return bends.empty() ? 0 : *std::max_element(bends.begin(), bends.end()); }

std::optional<double> RigHealth::least_bend() const {
  if (legs.empty()) return std::nullopt;
  double least = legs.front().bend();
  for (const LegHealth& leg : legs) least = std::min(least, leg.bend());
  return least;
}

std::optional<bool> RigHealth::drivable(double min_bend) const {
  if (legs.empty()) return std::nullopt;
  return std::all_of(legs.begin(), legs.end(),
                     [&](const LegHealth& leg) { return leg.bend() >= min_bend && leg.weighted; });
}

RigHealth rig_health(const RigFile& file) {
  if (!(vertex_areas(file.rest).sum() > 0))
    throw InvalidInput(file.scene.file + ": the surface of the rig has no area");
  const Rig& rig = file.rig.rig;
  const double diag = bounding_diagonal(file.rest);
  const Bones bones = bones_of(file);
  RigHealth health;
  health.joints = rig.joints();
  health.joints_without_weights =
      static_cast<int>(std::count(bones.weighted.begin(), bones.weighted.end(), 0));
  count_influences(rig, used_vertices(file.rest), health);
  for (const int islands : weight_islands(rig, file.rest, kIsland)) health.weight_islands += islands;
  find_far_vertices(file, bones, diag, health);
  find_legs(file, bones, diag, health);
  return health;
}

}  // namespace pelt
