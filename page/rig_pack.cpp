#include "rig_pack.h"

#include <Eigen/LU>
#include <limits>
#include <nlohmann/json.hpp>

#include "../io/travel.h"
#include "artist_pack.h"
#include "display_times.h"
#include "surface_pack.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

Eigen::Vector3f nowhere() { return Eigen::Vector3f::Constant(std::numeric_limits<float>::quiet_NaN()); }

/// A point in the space of a bone's vertices, or NaN where its matrix is singular.
Eigen::Vector3f in_vertex_space(const PageBone& bone, const Eigen::Vector4d& in_node) {
  const Eigen::FullPivLU<Eigen::Matrix4d> lu(bone.node_from_vertex);
  if (!lu.isInvertible()) return nowhere();
  const Eigen::Vector4d point = lu.solve(in_node);
  return point.head<3>().cast<float>();
}

Json joints_entry(const RigFile& rig, const std::vector<std::string>& names, const PageBones& bones,
                  Pack& pack) {
  std::vector<int> bone_of;
  std::vector<float> origins, travel_from;
  const auto carried = origins_in_parents(rig.rig);
  for (std::size_t j = 0; j < names.size(); ++j) {
    bone_of.push_back(bones.of_node[rig.rig.node_of_joint[j]]);
    const Eigen::Vector3f origin = in_vertex_space(bones.list[bone_of[j]], Eigen::Vector4d::UnitW());
    origins.insert(origins.end(), origin.begin(), origin.end());
    const Eigen::Vector3f from =
        carried[j] ? in_vertex_space(bones.list[bone_of[rig.rig.rig.parent[j]]], *carried[j]) : nowhere();
    travel_from.insert(travel_from.end(), from.begin(), from.end());
  }
  return {{"name", names},
          {"bone", pack.add(bone_of)},
          {"parent", rig.rig.rig.parent},
          {"origin", pack.add(origins)},
          {"travel_from", pack.add(travel_from)}};
}

Json match_entry(const Correspondence& match, double diag, Pack& pack) {
  std::vector<int> kinds, carried, carriers;
  std::vector<float> barycentric, gaps, offsets;
  for (std::size_t i = 0; i < match.kind.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    kinds.push_back(static_cast<int>(match.kind[i]));
    gaps.push_back(static_cast<float>(100 * match.gap[column] / diag));
    for (int k = 0; k < 2; ++k) barycentric.push_back(static_cast<float>(match.barycentric(k, column)));
    if (match.carrier_of[i] < 0) continue;
    carried.push_back(static_cast<int>(i));
    for (int k = 0; k < 3; ++k) carriers.push_back(match.carrier(k, match.carrier_of[i]));
    for (int k = 0; k < 3; ++k) offsets.push_back(static_cast<float>(match.offset(k, column)));
  }
  return {{"corner", pack.add(std::span<const int>(match.corner.data(), match.corner.size()))},
          {"barycentric", pack.add(barycentric)},
          {"kind", pack.add(kinds)},
          {"gap", pack.add(gaps)},
          {"carried", pack.add(carried)},
          {"carrier", pack.add(carriers)},
          {"offset", pack.add(offsets)}};
}

Json share_entry(const RigPackInput& input, Pack& pack) {
  const Motive motive{&input.artist, &input.result.matching.correspondence,
                      input.result.matching.alignment.artist_from_rig.inverse()};
  const Eigen::VectorXd shares = vertex_shares(motive, input.rig, input.weighting);
  const Eigen::VectorXf rounded = (shares / shares.sum()).cast<float>();
  return pack.add(std::span<const float>(rounded.data(), rounded.size()));
}

Json mode_entry(JointMode mode, const std::vector<ClipTransfer>& clips, const Placed& placed, Pack& pack) {
  Json entry{{"joints", name_of(mode)}, {"clips", Json::array()}};
  for (const ClipTransfer& clip : clips) {
    const DisplayTimes display = display_times(counted_times(clip));
    Clip written;
    written.tracks = clip.measured_on;
    entry["clips"].push_back({{"name", clip.name},
                              {"times", pack.add(display.times)},
                              {"sampled", pack.add(display.counted)},
                              {"motion", motion_entry(placed, written, display.times, pack)}});
  }
  return entry;
}

std::string packed(const RigPackInput& input, const RigFile& played) {
  const BakeResult& result = input.result;
  const PageBones bones = page_bones(played.scene, played.rig.node_of_joint);
  const Placed placed{played.scene, bones, result.matching.alignment.artist_from_rig};
  Pack pack;
  Json header;
  add_surface(placed, pack, header);
  header["joints"] = joints_entry(played, result.joint_names, bones, pack);
  header["match"] = match_entry(result.matching.correspondence, result.diag, pack);
  header["share"] = share_entry(input, pack);
  header["modes"] = Json::array();
  header["modes"].push_back(mode_entry(result.joints, result.clips, placed, pack));
  for (const ComparedMode& mode : result.compared)
    header["modes"].push_back(mode_entry(mode.joints, mode.clips, placed, pack));
  return pack.text(header);
}

}  // namespace

std::string rig_pack(const RigPackInput& input) {
  if (input.max_influences <= 0) return packed(input, input.rig);
  InfluenceCut cut;
  return packed(input, limited(input.rig, input.max_influences, cut));
}

}  // namespace pelt
